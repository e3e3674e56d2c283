"""The tensors of a file as a mapping by name.

The sizes of all tensors are computed at once, and `layout_rules` checks them before they are used.
"""

from abc import abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import partial
from itertools import islice

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.errors import FormatError, TensorNotFound
from kaitai_gguf.layout_rules import Breach, align
from kaitai_gguf.reading.tensor import Tensor, tensor_table
from kaitai_gguf.schema import Handle, IntArray, NamedItems, TensorTable
from kaitai_gguf.text import decode, name_bytes, quoted
from kaitai_gguf.types import ByteOrder

__all__ = ["FileTensors", "Tensors"]

_TOGETHER = 1 << 6  # tensors whose infos are converted to lists together


class Tensors(Mapping[str, Tensor]):
    """The tensors of a model by name, in file order: a read-only mapping. `TensorNotFound` for an unknown name."""

    @property
    @abstractmethod
    def data_offset(self) -> int:
        """The position of the tensor data, in bytes from the start of the file; for several files, in the first."""

    @property
    @abstractmethod
    def data_nbytes(self) -> int:
        """The size that the tensor data of all files should have, in bytes. Tensors of unknown types count as empty."""

    @abstractmethod
    def shard_of(self, name: str) -> int:
        """Return the number, from 0, of the file that a tensor is in. Raises `TensorNotFound`."""

    @abstractmethod
    def _each(self) -> Iterator[Tensor]:
        """Yield the tensors in file order, faster than by looking up their names."""

    def values(self) -> ValuesView[Tensor]:
        return _Values(self)

    def items(self) -> ItemsView[str, Tensor]:
        return _Items(self)

    def __repr__(self) -> str:
        shown = ", ".join(quoted(name) for name in islice(self, 3))
        return f"<{len(self)} tensors: {shown}{', …' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        return tensor_table(self.values(), len(self))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class _Values(ValuesView[Tensor]):
    _mapping: Tensors

    def __iter__(self) -> Iterator[Tensor]:
        return self._mapping._each()


class _Items(ItemsView[str, Tensor]):
    _mapping: Tensors

    def __iter__(self) -> Iterator[tuple[str, Tensor]]:
        return ((tensor.name, tensor) for tensor in self._mapping._each())


class FileTensors(Tensors):
    """The tensors of one file. Raises `FormatError` if a name, size or offset is not valid."""

    def __init__(self, handle: Handle, alignment: int) -> None:
        self._handle = handle
        self._alignment = alignment
        reader = handle.reader
        self._byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self._data_offset = align(reader.end, alignment)
        self._count = reader.num_tensors
        self._items = NamedItems(partial(_Page, handle), self._count, reader.scanner, reader.buf)
        self._check_names()
        self._data_nbytes = self._check_places(alignment)
        self._made: dict[str, Tensor] = {}

    def _check_names(self) -> None:
        invalid = self._items.invalid(self._handle.reader.buf)
        if invalid is not None:
            page, row = invalid
            name = page.name(row)
            message = (
                f"the name {quoted(name)} is duplicated" if name else f"the name of tensor {page.first + row} is empty"
            )
            raise page.error(Breach(row, "name", message))

    def _check_places(self, alignment: int) -> int:
        """Refuse impossible offsets and overlaps, and return the end of the last tensor."""
        end, in_order = 0, True
        for page in self._items.pages():
            for breach in page.misplaced(alignment, self._data_offset):
                raise page.error(breach)
            ends = page.table.offset + page.nbytes
            in_order = in_order and end <= page.table.offset[0] and bool((ends[:-1] <= page.table.offset[1:]).all())
            end = max(end, int(ends.max()))
        if not in_order:
            offsets = np.concatenate([page.table.offset for page in self._items.pages()])
            nbytes = np.concatenate([page.nbytes for page in self._items.pages()])
            for breach in layout_rules.overlaps(offsets, nbytes, self._name):
                page, row = self._items.at(breach.row)
                raise page.error(breach._replace(row=row))
        return end

    def misplaced(self, alignment: int, data_offset: int) -> Iterator[str]:
        """Yield a message for each tensor that would be misplaced in a file with this alignment and data offset."""
        for page in self._items.pages():
            yield from map(page.message, page.misplaced(alignment, data_offset))

    def table(self) -> tuple[TensorTable, IntArray]:
        """Return the infos of all tensors, and the size of each in bytes: 0 for an unknown type."""
        self._handle.check()
        pages = list(self._items.pages())
        if len(pages) == 1:
            return pages[0].table, pages[0].nbytes
        table = self._handle.reader.tensor_infos()
        return table, layout_rules.sizes(table)

    def in_use(self) -> set[str]:
        """Return the names of the tensors whose data is shown by views that are still alive."""
        spans = self._handle.source.spans_in_use()
        return {each.name for each in self.values() if (each.position, each.position + (each.nbytes or 0)) in spans}

    def __reduce__(self) -> tuple[object, ...]:
        return FileTensors, (self._handle, self._alignment)

    @property
    def handle(self) -> Handle:
        """The open file. Internal to kaitai_gguf."""
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
        buf = self._handle.reader.buf
        tensor = self._made.get(name)
        if tensor is not None:
            return tensor
        raw = name_bytes(name)
        found = None if raw is None else self._items.find(raw, buf)
        if raw is None or found is None:
            raise TensorNotFound(f"no tensor {name!r} in the file")
        page, row = found
        name = decode(raw)  # `name` may be another spelling of these bytes
        new = Tensor(self._handle, self._byte_order, self._data_offset, name, *page.info(row))
        return self._made.setdefault(name, new)  # the same tensor each time

    def _each(self) -> Iterator[Tensor]:
        handle, byte_order, data_offset, made = self._handle, self._byte_order, self._data_offset, self._made
        handle.check()
        for page in self._items.pages():
            for name, num_dims, dims, type_id, offset, nbytes in page.infos():
                handle.check()
                tensor = made.get(name)
                if tensor is None:
                    new = Tensor(handle, byte_order, data_offset, name, dims[:num_dims], type_id, offset, nbytes)
                    tensor = made.setdefault(name, new)  # another thread may have been faster
                yield tensor

    def __contains__(self, name: object) -> bool:
        buf = self._handle.reader.buf
        raw = name_bytes(name)
        return raw is not None and self._items.find(raw, buf) is not None

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        for page in self._items.pages():
            yield from self._handle.reader.texts(page.table.name_start, page.table.name_end)

    def __len__(self) -> int:
        return self._count

    def _name(self, number: int) -> bytes:
        page, row = self._items.at(number)
        return page.name(row)


