"""Rules on the keys that the documentation defines."""

import re
from collections.abc import Iterator
from math import prod

from kaitai_gguf import layout_rules
from kaitai_gguf.layout_rules import ALIGNMENT_KEY
from kaitai_gguf.llama_cpp import FILE_TYPE, file_types, standard_key
from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.rule import LLAMA_CPP, SET_ARCHITECTURE, SET_TYPED, Place, rule
from kaitai_gguf.schema import ValueType
from kaitai_gguf.text import quoted
from kaitai_gguf.type_mix import contradiction, type_mix
from kaitai_gguf.types import KeyType

SET_UINT32 = "set FILE KEY=VALUE --type uint32 --output FIXED"
SET_VERSION = "set FILE general.quantization_version=2 --type uint32 --output FIXED"
FILE_TYPE_FIXES = ("set FILE general.file_type=VALUE --output FIXED", "unset FILE general.file_type --output FIXED")

# Besides hyperparameters, the keys that llama.cpp reads; it fails if their values have other types.
T5_START = "t5.decoder_start_token_id"
READ_BY_LLAMA_CPP = re.compile(r"general\.(architecture|name|file_type)|tokenizer\.ggml\..*|split\..*")


@rule("standard", "error", "ggml/docs/gguf.md#general", refused_by="llama.cpp", fixes=[SET_ARCHITECTURE])
def missing_architecture(facts: Facts) -> Iterator[Place]:
    """`general.architecture` is missing.

    Readers need it to know what the tensors are for, and the keys of all hyperparameters begin with it. Later shards
    need not have it.
    Fix: set it to the name of the architecture.
    """
    if not facts.has(ARCHITECTURE) and not layout_rules.is_later_shard(facts.header.get):
        yield facts.missing_key(f"{ARCHITECTURE} is missing")


@rule("standard", "error", "ggml/docs/gguf.md#general", fixes=[SET_ARCHITECTURE])
def architecture_name(facts: Facts) -> Iterator[Place]:
    """`general.architecture` has characters other than a-z, 0-9, `-` and `_`.

    The documentation allows only a-z and 0-9; llama.cpp uses `-` and `_` as well.
    Fix: set it to the name that llama.cpp uses. Hyperparameters under the old name must be set again, too.
    """
    name = facts.architecture
    if name is not None and not re.fullmatch("[a-z0-9_-]+", name):
        yield facts.value_place(ARCHITECTURE, f"{ARCHITECTURE} is {quoted(name)}, expected letters a to z and digits")


@rule("standard", "note", "ggml/docs/gguf.md#general")
def architecture_separator(facts: Facts) -> Iterator[Place]:
    """`general.architecture` contains a `-` or `_`.

    The documentation allows only letters and digits. llama.cpp has many such names, e.g. `jina-bert-v2`.
    Fix: nothing, if it is the name that llama.cpp uses.
    """
    name = facts.architecture or ""
    if re.fullmatch("[a-z0-9_-]*[_-][a-z0-9_-]*", name):
        message = f"{ARCHITECTURE} is {quoted(name)}, expected only letters a to z and digits"
        yield facts.value_place(ARCHITECTURE, message)


@rule("standard", "error", "ggml/docs/gguf.md#general", fixes=[SET_TYPED])
def key_type(facts: Facts) -> Iterator[Place]:
    """The value of a standard key does not have the type of the key.

    llama.cpp refuses the file if it reads the key; other readers ignore the value, or fail later.
    Fix: set the value with the type that the finding expects, e.g. `uint32` or `string[]`.
    """
    for number, key, types, actual in _other_types(facts):
        if actual not in types and key != ALIGNMENT_KEY:  # the alignment has its own rule
            message = f"{quoted(key)} has type {actual}, expected {' or '.join(map(str, types))}"
            is_read = READ_BY_LLAMA_CPP.fullmatch(key) or key.startswith(f"{facts.architecture}.")
            yield Place(f"/metadata/{number}/value_type", message, refused_by=(LLAMA_CPP,) if is_read else ())


