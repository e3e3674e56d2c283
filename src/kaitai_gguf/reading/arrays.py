"""Array values: numbers as numpy views, strings and nested arrays as sequences that decode on demand."""

import operator
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, NoReturn, Self, TypeVar, overload

import numpy as np

from kaitai_gguf.schema import ArrayInfo, Buffer, IntArray, Reader, ValueType
from kaitai_gguf.text import decode
from kaitai_gguf.types import value_dtype

__all__ = [
    "ArrayValue",
    "LazyArray",
    "NestedArray",
    "StringArray",
    "Value",
    "equal_values",
    "numbers",
    "read_array",
    "read_value",
]

CHUNK = 4096  # items decoded at a time while iterating

T = TypeVar("T")
Spans = tuple[IntArray, IntArray]

_NONE: Spans = (np.empty(0, np.int64), np.empty(0, np.int64))


def _memory(spans: Spans) -> tuple[memoryview, memoryview]:
    """Return starts and ends as memoryviews, whose items are Python integers."""
    starts, ends = spans
    return starts.data, ends.data


class LazyArray(Sequence[T], Generic[T]):
    """The items of an array in a file, as a read-only sequence.

    Items are decoded on demand. The first access to an item finds the positions of the items before it, in O(n); each
    access after that is O(1). A slice is a sequence of the same class. The sequence stays valid after the file is
    closed.
    """

    element_type: ValueType
    """The type of the items."""

    def __init__(self, reader: Reader, info: ArrayInfo, selected: Spans | None = None) -> None:
        self._reader = reader
        self._info = info
        self._count = info.num_elements if selected is None else len(selected[0])
        self._known = selected or _NONE

    def _first(self, count: int) -> Spans:
        """Return the starts and the ends of the first `count` items, or of more."""
        if len(self._known[0]) < count:
            self._known = self._reader.items(self._info, min(2 * count, self._count))
        return self._known

    @abstractmethod
    def _item(self, index: int) -> T: ...

    @abstractmethod
    def _values(self) -> list[T]: ...

    def _checked(self, index: int) -> int:
        """Return the index, counted from the start. Raises `IndexError` if it is out of range."""
        number = operator.index(index)
        if number < 0:
            number += self._count
        if not 0 <= number < self._count:
            raise IndexError(f"index {index} is out of range for an array of {self._count} items")
        return number

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> T | Self:
        if isinstance(index, slice):
            starts, ends = self._first(self._count)
            return type(self)(self._reader, self._info, (starts[index], ends[index]))
        return self._item(self._checked(index))

    def __iter__(self) -> Iterator[T]:
        for start in range(0, len(self), CHUNK):
            yield from self[start : start + CHUNK]._values()

    def tobytes(self) -> bytes:
        """Return the bytes of the items as they are in the file, lengths included."""
        buf, spans = self._reader.buf, self._first(self._count)
        return b"".join([buf[start:end] for start, end in zip(*(each.tolist() for each in spans), strict=True)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(
            equal_values(mine, theirs) for mine, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} can't be copied or pickled: tolist() returns a list, which can")

    def __repr__(self) -> str:
        shown = ", ".join(repr(item) for item in self[:3])
        return f"<{type(self).__name__} of {len(self)}: [{shown}{', …' if len(self) > 3 else ''}]>"


class StringArray(LazyArray[str]):
    """An array of strings, decoded as UTF-8 with `surrogateescape`. `raw(i)` returns the bytes of one."""

    element_type = ValueType.STRING

    _texts = _memory(_NONE)
    """The result of `_text_spans`."""

    def _text_spans(self, count: int) -> Spans:
        """Return the starts and the ends of the bytes of the first `count` strings, or of more."""
        starts, ends = self._first(count)
        return starts + self._reader.length_nbytes(self._info), ends

    def _item(self, index: int) -> str:
        return decode(self._bytes(index))

    def raw(self, index: int) -> bytes:
        """Return the bytes of one string as they are in the file. Raises `IndexError`."""
        return bytes(self._bytes(self._checked(index)))

    def _bytes(self, index: int) -> Buffer:
        starts, ends = self._texts
        if index >= len(starts):
            starts, ends = self._texts = _memory(self._text_spans(index + 1))
        return self._reader.buf[starts[index] : ends[index]]

    def tolist(self) -> list[str]:
        """Return all strings as a list. Faster than decoding one at a time."""
        return self._reader.texts(*self._text_spans(self._count))

    _values = tolist


class NestedArray(LazyArray["ArrayValue"]):
    """An array of arrays, each with its own element type."""

    element_type = ValueType.ARRAY

    def _item(self, index: int) -> "ArrayValue":
        return read_array(self._reader, self._reader.array(int(self._first(index + 1)[0][index])))

    def _values(self) -> list["ArrayValue"]:
        starts, _ = self._first(self._count)
        return [read_array(self._reader, self._reader.array(position)) for position in starts.tolist()]

    def tolist(self) -> list[Any]:
        """Return nested lists of Python values."""
        return [item.tolist() for item in self]


ArrayValue = np.ndarray[Any, np.dtype[Any]] | StringArray | NestedArray
Value = str | int | float | bool | ArrayValue


def read_value(reader: Reader, type: ValueType, position: int) -> Value:
    """Return the value at a position."""
    if type is ValueType.ARRAY:
        return read_array(reader, reader.array(position))
    if type is ValueType.STRING:
        start, end = reader.string_span(position)
        return decode(reader.buf[start:end])
    number: int | float | bool = numbers(reader, ArrayInfo(type, 1, position)).item()
    return number


def read_array(reader: Reader, info: ArrayInfo) -> ArrayValue:
    """Return an array: numbers as a read-only numpy view, strings and arrays as a lazy sequence."""
    if info.element_type is ValueType.STRING:
        return StringArray(reader, info)
    if info.element_type is ValueType.ARRAY:
        return NestedArray(reader, info)
    return numbers(reader, info)


def numbers(reader: Reader, info: ArrayInfo) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a view of an array of numbers or bools, in the byte order of the file."""
    dtype = value_dtype(info.element_type, "big" if reader.is_big_endian else "little")
    assert dtype is not None
    if not info.num_elements:
        return np.frombuffer(b"", dtype)
    return reader.numbers(dtype, info.num_elements, info.elements)


def equal_values(one: Any, other: Any) -> bool:
    """Return whether two values of metadata, or two elements, are equal."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)
