"""Read a header: it is indexed once, then items are read at their positions."""

import struct
from collections.abc import Callable, Iterable
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from kaitai_gguf_schema import index
from kaitai_gguf_schema.types import MAGIC, ValueType

from kaitai_gguf.errors import ClosedError, FormatError, GGUFError
from kaitai_gguf.schema.scanner import DEFAULT, Buffer, ByteOrder, IntArray, Refused, Scanner, texts

if TYPE_CHECKING:
    from kaitai_gguf.schema.fields import Fields

FEW = 16  # arrays, or elements of an array: fewer are not worth the overhead of numpy, more that of the index

_SIZES = np.array(
    [0 if type in (ValueType.STRING, ValueType.ARRAY) else np.dtype(type.name.lower()).itemsize for type in ValueType]
)
"""The bytes of a value by value type; 0 if it varies."""

T = TypeVar("T")
P = ParamSpec("P")


class KeyValueTable(NamedTuple):
    """Positions and types of key-values: one array element for each. Positions are from the start of the file."""

    position: IntArray
    key_start: IntArray
    key_end: IntArray
    value_type: IntArray
    value: IntArray  # where the value starts
    end: IntArray  # where the next key-value starts


class TensorTable(NamedTuple):
    """Tensor infos: one array element, or row of `dims`, for each."""

    position: IntArray
    name_start: IntArray
    name_end: IntArray
    num_dims: IntArray
    dims: IntArray  # uint64; rows are padded with zeros
    type_id: IntArray
    offset: IntArray  # uint64


class ArrayInfo(NamedTuple):
    """The start of an array."""

    element_type: ValueType
    num_elements: int
    elements: int  # where the first element starts


