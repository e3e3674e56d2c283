"""Tensors: what the header says of each, and zero-copy views of its data.

Sizes are computed for all tensors at once, and checked before anything else is done with them: rows
are whole blocks, nothing overflows 63 bits, offsets are aligned, and no two tensors overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from kaitai_gguf.align import align
from kaitai_gguf.arrays import decode
from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.errors import FormatError, MissingDataError, TensorNotFound, UnknownTypeError
from kaitai_gguf.schema import BLOCKS, REMOVED_TYPES, Handle, IntArray, Reader, TensorTable
from kaitai_gguf.types import (
    ByteOrder,
    GGMLType,
    block_dtype,
    block_size,
    is_quantized,
    plain_dtype,
    type_name,
    type_size,
)

if TYPE_CHECKING:  # numpy.typing takes longer to import than all of this package
    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = ["Tensor", "Tensors"]

LIMIT = 1 << 63  # sizes and positions have to fit a signed 64-bit integer

_TYPES = {type.value: type for type in GGMLType}
_MAX_TYPE = max(BLOCKS)
_BLOCK_SIZES = np.array([BLOCKS[i].num_elements if i in BLOCKS else 1 for i in range(_MAX_TYPE + 2)], np.int64)
_TYPE_SIZES = np.array([BLOCKS[i].size if i in BLOCKS else 0 for i in range(_MAX_TYPE + 2)], np.int64)
_LARGEST_BLOCK = int(_TYPE_SIZES.max())


class Tensor:
    """One tensor of a file. Cheap to make: its data is not touched before `data` or `blocks` is."""

    __slots__ = ("_data_offset", "_handle", "byte_order", "dims", "name", "nbytes", "offset", "type", "type_id")

    def __init__(
        self,
        handle: Handle,
        byte_order: ByteOrder,
        data_offset: int,
        *,
        name: str,
        dims: tuple[int, ...],
        type_id: int,
        offset: int,
        nbytes: int,
    ) -> None:
        self._handle = handle
        self._data_offset = data_offset
        self.byte_order: ByteOrder = byte_order
        self.name = name
        self.dims = dims
        """ggml order: `dims[0]` is the length of a row, the fastest-moving one."""
        self.type_id = type_id
        self.type = _TYPES.get(type_id)
        """None if the type is not known; `type_id` always is its number."""
        self.offset = offset
        """In bytes, from the start of the tensor data."""
        self.nbytes = nbytes if self.type is not None else None
        """The size of the data in bytes; None if the type is not known."""

    @property
    def shape(self) -> tuple[int, ...]:
        """numpy order: the reverse of `dims`."""
        return self.dims[::-1]

    @property
    def type_name(self) -> str:
        """ggml's name of the type, also of one that it has removed; `type 77` if it is unknown."""
        return type_name(self.type_id)

    @property
    def n_elements(self) -> int:
        return prod(self.dims)

    @property
    def position(self) -> int:
        """Where the data starts, in bytes from the start of the file."""
        return self._data_offset + self.offset

    @property
    def data(self) -> np.ndarray[Any, np.dtype[Any]]:
        """A read-only view of the data, in the byte order of the file.

        A type that isn't quantized gives an array of its elements of shape `shape` (BF16 as
        `ml_dtypes.bfloat16`), a quantized type uint8 rows of blocks of shape `(*shape[:-1], row_bytes)`.
        Raises `UnknownTypeError` or `MissingDataError` if there is no such view, `ClosedError` if the
        file was closed. The view stays valid after that.
        """
        type = self._known_type()
        if not is_quantized(type):
            return self._view(self.shape, plain_dtype(type, self.byte_order))
        *outer, row = self.shape
        return self._view((*outer, row // block_size(type) * type_size(type)), np.dtype(np.uint8))

    @property
    def blocks(self) -> np.ndarray[Any, np.dtype[Any]]:
        """A read-only view of the blocks, as a structured array of shape `(*shape[:-1], blocks_per_row)`.

        Its fields are those that `ggml_block.ksy` names, e.g. `blocks["d"]`. Raises as `data` does.
        """
        type = self._known_type()
        *outer, row = self.shape or (1,)
        return self._view((*outer, row // block_size(type)), block_dtype(type, self.byte_order))

    def dequantize(
        self,
        dtype: DTypeLike = np.float32,
        out: NDArray[Any] | None = None,
        threads: int | None = None,
        rows: slice | ArrayLike | None = None,
    ) -> NDArray[Any]:
        """The values, as a new float array of shape `shape`; any type that isn't quantized is converted.

        `dtype` is float32, float16, float64 or bfloat16, `out` an array to fill instead. `rows` takes a slice or
        an array of row indices, counted through all axes but the last: the result then is `(rows, shape[-1])`, and
        nothing else is read. `threads` is how many may work (None: by size, at most 4). Raises as `data` does.
        """
        return dequantize(
            self.data, self._known_type(), dtype=dtype, out=out, threads=threads, rows=rows, byte_order=self.byte_order
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """`np.asarray(tensor)`: `data` where the type isn't quantized, `dequantize()` where it is."""
        if self.type is not None and is_quantized(self.type):
            if copy is False:
                raise ValueError(f"tensor {self.name!r}: {self.type_name} can't be had as numbers without a copy")
            return self.dequantize() if dtype is None else self.dequantize().astype(dtype, copy=False)
        return np.array(self.data, dtype, copy=copy)

    def __repr__(self) -> str:
        return f"<Tensor {self.name!r} {self.type_name} {self.shape}>"

    def _known_type(self) -> GGMLType:
        if self.type is None:
            removed = REMOVED_TYPES.get(self.type_id)
            raise UnknownTypeError(
                f"tensor {self.name!r}: its type {self.type_id} "
                + (f"is {removed}, which ggml has removed" if removed else "is not known to this version")
            )
        return self.type

    def _view(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, np.dtype[Any]]:
        buf = self._handle.reader.buf
        start = self._data_offset + self.offset
        end = start + (self.nbytes or 0)
        if start == end:
            empty = np.empty(shape, dtype)
            empty.flags.writeable = False
            return empty
        if end > len(buf):
            raise MissingDataError(
                f"tensor {self.name!r}: its data is not in the file: bytes {start:#x} to "
                f"{end:#x} are wanted, and the file ends at {len(buf):#x}"
            )
        return np.ndarray(shape, dtype, buf, start)


class Tensors(Mapping[str, Tensor]):
    """The tensors of a file by name, in file order. Raises `FormatError` if one can't be as it is said to be."""

    def __init__(self, handle: Handle, alignment: int) -> None:
        self._handle = handle
        reader = handle.reader
        self._byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self._data_offset = align(reader.end, alignment)
        table = reader.tensor_infos()
        self._numbers = _numbers_by_name(reader, table)
        self._nbytes = _checked_sizes(reader, table, alignment)
        self._num_dims = table.num_dims
        self._dims = table.dims
        self._type_ids = table.type_id
        self._offsets = table.offset
        self._made: dict[str, Tensor] = {}

    @property
    def data_offset(self) -> int:
        """Where the tensor data starts, in bytes from the start of the file."""
        return self._data_offset

    @property
    def data_nbytes(self) -> int:
        """How many bytes of tensor data there should be, as far as types are known."""
        ends = self._offsets.astype(np.int64) + self._nbytes
        return int(ends.max(initial=0))

    def __getitem__(self, name: str) -> Tensor:
        self._handle.check()
        if name not in self._made:
            try:
                number = self._numbers[name]
            except KeyError:
                raise TensorNotFound(f"no tensor {name!r} in the file") from None
            self._made[name] = Tensor(
                self._handle,
                self._byte_order,
                self._data_offset,
                name=name,
                dims=tuple(self._dims[number, : self._num_dims[number]].tolist()),
                type_id=int(self._type_ids[number]),
                offset=int(self._offsets[number]),
                nbytes=int(self._nbytes[number]),
            )
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        self._handle.check()
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"<Tensors: {len(self)}>"


def _numbers_by_name(reader: Reader, table: TensorTable) -> dict[str, int]:
    """Which tensor has which name; refuses names that are empty or there twice."""
    numbers = reader.numbered(table.name_start, table.name_end)
    if len(numbers) == len(table.position) and "" not in numbers:
        return numbers
    seen: set[str] = set()
    for number, name in enumerate(reader.texts(table.name_start, table.name_end)):
        if not name or name in seen:
            says = f"the name {name!r} is there twice" if name else f"the name of tensor {number} is empty"
            raise _error(reader, table, number, "name", says)
        seen.add(name)
    raise AssertionError("a name is empty or there twice")


def _checked_sizes(reader: Reader, table: TensorTable, alignment: int) -> IntArray:
    """The size of each tensor in bytes, 0 where the type is not known."""
    if not len(table.position):
        return np.zeros(0, np.int64)
    _check_products(reader, table)
    types = np.minimum(table.type_id, _MAX_TYPE + 1).astype(np.int64)
    row, *outer = _dims(table)
    nbytes, rest = np.divmod(row, _BLOCK_SIZES[types])
    if rest.any():
        number = np.flatnonzero(rest)[0]
        type = GGMLType(int(types[number]))
        says = f"a row of {row[number]} elements is not a multiple of {type.name}'s block of {block_size(type)}"
        raise _error(reader, table, number, "dims", says)
    nbytes *= _TYPE_SIZES[types]
    for dim in outer:
        nbytes *= dim
    _check_offsets(reader, table, nbytes, alignment)
    return nbytes


def _dims(table: TensorTable) -> list[IntArray]:
    """For each axis the dims of all tensors, 1 for those that don't have it."""
    axes = table.dims.astype(np.int64, order="F").T
    return [np.where(table.num_dims > axis, dims, 1) for axis, dims in enumerate(axes)] or [
        np.ones_like(table.num_dims)
    ]


def _check_products(reader: Reader, table: TensorTable) -> None:
    """Refuses dims that can't be multiplied: numpy would wrap around. A dim of 0 does not make the others possible."""
    if prod(max(dim, 1) for dim in table.dims.max(axis=0).tolist()) * _LARGEST_BLOCK < LIMIT:
        return
    for number, dims in enumerate(table.dims.tolist()):
        row, *outer = [max(dim, 1) for dim in dims]
        block = BLOCKS.get(int(table.type_id[number]))
        nbytes = -(-row // block.num_elements) * prod(outer) * block.size if block else 0
        if max(row, *outer, row * prod(outer), nbytes) >= LIMIT:
            shown = " × ".join(map(str, dims[: table.num_dims[number]]))
            raise _error(reader, table, number, "dims", f"{shown} elements are more than 63 bits can count")


def _check_offsets(reader: Reader, table: TensorTable, nbytes: IntArray, alignment: int) -> None:
    offsets = table.offset
    limit = LIMIT - align(reader.end, alignment)
    if int(offsets.max()) + int(nbytes.max()) >= limit:
        for number, (offset, size) in enumerate(zip(offsets.tolist(), nbytes.tolist(), strict=True)):
            if offset + size >= limit:
                raise _error(reader, table, number, "ofs_data", f"the offset {offset} is more than a file can have")
    if int(np.bitwise_or.reduce(offsets)) % alignment:  # which is a power of two
        number = np.flatnonzero(offsets % np.uint64(alignment))[0]
        says = f"the offset {offsets[number]} is not a multiple of the alignment, {alignment}"
        raise _error(reader, table, number, "ofs_data", says)
    starts = offsets.astype(np.int64)
    ends = starts + nbytes
    if not (ends[:-1] <= starts[1:]).all():
        _check_overlaps(reader, table, starts, ends)


def _check_overlaps(reader: Reader, table: TensorTable, starts: IntArray, ends: IntArray) -> None:
    """Refuses tensors, in any order, of which two have a byte in common."""
    order = np.flatnonzero(ends > starts)
    order = order[np.argsort(starts[order], kind="stable")]
    for earlier in np.flatnonzero(ends[order][:-1] > starts[order][1:])[:1]:
        one, other = order[earlier], order[earlier + 1]
        says = f"its data overlaps that of tensor {_name(reader, table, one)!r}, which ends at offset {ends[one]}"
        raise _error(reader, table, other, "ofs_data", says)


def _error(reader: Reader, table: TensorTable, number: Any, field: str, says: str) -> FormatError:
    offset = reader.field_position("tensor_info", int(table.position[number]), field)
    return FormatError(
        f"tensor {_name(reader, table, number)!r}: {says}", offset=offset, path=f"/tensors/{number}/{field}"
    )


def _name(reader: Reader, table: TensorTable, number: Any) -> str:
    return decode(reader.buf[int(table.name_start[number]) : int(table.name_end[number])])