class _Page:
    """Some of the tensors: their infos, and `nbytes`, the size of each in bytes: 0 for an unknown type."""

    def __init__(self, handle: Handle, first: int, last: int) -> None:
        self._handle = handle
        self.first = first
        self.table = handle.reader.tensor_infos(first, last)
        # One item of a memoryview is read faster than one of an array.
        self.name_starts, self.name_ends = self.table.name_start.data, self.table.name_end.data
        for breach in layout_rules.overflows(self.table):
            raise self.error(breach)
        for breach in layout_rules.partial_rows(self.table):
            raise self.error(breach)
        self.nbytes = layout_rules.sizes(self.table)
        self._dims, self._num_dims = self.table.dims.reshape(-1).data, self.table.num_dims.data
        self._numbers = self.table.type_id.data, self.table.offset.data, self.nbytes.data

    def name(self, row: int) -> bytes:
        return bytes(self._handle.reader.buf[self.name_starts[row] : self.name_ends[row]])

    def info(self, row: int) -> tuple[tuple[int, ...], int, int, int]:
        """Return dims, type, offset and size of one tensor."""
        type_id, offset, nbytes = self._numbers
        first = row * self.table.dims.shape[1]
        dims = self._dims[first : first + self._num_dims[row]].tolist()
        return tuple(dims), type_id[row], offset[row], nbytes[row]

    def infos(self) -> Iterator[tuple[str, int, tuple[int, ...], int, int, int]]:
        """Yield name, number of dims, padded dims, type, offset and size of each tensor.

        Many rows are converted to lists at a time: with numpy, the few numbers of one row take longer.
        """
        table, reader = self.table, self._handle.reader
        columns = table.type_id, table.offset, self.nbytes
        for first in range(0, len(self.nbytes), _TOGETHER):
            rows = slice(first, first + _TOGETHER)
            names = reader.texts(table.name_start[rows], table.name_end[rows])
            num_dims, dims = table.num_dims[rows].tolist(), map(tuple, table.dims[rows].tolist())
            yield from zip(names, num_dims, dims, *(column[rows].tolist() for column in columns), strict=True)

    def misplaced(self, alignment: int, data_offset: int) -> Iterator[Breach]:
        """Yield the tensors with impossible offsets, apart from overlaps."""
        yield from layout_rules.out_of_range(self.table, self.nbytes, data_offset)
        yield from layout_rules.misaligned(self.table, alignment)

    def message(self, breach: Breach) -> str:
        return f"tensor {quoted(self.name(breach.row))}: {breach.message}"

    def error(self, breach: Breach) -> FormatError:
        position = int(self.table.position[breach.row])
        offset = self._handle.reader.field_position("tensor_info", position, breach.field)
        path = f"/tensors/{self.first + breach.row}/{breach.field}"
        return FormatError(self.message(breach), offset=offset, path=path)