def _steady(method: "Callable[Concatenate[Reader, P], T]") -> "Callable[Concatenate[Reader, P], T]":
    """Raise a `FormatError` if a header that was valid when it was opened no longer is."""

    @wraps(method)
    def steady(self: "Reader", *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(self, *args, **kwargs)
        except Refused as refused:
            offset, path = refused.pos, refused.path
        except GGUFError:
            raise
        # Errors of numpy, struct and kaitaistruct for bytes that have changed.
        except (ValueError, TypeError, LookupError, ArithmeticError, EOFError, struct.error):
            if getattr(self.buf, "closed", False):  # another thread unmapped the file
                raise ClosedError("the file is closed") from None
            offset, path = 0, "/"
        raise FormatError("the file was changed while it was open", offset=offset, path=path)

    return steady  # type: ignore[return-value]  # as a method, it is never called with `self` as a keyword


class Reader:
    """Reads items of a header at the positions that the index has.

    `metadata` and `tensors` are the positions of the key-values and tensor infos, `end` is the end of the header. Of a
    header that the index refuses, they have the items up to and including the broken one, and `end` is the position of
    the wrong field.
    """

    def __init__(self, buf: Buffer, scanner: Scanner = DEFAULT) -> None:
        """Index as much as can be read: `refused` is the reason why the rest is missing, or None."""
        self.buf = buf
        self.scanner = scanner
        self.metadata = self.tensors = np.empty(0, np.int64)
        self.end = 0
        self.refused: Refused | None = None
        self._layout: Any = None
        if bytes(buf[: len(MAGIC)]) != MAGIC:
            self.refused = Refused(path="/magic")
            return
        try:
            self._layout = index.layout(self.buf)
            (self.metadata, self.tensors), self.end = self._index("gguf", 0)
        except Refused as refused:
            self.end = refused.pos
            if refused.found:
                self.metadata, self.tensors = (np.frombuffer(each, np.int64) for each in refused.found)
            self.refused = Refused(*refused.args)  # unlike the one that was raised, it does not refer to the buffer
            self.refused.found = refused.found

    @property
    def byte_order(self) -> ByteOrder:
        """The byte order of all numbers; "little" if the header breaks before it is known."""
        return "big" if self._layout is not None and self._layout.endian == ">" else "little"

    def _index(self, type: str, position: int, *args: int) -> tuple[tuple[IntArray, ...], int]:
        return self.scanner.index(self._layout, type, self.buf, position, *args)

    def _table(self, type: str, positions: IntArray) -> tuple[IntArray, ...]:
        return self.scanner.table(self._layout, type, self.buf, positions)

    def _row(self, type: str, position: int) -> tuple[int, ...]:
        """Return the fields of one item."""
        return tuple(int(column[0]) for column in self._table(type, np.array([position])))

    @property
    def version(self) -> int:
        version: int = self._layout.constants["version"]
        return version

    @cached_property
    @_steady
    def key_values(self) -> KeyValueTable:
        """Positions and types of all key-values."""
        after = self.tensors[:1] if len(self.tensors) else [self.end]
        ends = np.append(self.metadata[1:], after)[: len(self.metadata)]
        return KeyValueTable._make([self.metadata, *self._table("key_value", self.metadata), ends])

    @cached_property
    @_steady
    def tensor_infos(self) -> TensorTable:
        """The infos of all tensors."""
        *names, num_dims, dims, type_id, offset = self._table("tensor_info", self.tensors)
        count = len(self.tensors)
        rows = dims.view(np.uint64).reshape(count, dims.size // max(count, 1))
        return TensorTable._make([self.tensors, *names, num_dims, rows, type_id, offset.view(np.uint64)])

    @_steady
    def numbers(self, dtype: np.dtype[Any], count: int, position: int) -> IntArray:
        """Return a view of the numbers at a position."""
        return np.frombuffer(self.buf, dtype, count, position)

    def value_of(self, position: int) -> tuple[int, int]:
        """Return type and position of the value of the key-value at a position."""
        *_, value_type, value = self._row("key_value", position)
        return value_type, value

    def available_strings(self, info: ArrayInfo, count: int) -> tuple[IntArray, int]:
        """Return the starts of the strings in the buffer, of `count` in an array, and `Refused.needed` or 0."""
        try:
            (starts,), _ = self._index("string_elements", info.elements, count)
        except Refused as refused:  # not returned: its frames refer to the buffer
            found = refused.found[0] if refused.found else b""
            return np.frombuffer(found, np.int64), refused.needed
        return starts, 0

    @_steady
    def array(self, position: int) -> ArrayInfo:
        """Return the info of the array at a position."""
        element_type, num_elements, elements = self._row("gguf_array", position)
        return ArrayInfo(ValueType(element_type), num_elements, elements)

    @_steady
    def array_table(self, positions: IntArray) -> tuple[IntArray, ...]:
        """Return the infos of the arrays at the positions, one column for each field of `ArrayInfo`."""
        return self._table("gguf_array", positions)

    def arrays(self, positions: IntArray) -> list[ArrayInfo]:
        """Return the infos of the arrays at the positions."""
        columns = (column.tolist() for column in self.array_table(positions))
        return [ArrayInfo(ValueType(type), count, elements) for type, count, elements in zip(*columns, strict=True)]

    @_steady
    def items(self, info: ArrayInfo, count: int | None = None) -> tuple[IntArray, IntArray]:
        """Return the starts and ends of the strings (lengths included) or arrays in an array, or of the first `count`.

        This takes O(count).
        """
        type = "string_elements" if info.element_type is ValueType.STRING else "array_elements"
        (starts,), end = self._index(type, info.elements, info.num_elements if count is None else count)
        return starts, np.append(starts[1:], end)[: len(starts)]

    @_steady
    def numbers_at(self, dtype: "np.dtype[Any]", positions: IntArray) -> IntArray:
        """Return the numbers of a dtype that start at the positions."""
        places = positions[:, None] + np.arange(dtype.itemsize)
        numbers: IntArray = np.frombuffer(self.buf, np.uint8)[places].view(dtype)[:, 0]
        return numbers

    @_steady
    def element_starts(self, type: ValueType, elements: IntArray, counts: IntArray) -> IntArray:
        """Return the starts of the first strings or arrays in each of many arrays, one array after the other.

        elements  where the elements of each array start.
        counts    how many elements of each array to locate, at least 1. What is beyond the last is not read.
        """
        first = counts.cumsum() - counts
        starts = elements.repeat(counts)
        located = np.ones_like(counts)
        rows = np.flatnonzero(counts > 1)
        while len(rows) > FEW and (number := int(located[rows[0]])) < FEW:  # one element of all arrays at a time
            after, is_known = self._ends(type, starts[first[rows] + number - 1])
            rows = rows[is_known]
            starts[first[rows] + number] = after[is_known]
            located[rows] += 1
            rows = rows[counts[rows] > located[rows]]
        index = "string_elements" if type is ValueType.STRING else "array_elements"
        for row in np.flatnonzero(located < counts).tolist():
            last, end = int(first[row] + located[row] - 1), int(first[row] + counts[row])
            starts[last:end] = self._index(index, int(starts[last]), end - last)[0][0]
        return starts

    def _ends(self, type: ValueType, positions: IntArray) -> tuple[IntArray, IntArray]:
        """Return where the strings or arrays at the positions end, and for which of them that is known.

        It is unknown for arrays of strings or arrays, unless they are empty.
        """
        if type is ValueType.STRING:
            end = self._table("gguf_string", positions)[1]
            return end, np.ones(len(end), np.bool_)
        types, counts, elements = self._table("gguf_array", positions)
        sizes = _SIZES[types]
        return elements + counts * sizes, (sizes > 0) | (counts == 0)

    @_steady
    def string_span(self, position: int) -> tuple[int, int]:
        """Return start and end of the bytes of the string at a position."""
        start, end = self._row("gguf_string", position)
        return start, end

    @_steady
    def string(self, position: int) -> str:
        """Return the string at a position, decoded as UTF-8 with `surrogateescape`."""
        start, end = self._row("gguf_string", position)
        return str(self.buf[start:end], "utf-8", "surrogateescape")

    @_steady
    def raw(self, spans: Iterable[tuple[int, int]]) -> bytes:
        """Return the bytes between starts and ends, joined."""
        return b"".join([self.buf[start:end] for start, end in spans])

    @_steady
    def string_spans(self, positions: IntArray) -> tuple[IntArray, IntArray]:
        """Return the starts and ends of the bytes of the strings at the positions."""
        start, end = self._table("gguf_string", positions)
        return start, end

    def length_nbytes(self, info: ArrayInfo) -> int:
        """Return the size of the length before each string in an array, in bytes; 0 if the array is empty."""
        if not info.num_elements:
            return 0
        start, _ = self.string_span(info.elements)
        return start - info.elements  # lengths have the same size in all of a file

    @_steady
    def texts(self, starts: IntArray, ends: IntArray) -> list[str]:
        """Return the texts between starts and ends, decoded as UTF-8 with `surrogateescape`."""
        return texts(self.scanner, self.buf, starts, ends)

    @_steady
    def position(self, path: str) -> int:
        """Return where a field starts: `/version`, `/metadata/12/value_type`, `/tensors/0/name`.

        No value is read: the array in a key-value may have millions of elements.
        """
        *item, field = path.strip("/").split("/")
        if not item:
            body = self.fields.starts("gguf", 0, self.end)["body"]
            return self.fields.starts("gguf_body", body, self.end)[field]
        is_key_value = item[0] == "metadata"
        start = int((self.metadata if is_key_value else self.tensors)[int(item[1])])
        end = self._row("key_value", start)[-1] if is_key_value else self.end
        return self.fields.starts("key_value" if is_key_value else "tensor_info", start, end)[field]

    @property
    def fields(self) -> "Fields":
        """The positions of the fields of single items."""
        from kaitai_gguf.schema.fields import Fields  # opening a file does not need it

        return Fields(self.buf, self.version, self.byte_order)
