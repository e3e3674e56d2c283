"""Rules on tensors: names, dimensions and types; where their data is, and the bytes between it."""

from collections.abc import Iterator

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.forks import collision, why_unknown
from kaitai_gguf.layout_rules import LIMIT, align
from kaitai_gguf.reading.chunks import first_nonzero
from kaitai_gguf.rules.facts import Facts, duplicates, not_utf8
from kaitai_gguf.rules.rule import HEADER, RENAME, Place, rule
from kaitai_gguf.schema import BLOCKS, REMOVED_TYPES
from kaitai_gguf.text import quoted
from kaitai_gguf.types import GGMLType, type_name

COPY, COPY_NONE = "copy FILE --tensors '*' --output FIXED", "copy FILE --tensors '' --output FIXED"
LONGEST = 63  # bytes of a name that ggml has room for


@rule("tensors", "error", "ggml/docs/gguf.md#file-structure")
def empty_name(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is empty.

    ggml reads it, but no model can ask for such a tensor.
    Fix: write the file again with the tool that made it; no command can open this one.
    """
    numbers = np.flatnonzero(facts.tensors.name_start == facts.tensors.name_end).tolist()
    return (facts.tensor_place(i, "name", f"the name of tensor {i} is empty") for i in numbers)


@rule("tensors", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp, gguf-py")
def duplicate_tensor(facts: Facts) -> Iterator[Place]:
    """Two tensors have the same name.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    return (facts.tensor_place(i, "name", "the name is duplicated") for i in duplicates(facts.header.names).tolist())


@rule("tensors", "error", "ggml/docs/gguf.md#file-structure", refused_by="gguf-py", fixes=[RENAME])
def name_utf8(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is not UTF-8.

    Fix: rename the tensor.
    """
    return (facts.tensor_place(i, "name", "the name is not UTF-8") for i in not_utf8(facts.header.names))


@rule("tensors", "warning", "ggml/src/gguf.cpp", refused_by="llama.cpp")
def name_nul(facts: Facts) -> Iterator[Place]:
    """The name of a tensor contains a NUL.

    For a reader in C, the name ends at the NUL, so two tensors may get the same name.
    Fix: rename the tensor in Python, with `kaitai_gguf.edit(FILE)` and `editor.tensors.rename(TENSOR, NAME)`; a command
    line can't contain a NUL.
    """
    numbers = [number for number, name in enumerate(facts.header.names) if "\0" in name]
    return (facts.tensor_place(i, "name", "the name contains a NUL") for i in numbers)


@rule("tensors", "warning", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp", fixes=[RENAME])
def name_length(facts: Facts) -> Iterator[Place]:
    """The name of a tensor is longer than 63 bytes.

    The documentation allows 64 bytes; ggml has room for 63 and a terminating NUL. stable-diffusion.cpp is built with
    more room, and its files have longer names.
    Fix: rename the tensor, unless the reader is built for longer names.
    """
    lengths = facts.tensors.name_end - facts.tensors.name_start
    numbers = np.flatnonzero(lengths > LONGEST).tolist()
    message = f"bytes, expected at most {LONGEST}"
    return (facts.tensor_place(i, "name", f"the name has {lengths[i]:,} {message}") for i in numbers)


@rule("tensors", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp")
def dims_overflow(facts: Facts) -> Iterator[Place]:
    """The product of a tensor's dimensions, or its size in bytes, does not fit in 63 bits.

    This applies even if another dimension is 0. Products that wrapped around to a small number have made readers write
    past the end of their buffers. ggml counts bytes in 64 bits and allows a 0, so it reads some of these files.
    Fix: download the file again: it is damaged, or malicious. No command can open it.
    """
    for breach in layout_rules.overflows(facts.tensors):
        dims, type_id = facts.dims(breach.row), int(facts.tensors.type_id[breach.row])
        is_read = _ggml_counts(dims, type_id, facts.header.alignment or 1)
        yield facts.tensor_place(*breach)._replace(refused_by=() if is_read else HEADER)


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


@rule("tensors", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp, gguf-py")
def row_blocks(facts: Facts) -> Iterator[Place]:
    """The rows of a quantized tensor are not whole blocks.

    A row has `dims[0]` elements, and each row starts with a new block.
    Fix: quantize the original model again, and give this tensor a type with smaller blocks, or one that is not
    quantized. No command can open this file.
    """
    return (facts.tensor_place(*breach) for breach in layout_rules.partial_rows(facts.tensors))


@rule("tensors", "warning", "ggml/include/ggml.h", refused_by="ggml, llama.cpp, gguf-py")
def removed_type(facts: Facts) -> Iterator[Place]:
    """A tensor has a type that ggml has removed.

    Q4_2 and Q4_3 predate GGUF. Q4_0_4_4 and similar types were layouts for certain processors; llama.cpp now converts
    Q4_0 and IQ4_NL to these layouts when it loads a model.
    Fix: quantize the original model again.
    """
    return _of_types(facts, set(REMOVED_TYPES))


@rule("tensors", "warning", "ggml/include/ggml.h", refused_by="ggml, llama.cpp, gguf-py")
def unknown_type(facts: Facts) -> Iterator[Place]:
    """A tensor has an unknown type.

    Most releases of ggml add types: the file may be newer than this program. The size of the tensor is unknown, too.
    Fix: update the software. If no release knows the number, the file is damaged: download it again.
    """
    unknown = set(facts.tensors.type_id.tolist()) - set(BLOCKS) - set(REMOVED_TYPES)
    return _of_types(facts, unknown)


@rule("tensors", "warning", "ggml/include/ggml.h", refused_by="gguf-py")
def new_type(facts: Facts) -> Iterator[Place]:
    """A tensor has a type that ggml supports, but gguf-py 0.19 does not: Q2_0.

    Fix: use a later gguf-py.
    """
    return _of_types(facts, {GGMLType.Q2_0.value}, "type Q2_0 is unknown to gguf-py 0.19")


def _of_types(facts: Facts, type_ids: set[int], message: str | None = None) -> Iterator[Place]:
    for i in np.flatnonzero(np.isin(facts.tensors.type_id, sorted(type_ids))).tolist():
        yield facts.tensor_place(i, "type_id", f"its {message or why_unknown(int(facts.tensors.type_id[i]))}")


@rule("tensors", "note", "ggml/docs/gguf.md#file-structure")
def scalar_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor has no dimensions.

    Such a tensor has one element. ggml reads it as a tensor with one dimension of 1. gguf-py can't read it if its type
    is BF16.
    Fix: write the file again, with the tool that made it, with one dimension of 1; no command changes dimensions.
    """
    numbers = np.flatnonzero(facts.tensors.num_dims == 0).tolist()
    return (facts.tensor_place(i, "num_dims", "it has no dimensions") for i in numbers)


@rule("tensors", "note", "ggml/src/gguf.cpp", fixes=["copy FILE --tensors PATTERN --output FIXED"])
def empty_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor has a dimension of 0, and therefore no elements.

    ggml reads it, but few models need it.
    Fix: copy the file without the tensor, with a pattern that matches the names of all other tensors.
    """
    present = np.arange(facts.tensors.dims.shape[1]) < facts.tensors.num_dims[:, None]
    numbers = np.flatnonzero((present & (facts.tensors.dims == 0)).any(axis=1)).tolist()
    return (facts.tensor_place(i, "dims", f"{shown(facts.dims(i))} elements: it has none") for i in numbers)


def shown(dims: list[int]) -> str:
    return " × ".join(map(str, dims))


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml (with data), llama.cpp")
def offset_range(facts: Facts) -> Iterator[Place]:
    """The data of a tensor would be beyond the end of any file: 2^63 or more bytes from its start.

    ggml still reads the header if the rest is valid.
    Fix: download the file again: it is damaged, or malicious. No command can open it.
    """
    for breach in facts.breaches["offset-range"]:
        offset, size = facts.offsets[breach.row], facts.sizes[breach.row] or 0
        end = align(offset + size, facts.header.alignment or 1)
        is_read = offset == facts.expected[breach.row] and end < 1 << 64
        yield facts.tensor_place(*breach)._replace(refused_by=None if is_read else HEADER)


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp")
def offset_alignment(facts: Facts) -> Iterator[Place]:
    """The offset of a tensor is not a multiple of the alignment.

    Fix: write the file again with padding between the tensors; no command can open this one.
    """
    return (facts.tensor_place(*breach) for breach in facts.breaches["offset-alignment"])


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp")
def overlap(facts: Facts) -> Iterator[Place]:
    """The data of two tensors overlaps.

    Writing to one tensor would change both, and the tensors may claim far more data than the file has.
    Fix: download the file again, or convert the original model again: its offsets are damaged. No command can open it.
    """
    return (facts.tensor_place(*breach) for breach in facts.breaches["overlap"])


@rule("placement", "error", "ggml/include/ggml.h", refused_by="ggml, llama.cpp")
def fork_type(facts: Facts) -> Iterator[Place]:
    """A tensor type is that of a program that is forked from llama.cpp, and ggml has another type under its id.

    The offsets show this: each tensor of the type has exactly the space that the fork's blocks take. llama.cpp would
    read wrong numbers.
    Fix: load the file with that program, or download the file that was made for llama.cpp.
    """
    found = collision(facts.tensors, facts.header.sizes, facts.header.alignment or 1)
    if found is not None:
        row, fork, type_id = found
        message = f"type {type_id} is {type_name(type_id)} in ggml, but the offsets fit {fork}"
        yield facts.tensor_place(row, "type_id", message)


@rule("placement", "warning", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp", fixes=[COPY])
def contiguity(facts: Facts) -> Iterator[Place]:
    """A tensor does not start where the one before it ends.

    The documentation allows tensors in any order, with gaps between them. ggml expects the first tensor at offset 0,
    and each other tensor right after the one before it in the tensor infos, rounded up to the alignment.
    Fix: copy the file with all tensors one after the other.
    """
    for i, (offset, end) in enumerate(zip(facts.offsets, facts.expected, strict=False)):
        if end not in (offset, None) and facts.header.alignment is not None and i not in facts.misplaced:
            yield facts.tensor_place(i, "ofs_data", f"the offset is {offset}, and the tensors before it end at {end}")


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml (with data), llama.cpp, gguf-py")
def missing_data(facts: Facts) -> Iterator[Place]:
    """The file ends before the data of a tensor does.

    The download was interrupted, or the file contains only the header. ggml still reads the header, but no model can be
    loaded. There is one finding for all tensors.
    Fix: download the file again.
    """
    if facts.header.alignment is None:
        return
    start, nbytes = facts.header.data_offset, facts.source.nbytes
    out_of_range = {breach.row for breach in facts.breaches["offset-range"]}
    ends = [start + offset + (size or 0) for offset, size in zip(facts.offsets, facts.sizes, strict=True)]
    missing = [i for i, end in enumerate(ends) if end > nbytes and facts.sizes[i] and i not in out_of_range]
    if missing:
        lacking = max(ends[i] for i in missing) - nbytes
        first = quoted(facts.header.names[missing[0]])
        which = f"tensor {first}" if len(missing) == 1 else f"{len(missing):,} tensors, the first of them {first},"
        message = f"the data of {which} is incomplete: {lacking:,} bytes are missing at the end of the file"
        yield Place(f"/tensors/{missing[0]}/data", message, start + facts.offsets[missing[0]], len(missing))


@rule("placement", "warning", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp", fixes=[COPY])
def missing_padding(facts: Facts) -> Iterator[Place]:
    """The file has tensors, but ends before the tensor data starts.

    The header must be padded to the alignment, and ggml expects the padding even if no tensor has data.
    Fix: copy the file with all tensors, which writes the padding.
    """
    missing = facts.header.data_offset - facts.source.nbytes
    if facts.header.alignment is not None and facts.offsets and missing > 0:
        yield Place("/padding", f"{missing} bytes of padding after the header are missing", facts.source.nbytes)


@rule("placement", "warning", "ggml/src/gguf.cpp", refused_by="ggml (with data)", fixes=[COPY])
def end_padding(facts: Facts) -> Iterator[Place]:
    """The last tensor is not padded to the alignment.

    Writers pad it, and ggml needs the padding if it reads the tensor data along with the header. llama.cpp does not.
    Fix: copy the file with all tensors, which writes the padding.
    """
    end, nbytes = _end(facts), facts.source.nbytes
    if end is not None and end <= nbytes < (padded := align(end, facts.header.alignment or 1)):
        message = f"{padded - nbytes} bytes of padding after the last tensor are missing"
        yield Place("/padding", message, nbytes)


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", fixes=[COPY])
def header_padding(facts: Facts) -> Iterator[Place]:
    """The padding between the header and the tensor data is not zero.

    No reader looks at the padding, so it may hide data. It may also mean that positions are wrong.
    Fix: copy the file with all tensors, which writes zeros.
    """
    if facts.header.alignment is not None:
        first = first_nonzero(facts.source, facts.header.end, min(facts.header.data_offset, facts.source.nbytes))
        if first is not None:
            yield Place("/padding", "the padding after the header has bytes other than zero", first)


@rule("placement", "error", "ggml/docs/gguf.md#file-structure", fixes=[COPY])
def tensor_padding(facts: Facts) -> Iterator[Place]:
    """The padding after the data of a tensor is not zero.

    No reader looks at the padding, so it may hide data. It may also mean that sizes are wrong.
    Fix: copy the file with all tensors, which writes zeros.
    """
    alignment = facts.header.alignment
    if alignment is None or facts.misplaced:
        return
    for i, (offset, size) in enumerate(zip(facts.offsets, facts.sizes, strict=True)):
        if size and size % alignment:
            end = facts.header.data_offset + offset + size
            first = first_nonzero(facts.source, end, min(end + -(offset + size) % alignment, facts.source.nbytes))
            if first is not None:
                message = "the padding after its data has bytes other than zero"
                yield facts.tensor_place(i, "padding", message)._replace(offset=first)


@rule("placement", "note", "llama.cpp/src/llama-model-loader.cpp", fixes=[COPY, COPY_NONE])
def trailing_bytes(facts: Facts) -> Iterator[Place]:
    """There are bytes after the last tensor.

    Readers ignore these bytes, and the format does not give them a meaning.
    Fix: copy the file with all tensors, which drops these bytes. If the file has no tensors, use an empty pattern.
    """
    end, last = _end(facts), "tensor" if facts.offsets else "key-value"
    if end is not None and (padded := align(end, facts.header.alignment or 1)) < facts.source.nbytes:
        yield Place("/trailing", f"{facts.source.nbytes - padded:,} bytes follow the last {last}", padded)


def _end(facts: Facts) -> int | None:
    """Return where the data of the last tensor ends, or where it would start; None if that can't be known."""
    if facts.header.alignment is None or None in facts.sizes or facts.misplaced:
        return None
    ends = (offset + (size or 0) for offset, size in zip(facts.offsets, facts.sizes, strict=True))
    return facts.header.data_offset + max(ends, default=0)
