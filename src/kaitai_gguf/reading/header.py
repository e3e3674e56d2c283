"""`Header`: what a file says about itself, made from a buffer without any input or output.

Everything that looks at a file starts from its Header: opening, checking, explaining, comparing, editing.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Self

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.errors import FormatError
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, Breach, align
from kaitai_gguf.reading.arrays import Value, read_value
from kaitai_gguf.schema.expected import expected_end
from kaitai_gguf.schema.names import PAGE, NamedItems
from kaitai_gguf.schema.reader import ArrayInfo, KeyValueTable, Reader, TensorTable
from kaitai_gguf.schema.refusal import not_gguf, refusal
from kaitai_gguf.schema.scanner import DEFAULT, Buffer, IntArray, Scanner
from kaitai_gguf.text import name_bytes, quoted
from kaitai_gguf.types import ValueType

__all__ = ["Header", "KeyValue"]

_TOGETHER = 1 << 6  # tensors whose infos are converted to lists together


class KeyValue(NamedTuple):
    """The number of a key-value, and its row of a `KeyValueTable`."""

    number: int
    position: int
    key_start: int
    key_end: int
    value_type: int
    value: int
    end: int


class Header(Reader):
    """The header of one file: its key-values and tensor infos as columns, and where each field is.

    Positions are in bytes from the start of the file. A Header never changes, and keeps its buffer alive.
    """

    def __init__(self, buf: Buffer, scanner: Scanner = DEFAULT, *, nbytes: int | None = None) -> None:
        """Index the header. Raises `FormatError` if it can't be read to its end.

        `nbytes` is the size of the file; the buffer may have only the first part of it. Use `check` to find out
        whether keys, names and the layout of the tensors are valid.
        """
        super().__init__(buf, scanner)
        self.nbytes = len(buf) if nbytes is None else nbytes
        error = self._error()
        if error is not None:
            try:
                raise error
            finally:
                del error  # or this frame and the error keep each other, and the buffer, alive

    @classmethod
    def partial(cls, buf: Buffer, *, nbytes: int | None = None) -> tuple[Self, FormatError | None]:
        """Return a header that may be broken, and what is wrong with it.

        A broken one has the items up to and including the broken one, and `end` is the position of the wrong field.
        """
        header = cls.__new__(cls)
        Reader.__init__(header, buf)
        header.nbytes = len(buf) if nbytes is None else nbytes
        return header, header._error()

    def _error(self) -> FormatError | None:
        """Return why the header can't be read to its end."""
        if self.refused is None:
            return None
        expected = expected_end(self, self.refused) if self.nbytes > len(self.buf) else 0
        return not_gguf(self.buf) or refusal(self.refused, self.nbytes, expected)

    # Key-values

    @cached_property
    def key_items(self) -> "NamedItems[Reader, KeyValuePage]":
        """The key-values by name and by number."""
        return NamedItems(self, KeyValuePage, len(self.metadata))

    @property
    def key_values(self) -> KeyValueTable:
        """Positions and types of all key-values."""
        if len(self.metadata) > PAGE:  # would take too much memory to keep
            return self.read_key_values()
        return next((page.table for page in self.key_items.pages(self)), None) or self.read_key_values()

    @cached_property
    def keys(self) -> list[str]:
        """The keys, in file order."""
        table = self.key_values
        return self.texts(table.key_start, table.key_end)

    def key_value(self, key: str) -> KeyValue | None:
        """Return the first key-value with a key; None if there is none. O(1)."""
        raw = name_bytes(key)
        found = None if raw is None else self.key_items.find(self, raw)
        return None if found is None else found[0].item(found[1])

    def value(self, item: KeyValue) -> Value:
        """Return the value of a key-value: numbers as views of the buffer, strings of arrays decoded on demand."""
        return read_value(self, ValueType(item.value_type), item.value)

    def array_of(self, item: KeyValue) -> ArrayInfo | None:
        """Return the array that is the value of a key-value; None if it is not an array."""
        return self.array(item.value) if item.value_type == ValueType.ARRAY else None

    def get(self, key: str) -> Value | None:
        """Return the value of a key; None if it is missing."""
        item = self.key_value(key)
        return None if item is None else self.value(item)

    def text(self, key: str) -> str | None:
        """Return the value of a key if it is a string."""
        value = self.get(key)
        return value if isinstance(value, str) else None

    def integer(self, key: str) -> int | None:
        """Return the value of a key if it is an integer."""
        value = self.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    # Tensors

    @cached_property
    def tensor_items(self) -> "NamedItems[Reader, TensorPage]":
        """The tensors by name and by number."""
        return NamedItems(self, TensorPage, len(self.tensors))

    @property
    def tensor_infos(self) -> TensorTable:
        """The infos of all tensors."""
        if len(self.tensors) > PAGE:
            return self.read_tensor_infos()
        return next((page.table for page in self.tensor_items.pages(self)), None) or self.read_tensor_infos()

    @cached_property
    def names(self) -> list[str]:
        """The names of the tensors, in file order."""
        table = self.tensor_infos
        return self.texts(table.name_start, table.name_end)

    @property
    def sizes(self) -> IntArray:
        """The size of each tensor in bytes, as uint64: 0 for an unknown type. Wrong for dims that break a rule."""
        return layout_rules.sizes(self.tensor_infos)

    def tensor_rows(self) -> Iterator[tuple[str, int, tuple[int, ...], int, int, int]]:
        """Yield name, number of dims, padded dims, type, offset and size of each tensor, faster than one by one."""
        for page in self.tensor_items.pages(self):
            yield from page.rows(self)

    # Layout

    @cached_property
    def alignment_breach(self) -> tuple[str, str] | None:
        """Which field of `general.alignment` is wrong, "value_type" or "value", and a message; None if it is valid."""
        item = self.key_value(ALIGNMENT_KEY)
        return None if item is None else layout_rules.alignment_breach(ValueType(item.value_type), self.value(item))

    @cached_property
    def alignment(self) -> int | None:
        """The alignment of tensor data in bytes; None if it is not valid."""
        if self.key_value(ALIGNMENT_KEY) is None:
            return DEFAULT_ALIGNMENT
        return None if self.alignment_breach else self.integer(ALIGNMENT_KEY)

    @property
    def data_offset(self) -> int:
        """Where the tensor data starts; the end of the header if the alignment is not valid."""
        return align(self.end, self.alignment or 1)

    def check(self) -> None:
        """Raise the first `FormatError` of a file whose keys, names, alignment or layout of tensors are not valid."""
        error = next(self._breaches(), None)
        if error is not None:
            try:
                raise error
            finally:
                del error

    def _breaches(self) -> Iterator[FormatError]:
        invalid = self.key_items.invalid(self)
        if invalid is not None:
            item = invalid[0].item(invalid[1])
            key = self.buf[item.key_start : item.key_end]
            message = f"the key {quoted(key)} is duplicated" if key else f"the key of key-value {item.number} is empty"
            yield FormatError(message, offset=item.position, path=f"/metadata/{item.number}/key")
        if self.alignment_breach is not None:
            field, message = self.alignment_breach
            entry = self.key_value(ALIGNMENT_KEY)
            assert entry is not None
            path = f"/metadata/{entry.number}/{field}"
            yield FormatError(message, offset=self.position(path), path=path)
        misplaced: list[FormatError] = []
        offsets, sizes = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        for page in self.tensor_items.pages(self):
            for breach in (*layout_rules.overflows(page.table), *layout_rules.partial_rows(page.table)):
                yield self._tensor_error(page, breach)
            places = () if misplaced else page.misplaced(self.alignment or 1, self.data_offset)
            misplaced += [self._tensor_error(page, breach) for breach in islice(places, 1)]
            offsets.append(page.table.offset)
            sizes.append(page.nbytes)
        unnamed = self.tensor_items.invalid(self)
        if unnamed is not None:
            page, row = unnamed
            name = page.name(self, row)
            fault = (
                f"the name {quoted(name)} is duplicated" if name else f"the name of tensor {page.first + row} is empty"
            )
            yield self._tensor_error(page, Breach(row, "name", fault))
        yield from misplaced
        for breach in layout_rules.overlaps(np.concatenate(offsets), np.concatenate(sizes), self.name):
            page, row = self.tensor_items.at(self, breach.row)
            yield self._tensor_error(page, breach._replace(row=row))

    def name(self, number: int) -> bytes:
        """Return the bytes of the name of a tensor."""
        page, row = self.tensor_items.at(self, number)
        return page.name(self, row)

    @cached_property
    def data_nbytes(self) -> int:
        """Where the data of the last tensor ends, from the start of the tensor data."""
        ends = (int((page.table.offset + page.nbytes).max()) for page in self.tensor_items.pages(self))
        return max(ends, default=0)

    def misplaced(self, alignment: int, data_offset: int) -> Iterator[str]:
        """Yield a message for each tensor that would be misplaced in a file with this alignment and data offset."""
        for page in self.tensor_items.pages(self):
            for breach in page.misplaced(alignment, data_offset):
                yield f"tensor {quoted(page.name(self, breach.row))}: {breach.message}"

    def _tensor_error(self, page: "TensorPage", breach: Breach) -> FormatError:
        path = f"/tensors/{page.first + breach.row}/{breach.field}"
        message = f"tensor {quoted(page.name(self, breach.row))}: {breach.message}"
        return FormatError(message, offset=self.position(path), path=path)


