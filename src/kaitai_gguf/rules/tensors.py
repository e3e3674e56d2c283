"""Rules on the names, dimensions and types of tensors."""

from collections.abc import Iterator

import numpy as np

from kaitai_gguf.layout_rules import LIMIT, Breach
from kaitai_gguf.rules.facts import Facts, duplicates, not_utf8
from kaitai_gguf.rules.finding import ERROR, GGUF_PY, HEADER, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import GGML_H, GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import RENAME, Place, rule, several
from kaitai_gguf.schema import BLOCKS, REMOVED_TYPES
from kaitai_gguf.types import GGMLType, why_unknown

LONGEST = 63  # bytes of a name that ggml has room for


@rule("empty-name", ERROR, STRUCTURE)
def empty_name(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is empty.

    ggml reads it, but no model can ask for such a tensor.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    numbers = np.flatnonzero(facts.tensors.name_start == facts.tensors.name_end).tolist()
    return several(numbers, lambda i: facts.tensor_place(i, "name", f"the name of tensor {i} is empty"))


@rule("duplicate-tensor", ERROR, GGUF_CPP, refused_by=(*HEADER, GGUF_PY))
def duplicate_tensor(facts: Facts) -> Iterator[Place]:
    """Two tensors have the same name.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    return several(duplicates(facts.header.names), lambda i: facts.tensor_place(i, "name", "the name is duplicated"))


@rule("name-utf8", ERROR, STRUCTURE, refused_by=(GGUF_PY,), fixes=[RENAME])
def name_utf8(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is not UTF-8.

    Fix: rename the tensor.
    """
    return several(not_utf8(facts.header.names), lambda i: facts.tensor_place(i, "name", "the name is not UTF-8"))


@rule("name-nul", WARNING, GGUF_CPP, refused_by=(LLAMA_CPP,))
def name_nul(facts: Facts) -> Iterator[Place]:
    """The name of a tensor contains a NUL.

    For a reader in C, the name ends at the NUL, so two tensors may get the same name.

    Fix: rename the tensor in Python, with `kaitai_gguf.edit(FILE)` and `editor.tensors.rename(TENSOR, NAME)`; a command
    line can't contain a NUL.
    """
    numbers = [number for number, name in enumerate(facts.header.names) if "\0" in name]
    return several(numbers, lambda i: facts.tensor_place(i, "name", "the name contains a NUL"))


@rule("name-length", WARNING, STRUCTURE, refused_by=HEADER, fixes=[RENAME])
def name_length(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is longer than 63 bytes.

    The documentation allows 64 bytes; ggml has room for 63 and a terminating NUL. stable-diffusion.cpp is built with
    more room, and its files have longer names.

    Fix: rename the tensor, unless the reader is built for longer names.
    """
    lengths = facts.tensors.name_end - facts.tensors.name_start
    numbers = np.flatnonzero(lengths > LONGEST).tolist()
    message = f"bytes, expected at most {LONGEST}"
    return several(numbers, lambda i: facts.tensor_place(i, "name", f"the name has {lengths[i]:,} {message}"))


@rule("dims-overflow", ERROR, GGUF_CPP, refused_by=HEADER)
def dims_overflow(facts: Facts) -> Iterator[Place]:
    """The product of a tensor's dimensions, or its size in bytes, does not fit in 63 bits.

    This applies even if another dimension is 0. Products that wrapped around to a small number have made readers write
    past the end of their buffers. ggml counts bytes in 64 bits and allows a 0, so it reads some of these files.

    Fix: download the file again: it is damaged, or malicious. No command can open it.
    """

    def place(breach: Breach) -> Place:
        dims, type_id = facts.dims(breach.row), int(facts.tensors.type_id[breach.row])
        is_read = _ggml_counts(dims, type_id, facts.header.alignment or 1)
        return facts.tensor_place(*breach)._replace(refused_by=() if is_read else HEADER)

    return several(facts.breaches["dims-overflow"], place)


def _ggml_counts(dims: list[int], type_id: int, alignment: int) -> bool:
    """Whether ggml, which counts bytes in 64 bits, finds the size of a tensor possible."""
    if max(dims) >= LIMIT:
        return False
    elements = dims[0]
    for dim in dims[1:]:
        if dim > 1 and (LIMIT - 1) // dim < elements:
            return False
        elements *= dim
    block = BLOCKS.get(type_id)
    if block is None or dims[0] % block.num_elements:
        return True  # another rule reports it
    return elements // block.num_elements * block.size < 2 * LIMIT - (alignment - 1)


@rule("row-blocks", ERROR, GGUF_CPP, refused_by=(*HEADER, GGUF_PY))
def row_blocks(facts: Facts) -> Iterator[Place]:
    """The rows of a quantized tensor are not whole blocks.

    A row has `dims[0]` elements, and each row starts with a new block.

    Fix: quantize the original model again, and give this tensor a type with smaller blocks, or one that is not
    quantized. No command can open this file.
    """
    return several(facts.breaches["row-blocks"], lambda breach: facts.tensor_place(*breach))


@rule("removed-type", WARNING, GGML_H, refused_by=(*HEADER, GGUF_PY))
def removed_type(facts: Facts) -> Iterator[Place]:
    """A tensor has a type that ggml has removed.

    Q4_2 and Q4_3 predate GGUF. Q4_0_4_4 and similar types were layouts for certain processors; llama.cpp now converts
    Q4_0 and IQ4_NL to these layouts when it loads a model.

    Fix: quantize the original model again.
    """
    return _of_types(facts, set(REMOVED_TYPES))


@rule("unknown-type", WARNING, GGML_H, refused_by=(*HEADER, GGUF_PY))
def unknown_type(facts: Facts) -> Iterator[Place]:
    """A tensor has an unknown type.

    Most releases of ggml add types: the file may be newer than this program. The size of the tensor is unknown, too.

    Fix: update the software. If no release knows the number, the file is damaged: download it again.
    """
    unknown = set(facts.tensors.type_id.tolist()) - set(BLOCKS) - set(REMOVED_TYPES)
    return _of_types(facts, unknown)


@rule("new-type", WARNING, GGML_H, refused_by=(GGUF_PY,))
def new_type(facts: Facts) -> Iterator[Place]:
    """A tensor has a type that ggml supports, but gguf-py 0.19 does not: Q2_0.

    Fix: use a later gguf-py.
    """
    return _of_types(facts, {GGMLType.Q2_0.value}, "type Q2_0 is unknown to gguf-py 0.19")


def _of_types(facts: Facts, type_ids: set[int], message: str | None = None) -> Iterator[Place]:
    type_id = facts.tensors.type_id
    numbers = np.flatnonzero(np.isin(type_id, sorted(type_ids))).tolist()
    return several(
        numbers, lambda i: facts.tensor_place(i, "type_id", f"its {message or why_unknown(int(type_id[i]))}")
    )


@rule("scalar-tensor", NOTE, STRUCTURE)
def scalar_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor has no dimensions.

    Such a tensor has one element. ggml reads it as a tensor with one dimension of 1. gguf-py can't read it if its type
    is BF16.

    Fix: write the file again, with the tool that made it, with one dimension of 1; no command changes dimensions.
    """
    numbers = np.flatnonzero(facts.tensors.num_dims == 0).tolist()
    return several(numbers, lambda i: facts.tensor_place(i, "num_dims", "it has no dimensions"))


@rule("empty-tensor", NOTE, GGUF_CPP, fixes=["copy FILE --tensors PATTERN --output FIXED"])
def empty_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor has a dimension of 0, and therefore no elements.

    ggml reads it, but few models need it.

    Fix: copy the file without the tensor, with a pattern that matches the names of all other tensors.
    """
    present = np.arange(facts.tensors.dims.shape[1]) < facts.tensors.num_dims[:, None]
    numbers = np.flatnonzero((present & (facts.tensors.dims == 0)).any(axis=1)).tolist()
    return several(numbers, lambda i: facts.tensor_place(i, "dims", f"{shown(facts.dims(i))} elements: it has none"))


def shown(dims: list[int]) -> str:
    return " × ".join(map(str, dims))
