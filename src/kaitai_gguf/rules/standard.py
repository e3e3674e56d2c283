"""Rules on the keys that the documentation defines."""

import re
from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from kaitai_gguf.layout_rules import ALIGNMENT_KEY
from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import GENERAL, GGML_H, LLAMA_H, LOADER
from kaitai_gguf.rules.rule import SET_ARCHITECTURE, SET_TYPED, Place, rule, several
from kaitai_gguf.schema import ValueType
from kaitai_gguf.standard_keys import KeyType, standard_types
from kaitai_gguf.standard_values import (
    CURRENT_QUANTIZATION,
    FILE_TYPE,
    FILE_TYPES,
    QUANTIZATION_VERSION,
    REMOVED_FILE_TYPES,
    contradicting_type,
    is_shard,
    lacks_quantization_version,
)
from kaitai_gguf.text import quoted
from kaitai_gguf.types import type_name

FILE_TYPE_FIXES = ("set FILE general.file_type=VALUE --output FIXED", "unset FILE general.file_type --output FIXED")

# Besides hyperparameters, the keys that llama.cpp reads; it fails if their values have other types.
T5_START = "t5.decoder_start_token_id"
READ_BY_LLAMA_CPP = re.compile(r"general\.(architecture|name|file_type)|tokenizer\.ggml\..*|split\..*")


@rule("missing-architecture", ERROR, GENERAL, refused_by=(LLAMA_CPP,), fixes=[SET_ARCHITECTURE])
def missing_architecture(facts: Facts) -> Iterator[Place]:
    """`general.architecture` is missing.

    Readers need it to know what the tensors are for, and the keys of all hyperparameters begin with it. Later shards
    need not have it.

    Fix: set it to the name of the architecture.
    """
    if facts.number(ARCHITECTURE) is None and not facts.is_later_shard:
        yield facts.missing_key(f"{ARCHITECTURE} is missing")


@rule("architecture-name", ERROR, GENERAL, fixes=[SET_ARCHITECTURE])
def architecture_name(facts: Facts) -> Iterator[Place]:
    """`general.architecture` has characters other than a-z, 0-9, `-` and `_`.

    The documentation allows only a-z and 0-9; llama.cpp uses `-` and `_` as well.

    Fix: set it to the name that llama.cpp uses. Hyperparameters under the old name must be set again, too.
    """
    name = facts.architecture
    if name is not None and not re.fullmatch("[a-z0-9_-]+", name):
        yield facts.value_place(ARCHITECTURE, f"{ARCHITECTURE} is {quoted(name)}, expected letters a to z and digits")


@rule("architecture-separator", NOTE, GENERAL)
def architecture_separator(facts: Facts) -> Iterator[Place]:
    """`general.architecture` contains a `-` or `_`.

    The documentation allows only letters and digits. llama.cpp has many such names, e.g. `jina-bert-v2`.

    Fix: nothing, if it is the name that llama.cpp uses.
    """
    name = facts.architecture or ""
    if re.fullmatch("[a-z0-9_-]*[_-][a-z0-9_-]*", name):
        message = f"{ARCHITECTURE} is {quoted(name)}, expected only letters a to z and digits"
        yield facts.value_place(ARCHITECTURE, message)


class Typed(NamedTuple):
    """A standard key whose value doesn't have the type that llama.cpp reads."""

    number: int
    key: str
    types: tuple[KeyType, ...]
    """The types that its value may have."""
    actual: KeyType


def _other_types(facts: Facts) -> Iterator[Typed]:
    arrays = facts.arrays.values
    elements = dict(zip(arrays.owner.tolist(), map(ValueType, arrays.element_type.tolist()), strict=True))
    rows = zip(facts.header.keys, facts.key_values.value_type.tolist(), strict=True)
    for number, (key, type) in enumerate(rows):
        types = standard_types(key, facts.architecture)
        if types and types[0] != (actual := KeyType(ValueType(type), elements.get(number))):
            yield Typed(number, key, types, actual)


@rule("key-type", ERROR, GENERAL, fixes=[SET_TYPED])
def key_type(facts: Facts) -> Iterator[Place]:
    """The value of a standard key does not have the type of the key.

    llama.cpp refuses the file if it reads the key; other readers ignore the value, or fail later.

    Fix: set the value with the type that the finding expects, e.g. `uint32` or `string[]`.
    """

    def place(typed: Typed) -> Place:
        number, key, types, actual = typed
        expected = " or ".join(map(str, types))
        place = facts.key_value_place(number, "value_type", f"{quoted(key)} has type {actual}, expected {expected}")
        is_read = READ_BY_LLAMA_CPP.fullmatch(key) or key.startswith(f"{facts.architecture}.")
        return place._replace(refused_by=(LLAMA_CPP,) if is_read else ())

    # The alignment has its own rule.
    wrong = [each for each in _other_types(facts) if each.actual not in each.types and each.key != ALIGNMENT_KEY]
    return several(wrong, place)


