"""`Header`: what a file says about itself, made from a buffer without any input or output.

Everything that looks at a file starts from its Header: opening, checking, explaining, comparing, editing.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

from kaitai_gguf import layout_rules
from kaitai_gguf.arguments import is_integer
from kaitai_gguf.errors import FormatError
from kaitai_gguf.forks import collision
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, Breach, align
from kaitai_gguf.reading.arrays import Value, read_value
from kaitai_gguf.schema.expected import expected_end
from kaitai_gguf.schema.names import Names
from kaitai_gguf.schema.reader import ArrayInfo, Reader
from kaitai_gguf.schema.refusal import not_gguf, refusal
from kaitai_gguf.schema.scanner import DEFAULT, Buffer, IntArray, Scanner
from kaitai_gguf.text import name_bytes, quoted
from kaitai_gguf.types import ValueType, type_name

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
        _raise(self._error())

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
    def _key_names(self) -> Names:
        table = self.key_values
        return Names(self.scanner, self.buf, table.key_start, table.key_end)

    @cached_property
    def keys(self) -> list[str]:
        """The keys, in file order."""
        table = self.key_values
        return self.texts(table.key_start, table.key_end)

    def key_number(self, key: object) -> int | None:
        """Return the number of the first key-value with a key; None if there is none. O(1)."""
        raw = name_bytes(key)
        return None if raw is None else self._key_names.find(self.buf, raw)

    def key_value(self, key: str) -> KeyValue | None:
        """Return the first key-value with a key; None if there is none. O(1)."""
        number = self.key_number(key)
        return None if number is None else KeyValue(number, *(column.item(number) for column in self.key_values))

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
        return value if is_integer(value) else None

    # Tensors

    @cached_property
    def _tensor_names(self) -> Names:
        table = self.tensor_infos
        return Names(self.scanner, self.buf, table.name_start, table.name_end)

    @cached_property
    def names(self) -> list[str]:
        """The names of the tensors, in file order."""
        table = self.tensor_infos
        return self.texts(table.name_start, table.name_end)

    def tensor_number(self, name: object) -> int | None:
        """Return the number of the first tensor with a name; None if there is none. O(1)."""
        raw = name_bytes(name)
        return None if raw is None else self._tensor_names.find(self.buf, raw)

    @cached_property
    def _columns(self) -> tuple[int, tuple[memoryview, ...]]:
        """The length of a row of dims, and columns as memoryviews, whose items are read faster than those of arrays."""
        table = self.tensor_infos
        columns = table.dims.reshape(-1), table.num_dims, table.type_id, table.offset, self.sizes
        return table.dims.shape[1], tuple(column.data for column in columns)

    def tensor_info(self, number: int) -> tuple[tuple[int, ...], int, int, int]:
        """Return dims, type, offset and size of one tensor."""
        width, (dims, num_dims, type_ids, offsets, sizes) = self._columns
        first = number * width
        return tuple(dims[first : first + num_dims[number]]), type_ids[number], offsets[number], sizes[number]

    @cached_property
    def sizes(self) -> IntArray:
        """The size of each tensor in bytes, as uint64: 0 for an unknown type. Wrong for dims that break a rule."""
        return layout_rules.sizes(self.tensor_infos)

    def tensor_rows(self) -> Iterator[tuple[str, int, tuple[int, ...], int, int, int]]:
        """Yield name, number of dims, padded dims, type, offset and size of each tensor.

        Many rows are converted to lists at a time: with numpy, the few numbers of one row take longer.
        """
        table = self.tensor_infos
        columns = table.type_id, table.offset, self.sizes
        for first in range(0, len(self.sizes), _TOGETHER):
            rows = slice(first, first + _TOGETHER)
            names = self.texts(table.name_start[rows], table.name_end[rows])
            num_dims, dims = table.num_dims[rows].tolist(), map(tuple, table.dims[rows].tolist())
            yield from zip(names, num_dims, dims, *(column[rows].tolist() for column in columns), strict=True)

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

    @cached_property
    def data_offset(self) -> int:
        """Where the tensor data starts; the end of the header if the alignment is not valid."""
        return align(self.end, self.alignment or 1)

    @cached_property
    def data_nbytes(self) -> int:
        """Where the data of the last tensor ends, from the start of the tensor data."""
        return int((self.tensor_infos.offset + self.sizes).max(initial=0))

    def check(self) -> None:
        """Raise the first `FormatError` of a file whose keys, names, alignment or layout of tensors are not valid."""
        _raise(next(self._breaches(), None))

    def _breaches(self) -> Iterator[FormatError]:
        number = self._key_names.invalid(self.buf)
        if number is not None:
            key = self._key_names.name(self.buf, number)
            message = f"the key {quoted(key)} is duplicated" if key else f"the key of key-value {number} is empty"
            yield self._error_at(f"/metadata/{number}/key", message, int(self.metadata[number]))
        if self.alignment_breach is not None:
            field, message = self.alignment_breach
            yield self._error_at(f"/metadata/{self.key_number(ALIGNMENT_KEY)}/{field}", message)
        table = self.tensor_infos
        breaches = chain(layout_rules.overflows(table), layout_rules.partial_rows(table), self._invalid_name())
        placement = self._misplaced(self.alignment or 1, self.data_offset)
        for row, field, message in chain(breaches, placement, self._overlaps()):
            yield self._error_at(f"/tensors/{row}/{field}", self._about(row, message))

    def _overlaps(self) -> Iterator[Breach]:
        for breach in layout_rules.overlaps(self.tensor_infos.offset, self.sizes, self.name):
            found = collision(self.tensor_infos, self.sizes, self.alignment or 1)
            reason = f". The offsets fit {found[1]}, which has the same id as {type_name(found[2])}" if found else ""
            yield breach._replace(message=breach.message + reason)

    def _invalid_name(self) -> Iterator[Breach]:
        number = self._tensor_names.invalid(self.buf)
        if number is not None:
            name = self.name(number)
            reason = f"the name {quoted(name)} is duplicated" if name else f"the name of tensor {number} is empty"
            yield Breach(number, "name", reason)

    def _misplaced(self, alignment: int, data_offset: int) -> Iterator[Breach]:
        """Yield the tensors with impossible offsets, apart from overlaps."""
        yield from layout_rules.out_of_range(self.tensor_infos, self.sizes, data_offset)
        yield from layout_rules.misaligned(self.tensor_infos, alignment)

    def name(self, number: int) -> bytes:
        """Return the bytes of the name of a tensor."""
        return self._tensor_names.name(self.buf, number)

    def _about(self, number: int, message: str) -> str:
        return f"tensor {quoted(self.name(number))}: {message}"

    def _error_at(self, path: str, message: str, offset: int | None = None) -> FormatError:
        return FormatError(message, offset=self.position(path) if offset is None else offset, path=path)


def misplaced_tensors(header: Header, alignment: int, data_offset: int) -> Iterator[str]:
    """Yield a message for each tensor that would be misplaced in a file with this alignment and data offset."""
    return (header._about(each.row, each.message) for each in header._misplaced(alignment, data_offset))


def _raise(error: FormatError | None) -> None:
    """Raise an error. Without `del`, the frame and the error would keep each other, and the buffer, alive."""
    try:
        if error is not None:
            raise error
    finally:
        del error