class KeyValuePage:
    """Some of the key-values."""

    def __init__(self, reader: Reader, first: int, last: int) -> None:
        self.first = first
        self.table = reader.read_key_values(first, last)
        self.name_starts, self.name_ends = self.table.key_start.data, self.table.key_end.data

    def item(self, row: int) -> KeyValue:
        """Return one key-value."""
        return KeyValue(self.first + row, *(int(column[row]) for column in self.table))


class TensorPage:
    """Some of the tensors: their infos, and `nbytes`, the size of each in bytes: 0 for an unknown type."""

    def __init__(self, reader: Reader, first: int, last: int) -> None:
        self.first = first
        self.table = reader.read_tensor_infos(first, last)
        # One item of a memoryview is read faster than one of an array.
        self.name_starts, self.name_ends = self.table.name_start.data, self.table.name_end.data
        self.nbytes = layout_rules.sizes(self.table)
        self._dims, self._num_dims = self.table.dims.reshape(-1).data, self.table.num_dims.data
        self._numbers = self.table.type_id.data, self.table.offset.data, self.nbytes.data

    def name(self, reader: Reader, row: int) -> bytes:
        """Return the bytes of the name of one tensor."""
        return bytes(reader.buf[self.name_starts[row] : self.name_ends[row]])

    def info(self, row: int) -> tuple[tuple[int, ...], int, int, int]:
        """Return dims, type, offset and size of one tensor."""
        type_id, offset, nbytes = self._numbers
        first = row * self.table.dims.shape[1]
        dims = self._dims[first : first + self._num_dims[row]].tolist()
        return tuple(dims), type_id[row], offset[row], nbytes[row]

    def rows(self, reader: Reader) -> Iterator[tuple[str, int, tuple[int, ...], int, int, int]]:
        """Yield name, number of dims, padded dims, type, offset and size of each tensor.

        Many rows are converted to lists at a time: with numpy, the few numbers of one row take longer.
        """
        table = self.table
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