@rule("standard", "warning", "llama.cpp/src/llama-model-loader.cpp", refused_by="llama.cpp", fixes=[SET_UINT32])
def key_width(facts: Facts) -> Iterator[Place]:
    """A number has a type that is allowed, but llama.cpp reads only uint32.

    The documentation asks readers to support uint64 for counts. All converters of llama.cpp write uint32. For T5, it
    does not read the int32 that it writes as the decoder's start token of other architectures.
    Fix: set the value as a uint32.
    """
    for number, key, types, actual in _other_types(facts):
        if actual in types and (ValueType.UINT64 in actual or key == T5_START):
            message = f"{quoted(key)} has type {actual}, which llama.cpp does not read: it expects {types[0]}"
            yield Place(f"/metadata/{number}/value_type", message)


def _other_types(facts: Facts) -> Iterator[tuple[int, str, tuple[KeyType, ...], KeyType]]:
    """Yield number, key, allowed types and type of the standard keys whose type is not the one that llama.cpp reads."""
    numbers, element_types, _ = facts.lists.arrays()
    elements = dict(zip(numbers.tolist(), map(ValueType, element_types.tolist()), strict=True))
    for number, (key, type) in enumerate(zip(facts.header.keys, facts.key_values.value_type.tolist(), strict=True)):
        known = standard_key(key)
        types = known.types if known is not None else ()
        if types and types[0] != (actual := KeyType(ValueType(type), elements.get(number))):
            yield number, key, types, actual


@rule("standard", "error", "ggml/docs/gguf.md#general", fixes=[SET_VERSION])
def missing_quantization_version(facts: Facts) -> Iterator[Place]:
    """Tensors are quantized, and `general.quantization_version` is missing.

    It is the version of the block layouts. Readers assume the current version, 2. Later shards need not have it.
    Fix: set it to 2.
    """
    if layout_rules.lacks_quantization_version(facts.header.get, facts.tensors.type_id.tolist()):
        yield facts.missing_key(f"tensors are quantized, but {layout_rules.QUANTIZATION_VERSION} is missing")


@rule("standard", "note", "ggml/include/ggml.h", fixes=["set FILE general.quantization_version=2 --output FIXED"])
def quantization_version(facts: Facts) -> Iterator[Place]:
    """`general.quantization_version` is not 2, ggml's version for as long as GGUF has existed.

    Fix: quantize the original model again. If only the number is wrong, set it: that does not change the blocks.
    """
    version = facts.header.integer(layout_rules.QUANTIZATION_VERSION)
    if version is not None and version != layout_rules.CURRENT_QUANTIZATION:
        message = f"{layout_rules.QUANTIZATION_VERSION} is {version}, expected {layout_rules.CURRENT_QUANTIZATION}"
        yield facts.value_place(layout_rules.QUANTIZATION_VERSION, message)


@rule("standard", "note", "llama.cpp/include/llama.h", fixes=FILE_TYPE_FIXES)
def file_type_number(facts: Facts) -> Iterator[Place]:
    """`general.file_type` is a number that is unknown, or that llama.cpp has removed.

    Fix: set the right number, or remove the key: readers can infer it.
    """
    number = facts.header.integer(FILE_TYPE)
    name, type = file_types().get(number, (None, None)) if number is not None else (None, FILE_TYPE)
    if type is None:
        fault = f"{name}, which was removed" if name else "which is unknown"
        yield facts.value_place(FILE_TYPE, f"{FILE_TYPE} is {number}, {fault}")


@rule("standard", "note", "ggml/docs/gguf.md#general", fixes=FILE_TYPE_FIXES)
def file_type(facts: Facts) -> Iterator[Place]:
    """`general.file_type` does not name the type that most weights have.

    Only the elements of tensors with two or more dimensions count, because biases and norms stay F32. Some correct
    files get this note: the embeddings of a small model can outweigh the rest, and tensors whose rows are not whole
    blocks of a type get another type.
    Fix: set the right number, or remove the key: readers can infer it.
    """
    number = facts.header.integer(FILE_TYPE)
    if number is None or layout_rules.is_shard(facts.header.get):
        return
    dims = map(facts.dims, range(len(facts.offsets)))
    rows = zip(facts.tensors.type_id.tolist(), dims, strict=True)
    most = contradiction(number, type_mix((type_id, len(each), prod(each), 0) for type_id, each in rows))
    if most is not None:
        message = f"{FILE_TYPE} is {number}, {file_types()[number][0]}, but most weights are {most}"
        yield facts.value_place(FILE_TYPE, message)
