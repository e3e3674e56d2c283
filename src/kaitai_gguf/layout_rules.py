"""Every rule of the tensor layout, stated once: alignment, sizes, offsets, overlap.

Each rule is a function that returns what is wrong with one tensor, or None; writing and editing call it. A second
function yields the tensors of a table that break the rule: opening a file raises the first one, checking it lists all.

| rule | one tensor | a table |
|---|---|---|
| elements and bytes fit in 63 bits | `dims_overflow` | `overflows` |
| a row is made of whole blocks | `row_blocks` | `partial_rows` |
| the data ends below 2^63, the largest size of a file | `offset_range` | `out_of_range` |
| the offset is a multiple of the alignment | `offset_alignment` | `misaligned` |
| no byte belongs to two tensors | | `overlaps` |

Sizes are in bytes, offsets in bytes from the start of the tensor data.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.errors import Hint, WriteError
from kaitai_gguf.schema import BLOCKS, GGMLType, IntArray, TensorTable
from kaitai_gguf.text import quoted
from kaitai_gguf.types import ValueType, is_quantized, type_name

ALIGNMENT_KEY = "general.alignment"
DEFAULT_ALIGNMENT = 32
QUANTIZATION_VERSION = "general.quantization_version"
CURRENT_QUANTIZATION = 2  # ggml's version for as long as GGUF has existed

LIMIT = 1 << 63

MUCH_PADDING = 64 << 20  # bytes: enough to align thousands of tensors to the pages of a disk or a GPU

_MAX_TYPE = max(BLOCKS)  # the tables have one more row, for unknown types
_TYPE_SIZES = np.array([BLOCKS[i].size if i in BLOCKS else 0 for i in range(_MAX_TYPE + 2)], np.uint64)
_BLOCK_MASKS = np.array([BLOCKS[i].num_elements - 1 if i in BLOCKS else 0 for i in range(_MAX_TYPE + 2)], np.uint64)
_BLOCK_SHIFTS = np.bitwise_count(_BLOCK_MASKS).astype(np.uint64)  # the sizes of blocks are powers of two
_LARGEST_BLOCK = int(_TYPE_SIZES.max())


class Breach(NamedTuple):
    """One tensor that breaks a rule: its row in the table, the field that is wrong, and a message."""

    row: int
    field: str
    message: str


# Alignment


def align(position: int, alignment: int) -> int:
    """Return the first multiple of `alignment` that is not less than `position`. Both are in bytes."""
    return position + -position % alignment


def alignment_breach(type: ValueType, value: Any) -> tuple[str, str] | None:
    """Return which field of `general.alignment` is wrong, "value_type" or "value", and a message; None if it is valid.

    It must be a uint32. ggml accepts any power of two and nothing else; the format's documentation asks for a multiple
    of 8.
    """
    if type is not ValueType.UINT32:
        return "value_type", f"{ALIGNMENT_KEY} is of type {type}, expected uint32"
    alignment = int(value)
    if not 0 < alignment < 1 << 32 or alignment & (alignment - 1):
        return "value", f"{ALIGNMENT_KEY} is {alignment}, expected a power of two below 2^32"
    return None


def check_padding(padding: int, nbytes: int, *, alignment: int, allowed: bool) -> None:
    """Refuse to write far more padding than content: an alignment of 2^31 would turn a tiny file into gigabytes.

    padding  all padding to be added, in bytes.
    nbytes   header and data to be written, in bytes.
    allowed  whether the caller permits any amount.

    Raises `WriteError` for more than 64 MiB of padding that is also more than `nbytes`.
    """
    if not allowed and padding > max(MUCH_PADDING, nbytes):
        message = f"alignment {alignment} and offsets would add {padding} bytes of padding to {nbytes} bytes of header"
        raise WriteError(f"{message} and data; {Hint.ALLOW_PADDING}")


# Sizes


def count_nbytes(dims: Sequence[int], type_id: int) -> int:
    """Return the size of a tensor in bytes, however large; 0 if its type is unknown."""
    length, *outer = dims or [1]
    block = BLOCKS.get(type_id)
    return -(-length // block.num_elements) * prod(outer) * block.size if block else 0


def dims_overflow(dims: Sequence[int], type_id: int) -> str | None:
    """Return what is wrong if the elements or bytes don't fit in 63 bits. A dim of 0 does not excuse the others."""
    positive = [max(dim, 1) for dim in dims]
    if max(prod(positive), count_nbytes(positive, type_id)) < LIMIT:
        return None
    return f"{' × '.join(map(str, dims))} elements do not fit in 63 bits"


def row_blocks(dims: Sequence[int], type_id: int) -> str | None:
    """Return what is wrong if a row is not made of whole blocks."""
    length = dims[0] if dims else 1
    size = BLOCKS[type_id].num_elements if type_id in BLOCKS else 1
    if length % size == 0:
        return None
    return f"row length {length} is not a multiple of the {type_name(type_id)} block size {size}"


def overflows(table: TensorTable) -> Iterator[Breach]:
    """Yield the tensors that break `dims_overflow`."""
    largest = (int(table.dims[:, axis].max()) for axis in range(int(table.num_dims.max(initial=0))))
    if prod(max(dim, 1) for dim in largest) * _LARGEST_BLOCK < LIMIT:
        return
    most = np.maximum(table.dims, 1).prod(axis=1, dtype=np.float64) * _LARGEST_BLOCK  # far more than a tensor's bytes
    for row in np.flatnonzero(most >= LIMIT).tolist():
        message = dims_overflow(*_size_of(table, row))
        if message is not None:
            yield Breach(row, "dims", message)


