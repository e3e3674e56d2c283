"""Tensors: what the header says of each, and zero-copy views of its data.

Sizes are computed for all tensors at once, and checked by `layout_rules` before anything else is done with them.
"""

import sys
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kaitai_gguf import layout_rules
from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.errors import FormatError, MissingDataError, TensorDataError, TensorNotFound, UnknownTypeError
from kaitai_gguf.layout_rules import LIMIT, Breach, align
from kaitai_gguf.schema import Handle, Names, Pages
from kaitai_gguf.sources import Source
from kaitai_gguf.text import decode, name_bytes, quoted
from kaitai_gguf.types import (
    ByteOrder,
    GGMLType,
    as_native,
    block_dtype,
    block_size,
    is_native,
    is_quantized,
    plain_dtype,
    type_name,
    type_size,
    why_unknown,
)

__all__ = ["FileTensors", "Tensor", "Tensors"]

_TYPES = {type.value: type for type in GGMLType}


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
        BF16 in the byte order that isn't the machine's gives a read-only copy in that of the machine, since
        `ml_dtypes.bfloat16` has no other: `tolist()`, `sort()` and more would be wrong.

        Raises `UnknownTypeError` or `MissingDataError` if there is no such view, `ClosedError` if the
        file was closed. The view stays valid after that.
        """
        return as_native(self._stored())

    @property
    def blocks(self) -> np.ndarray[Any, np.dtype[Any]]:
        """A read-only view of the blocks, as a structured array of shape `(*shape[:-1], blocks_per_row)`.

        Its fields are those that `ggml_block.ksy` names, e.g. `blocks["d"]`. A copy where `data` is one. Raises as
        `data` does.
        """
        type = self._known_type()
        if not is_quantized(type) and not is_native(plain_dtype(type, self.byte_order)):
            return self.data.reshape(self.shape or (1,)).view(block_dtype(type, sys.byteorder))
        return self._blocks()

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
        data = self._stored()
        if prod(max(dim, 1) for dim in self.dims) * 8 >= LIMIT:  # only a tensor of nothing comes here
            shown = " × ".join(map(str, self.dims))
            raise TensorDataError(f"tensor {quoted(self.name)}: {shown} floats are more than an array can have")
        return dequantize(
            data, self._known_type(), dtype=dtype, out=out, threads=threads, rows=rows, byte_order=self.byte_order
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """`np.asarray(tensor)`: `data` where the type isn't quantized, `dequantize()` where it is."""
        if self.type is not None and is_quantized(self.type):
            if copy is False:
                raise ValueError(f"tensor {self.name!r}: {self.type_name} can't be had as numbers without a copy")
            return self.dequantize() if dtype is None else self.dequantize().astype(dtype, copy=False)
        if copy is False and not is_native(self._stored().dtype):
            says = f"{self.byte_order}-endian {self.type_name} is not available without a copy"
            raise ValueError(f"tensor {self.name!r}: {says}")
        return np.array(self.data, dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        """`torch.from_dlpack(tensor)`: the same array, read-only where it is the file.

        Raises BufferError for what numpy can't export: bfloat16, big-endian numbers, and read-only memory to a
        library that asks for a version of DLPack before 1.0.
        """
        return np.asarray(self).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return np.empty(0).__dlpack_device__()

    def __repr__(self) -> str:
        return f"<Tensor {self.name!r} {self.type_name} {self.shape}>"

    def _known_type(self) -> GGMLType:
        if self.type is None:
            raise UnknownTypeError(f"tensor {quoted(self.name)}: its {why_unknown(self.type_id)}")
        return self.type

    def _stored(self) -> np.ndarray[Any, np.dtype[Any]]:
        """`data`, but a view in the byte order of the file whatever the type. Raises as `data` does."""
        type = self._known_type()
        if not is_quantized(type):
            return self._view(self.shape, plain_dtype(type, self.byte_order))
        *outer, row = self.shape
        return self._view((*outer, row // block_size(type) * type_size(type)), np.dtype(np.uint8))

    def _blocks(self) -> np.ndarray[Any, np.dtype[Any]]:
        """`blocks`, but a view in the byte order of the file whatever the type. Raises as `data` does."""
        type = self._known_type()
        *outer, row = self.shape or (1,)
        return self._view((*outer, row // block_size(type)), block_dtype(type, self.byte_order))

    def place(self) -> tuple[Source, int, int]:
        """Where the data is: the bytes of the file, and the positions in them where it starts and ends.

        Raises as `data` does.
        """
        self._known_type()
        handle = self._handle
        start = self._data_offset + self.offset
        end = start + (self.nbytes or 0)
        source = handle.source
        nbytes = len(source.buffer)
        if start < end > nbytes:
            raise MissingDataError(
                f"tensor {quoted(self.name)}: its data is not in the file: bytes {start:#x} to "
                f"{end:#x} are wanted, and the file ends at {nbytes:#x}"
            )
        return source, start, end

    def _view(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, np.dtype[Any]]:
        source, start, end = self.place()
        if start == end:
            empty = np.empty(shape, dtype)
            empty.flags.writeable = False
            return empty
        return np.ndarray(shape, dtype, source.buffer, start)


class Tensors(Mapping[str, Tensor]):
    """The tensors of a model by name, in file order."""

    @property
    @abstractmethod
    def data_offset(self) -> int:
        """Where the tensor data starts, in bytes from the start of the file; of several files, in the first."""

    @property
    @abstractmethod
    def data_nbytes(self) -> int:
        """How many bytes of tensor data there should be, in all files, as far as types are known."""

    @abstractmethod
    def shard_of(self, name: str) -> int:
        """The number, from 0, of the file that has a tensor; `TensorNotFound` if none has."""

    def __repr__(self) -> str:
        return f"<Tensors: {len(self)}>"


class FileTensors(Tensors):
    """The tensors of one file. Raises `FormatError` if one can't be as it is said to be."""

    def __init__(self, handle: Handle, alignment: int) -> None:
        self._handle = handle
        reader = handle.reader
        self._byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self._data_offset = align(reader.end, alignment)
        self._count = reader.num_tensors
        self._pages = Pages(partial(_Page, handle), self._count)
        hashes = (reader.hashes(page.table.name_start, page.table.name_end) for page in self._pages)
        self._numbers = Names(hashes, self._count)
        self._check_names()
        self._data_nbytes = self._check_places(alignment)
        self._made: dict[str, Tensor] = {}

    def _check_names(self) -> None:
        empty = self._numbers.find(b"", self._name)
        repeated = self._numbers.repeated(self._name)
        wrong = [number for number in (empty, repeated) if number is not None]
        if wrong:
            number = min(wrong)
            page, row = self._pages.at(number)
            name = quoted(page.name(row))
            message = f"the name of tensor {number} is empty" if number == empty else f"the name {name} is there twice"
            raise page.error(Breach(row, "name", message))

    def _check_places(self, alignment: int) -> int:
        """Refuse impossible offsets, and overlaps. The end of the last tensor."""
        end, in_order = 0, True
        for page in self._pages:
            for breach in page.misplaced(alignment, self._data_offset):
                raise page.error(breach)
            ends = page.table.offset + page.nbytes
            in_order = in_order and end <= page.table.offset[0] and bool((ends[:-1] <= page.table.offset[1:]).all())
            end = max(end, int(ends.max()))
        if not in_order:
            offsets = np.concatenate([page.table.offset for page in self._pages])
            nbytes = np.concatenate([page.nbytes for page in self._pages])
            for breach in layout_rules.overlaps(offsets, nbytes, self._name):
                page, row = self._pages.at(breach.row)
                raise page.error(breach._replace(row=row))
        return end

    def misplaced(self, alignment: int, data_offset: int) -> Iterator[str]:
        """What is wrong with tensors that are to be in another file."""
        for page in self._pages:
            yield from map(page.message, page.misplaced(alignment, data_offset))

    @property
    def handle(self) -> Handle:
        """The file that they are in; for use in this package."""
        return self._handle

    @property
    def byte_order(self) -> ByteOrder:
        return self._byte_order

    @property
    def data_offset(self) -> int:
        return self._data_offset

    @property
    def data_nbytes(self) -> int:
        return self._data_nbytes

    def shard_of(self, name: str) -> int:
        if name not in self:
            raise TensorNotFound(f"no tensor {name!r} in the file")
        return 0

    def __getitem__(self, name: str) -> Tensor:
        self._handle.check()
        tensor = self._made.get(name)
        if tensor is not None:
            return tensor
        number = self._number(name)
        if number is None:
            raise TensorNotFound(f"no tensor {name!r} in the file")
        page, row = self._pages.at(number)
        name = decode(page.name(row))  # what was asked for may be another spelling of the same bytes
        if name not in self._made:
            table = page.table
            self._made[name] = Tensor(
                self._handle,
                self._byte_order,
                self._data_offset,
                name=name,
                dims=tuple(table.dims[row, : table.num_dims[row]].tolist()),
                type_id=int(table.type_id[row]),
                offset=int(table.offset[row]),
                nbytes=int(page.nbytes[row]),
            )
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        self._handle.check()
        return self._number(name) is not None

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        for page in self._pages:
            yield from self._handle.reader.texts(page.table.name_start, page.table.name_end)

    def __len__(self) -> int:
        return self._count

    def _number(self, name: object) -> int | None:
        raw = name_bytes(name)
        return None if raw is None else self._numbers.find(raw, self._name)

    def _name(self, number: int) -> bytes:
        page, row = self._pages.at(number)
        return page.name(row)


class _Page:
    """Some of the tensors: their infos, and `nbytes`, the size of each in bytes, 0 where the type is not known."""

    def __init__(self, handle: Handle, first: int, last: int) -> None:
        self._handle = handle
        self._first = first
        self.table = handle.reader.tensor_infos(first, last)
        for breach in layout_rules.overflows(self.table):
            raise self.error(breach)
        for breach in layout_rules.partial_rows(self.table):
            raise self.error(breach)
        self.nbytes = layout_rules.sizes(self.table)

    def name(self, row: Any) -> bytes:
        return bytes(self._handle.reader.buf[self.table.name_start[row] : self.table.name_end[row]])

    def misplaced(self, alignment: int, data_offset: int) -> Iterator[Breach]:
        """The tensors whose offsets are impossible, but for overlaps."""
        yield from layout_rules.out_of_range(self.table, self.nbytes, data_offset)
        yield from layout_rules.misaligned(self.table, alignment)

    def message(self, breach: Breach) -> str:
        return f"tensor {quoted(self.name(breach.row))}: {breach.message}"

    def error(self, breach: Breach) -> FormatError:
        position = int(self.table.position[breach.row])
        offset = self._handle.reader.field_position("tensor_info", position, breach.field)
        path = f"/tensors/{self._first + breach.row}/{breach.field}"
        return FormatError(self.message(breach), offset=offset, path=path)