@rule("key-width", WARNING, LOADER, refused_by=(LLAMA_CPP,), fixes=["set FILE KEY=VALUE --type uint32 --output FIXED"])
def key_width(facts: Facts) -> Iterator[Place]:
    """A number has a type that is allowed, but llama.cpp reads only uint32.

    The documentation asks readers to support uint64 for counts. All converters of llama.cpp write uint32. For T5, it
    does not read the int32 that it writes as the decoder's start token of other architectures.

    Fix: set the value as a uint32.
    """

    def place(typed: Typed) -> Place:
        number, key, types, actual = typed
        message = f"{quoted(key)} has type {actual}, which llama.cpp does not read: it expects {types[0]}"
        return facts.key_value_place(number, "value_type", message)

    others = [each for each in _other_types(facts) if each.actual in each.types]
    return several([each for each in others if ValueType.UINT64 in each.actual or each.key == T5_START], place)


@rule(
    "missing-quantization-version",
    ERROR,
    GENERAL,
    fixes=[f"set FILE {QUANTIZATION_VERSION}=2 --type uint32 --output FIXED"],
)
def missing_quantization_version(facts: Facts) -> Iterator[Place]:
    """Tensors are quantized, and `general.quantization_version` is missing.

    It is the version of the block layouts. Readers assume the current version, 2. Later shards need not have it.

    Fix: set it to 2.
    """
    if lacks_quantization_version(facts.header.get, facts.tensors.type_id.tolist()):
        yield facts.missing_key(f"tensors are quantized, but {QUANTIZATION_VERSION} is missing")


@rule("quantization-version", NOTE, GGML_H, fixes=[f"set FILE {QUANTIZATION_VERSION}=2 --output FIXED"])
def quantization_version(facts: Facts) -> Iterator[Place]:
    """`general.quantization_version` is not 2, ggml's version for as long as GGUF has existed.

    Fix: quantize the original model again. If only the number is wrong, set it: that does not change the blocks.
    """
    version = facts.header.integer(QUANTIZATION_VERSION)
    if version is not None and version != CURRENT_QUANTIZATION:
        message = f"{QUANTIZATION_VERSION} is {version}, expected {CURRENT_QUANTIZATION}"
        yield facts.value_place(QUANTIZATION_VERSION, message)


@rule("file-type-number", NOTE, LLAMA_H, fixes=FILE_TYPE_FIXES)
def file_type_number(facts: Facts) -> Iterator[Place]:
    """`general.file_type` is a number that is unknown, or that llama.cpp has removed.

    Fix: set the right number, or remove the key: readers can infer it.
    """
    number = facts.header.integer(FILE_TYPE)
    if number is not None and number not in FILE_TYPES:
        removed = REMOVED_FILE_TYPES.get(number)
        fault = f"{removed}, which was removed" if removed else "which is unknown"
        yield facts.value_place(FILE_TYPE, f"{FILE_TYPE} is {number}, {fault}")


@rule("file-type", NOTE, GENERAL, fixes=FILE_TYPE_FIXES)
def file_type(facts: Facts) -> Iterator[Place]:
    """`general.file_type` does not name the type that most weights have.

    Only the elements of tensors with two or more dimensions count, because biases and norms stay F32. Some correct
    files get this note: the embeddings of a small model can outweigh the rest, and tensors whose rows are not whole
    blocks of a type get another type.

    Fix: set the right number, or remove the key: readers can infer it.
    """
    number = facts.header.integer(FILE_TYPE)
    if number is None or is_shard(facts.header.get):
        return
    weights: Counter[str] = Counter()
    for tensor, type_id in enumerate(facts.tensors.type_id.tolist()):
        if facts.tensors.num_dims[tensor] > 1:
            weights[type_name(type_id)] += prod(facts.dims(tensor))
    most = contradicting_type(number, weights)
    if most is not None:
        message = f"{FILE_TYPE} is {number}, {FILE_TYPES[number][0]}, but most weights are {most}"
        yield facts.value_place(FILE_TYPE, message)