def partial_rows(table: TensorTable) -> Iterator[Breach]:
    """Yield the tensors that break `row_blocks`."""
    rest = next(_axes(table)) & _BLOCK_MASKS.take(table.type_id, mode="clip")
    for row in np.flatnonzero(rest).tolist() if rest.any() else ():
        yield Breach(row, "dims", row_blocks(*_size_of(table, row)) or "")


def sizes(table: TensorTable) -> IntArray:
    """Return the sizes of all tensors in bytes, as uint64; 0 for unknown types.

    The sizes are right for tensors that break neither `dims_overflow` nor `row_blocks`.
    """
    length, *outer = _axes(table)
    nbytes: IntArray = length >> _BLOCK_SHIFTS.take(table.type_id, mode="clip")
    nbytes *= _TYPE_SIZES.take(table.type_id, mode="clip")
    for dims in outer:
        nbytes *= dims
    return nbytes


def _size_of(table: TensorTable, row: int) -> tuple[list[int], int]:
    return table.dims[row, : table.num_dims[row]].tolist(), int(table.type_id[row])


def _axes(table: TensorTable) -> Iterator[IntArray]:
    """Yield the dims of all tensors along each axis, at least one; 1 for tensors that don't have the axis."""
    if not table.dims.size:
        yield np.ones(len(table.position), np.uint64)
        return
    least = int(table.num_dims.min())
    for axis in range(max(int(table.num_dims.max()), 1)):
        dims = table.dims[:, axis]
        yield dims if axis < least else np.where(table.num_dims > axis, dims, np.uint64(1))


# Offsets


def offset_range(offset: int, nbytes: int, data_offset: int) -> str | None:
    """Return what is wrong if a tensor ends beyond the largest possible file."""
    end = offset + nbytes
    return f"its data ends at offset {end}, beyond the end of any file" if end >= LIMIT - data_offset else None


def offset_alignment(offset: int, alignment: int) -> str | None:
    """Return what is wrong if an offset is not aligned."""
    return f"offset {offset} is not a multiple of the alignment {alignment}" if offset % alignment else None


def out_of_range(table: TensorTable, nbytes: IntArray, data_offset: int) -> Iterator[Breach]:
    """Yield the tensors that break `offset_range`.

    `nbytes` has 2^64 - 1 for a size that doesn't fit in 64 bits.
    """
    limit = LIMIT - data_offset
    if int(table.offset.max(initial=0)) + int(nbytes.max(initial=0)) >= limit:
        for row in np.flatnonzero(nbytes >= limit - np.minimum(table.offset, np.uint64(limit))).tolist():
            message = offset_range(int(table.offset[row]), count_nbytes(*_size_of(table, row)), data_offset)
            yield Breach(row, "ofs_data", message or "")


def misaligned(table: TensorTable, alignment: int) -> Iterator[Breach]:
    """Yield the tensors that break `offset_alignment`."""
    if int(np.bitwise_or.reduce(table.offset)) % alignment:  # the alignment is a power of two
        for row in np.flatnonzero(table.offset % np.uint64(alignment)).tolist():
            yield Breach(row, "ofs_data", offset_alignment(int(table.offset[row]), alignment) or "")


def overlaps(offsets: IntArray, nbytes: IntArray, name_of: Callable[[int], str | bytes]) -> Iterator[Breach]:
    """Yield the tensors whose data starts inside another tensor's data, in order of their offsets.

    offsets, nbytes  uint64, one per tensor, in bytes.
    name_of          gives the name of the tensor in a row, for the message.
    """
    ends = offsets + nbytes
    if (ends >= offsets).all() and (ends[:-1] <= offsets[1:]).all():
        return  # they are in order, as in most files
    lasts = offsets + np.minimum(nbytes - np.uint64(1), ~offsets)  # the last byte of each, clipped to 64 bits
    order = np.flatnonzero(nbytes)
    order = order[np.argsort(offsets[order], kind="stable")]
    # If any tensors overlap, then two neighbours do.
    clashes = lasts[order][:-1] >= offsets[order][1:]
    if not clashes.any():
        return
    first = int(clashes.argmax())
    owner = int(order[first])
    for number in map(int, order[first + 1 :]):  # one at a time: there may be millions
        if offsets[number] <= lasts[owner]:
            end = int(lasts[owner]) + 1
            message = f"its data overlaps the data of tensor {quoted(name_of(owner))}, which ends at offset {end}"
            yield Breach(number, "ofs_data", message)
        if lasts[number] > lasts[owner]:
            owner = number


# The keys that the tensors need


def is_shard(get: Callable[[str], Any]) -> bool:
    """Return whether a file is one of several, by its `split.count`. In a merged file that may be 0 or 1.

    `get` returns the value of a key, or None.
    """
    return (_integer(get("split.count")) or 0) > 1


def is_later_shard(get: Callable[[str], Any]) -> bool:
    """Return whether a file is a shard other than the first, which has most keys. `get` is that of `is_shard`."""
    return is_shard(get) and bool(_integer(get("split.no")))


def _integer(value: Any) -> int | None:
    return int(value) if is_integer(value) else None


def lacks_quantization_version(get: Callable[[str], Any], type_ids: Iterable[int]) -> bool:
    """Return whether a file with tensors of these types must have `general.quantization_version`, and does not.

    `get` returns the value of a key, or None.
    """
    if get(QUANTIZATION_VERSION) is not None or is_later_shard(get):
        return False
    return any(is_quantized(GGMLType(type_id)) for type_id in set(type_ids) & set(BLOCKS))
