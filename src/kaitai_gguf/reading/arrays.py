"""Array values: numbers as numpy views, strings and nested arrays as sequences that decode on demand."""

import operator
import struct
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, NoReturn, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import ClosedError
from kaitai_gguf.schema import ArrayInfo, IntArray, Reader, ValueType
from kaitai_gguf.types import value_dtype

TOKENS = "tokenizer.ggml.tokens"

CHUNK = 4096  # items decoded at a time while iterating

T = TypeVar("T")
Spans = tuple[IntArray, IntArray]


class LazyArray(Sequence[T], Generic[T]):
    """The items of an array in a file, as a read-only sequence.

    Items are decoded on demand. The first access to an item finds the positions of all items, in O(n); each access
    after that is O(1). A slice is a sequence of the same class. The sequence stays valid after the file is closed.
    """

    element_type: ValueType
    """The type of the items."""

    def __init__(self, reader: Reader, info: ArrayInfo, selected: Spans | None = None) -> None:
        self._reader = reader
        self._info = info
        self._count = info.num_elements if selected is None else len(selected[0])
        self._selected = selected

    @cached_property
    def _spans(self) -> Spans:
        """The starts and the ends of the items."""
        return self._selected or self._reader.items(self._info)

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
            starts, ends = self._spans
            return type(self)(self._reader, self._info, (starts[index], ends[index]))
        return self._item(self._checked(index))

    def __iter__(self) -> Iterator[T]:
        for start in range(0, len(self), CHUNK):
            yield from self[start : start + CHUNK]._values()

    def tobytes(self) -> bytes:
        """Return the bytes of the items as they are in the file, lengths included."""
        starts, ends = self._spans
        return self._reader.raw(zip(starts.tolist(), ends.tolist(), strict=True))

    def __eq__(self, other: object) -> bool:
        return equal_values(self, other) if _is_list(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # numpy leaves `array == self` to this class, and does not compare element by element

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} can't be copied or pickled: tolist() returns a list, which can")

    def __repr__(self) -> str:
        shown = ", ".join(repr(item) for item in self[:3])
        return f"<{type(self).__name__} of {len(self)}: [{shown}{', …' if len(self) > 3 else ''}]>"


class StringArray(LazyArray[str]):
    """An array of strings, decoded as UTF-8 with `surrogateescape`. `raw(i)` returns the bytes of one."""

    element_type = ValueType.STRING

    @cached_property
    def _texts(self) -> Spans:
        """The starts and the ends of the bytes of the strings."""
        starts, ends = self._spans
        return starts + self._reader.length_nbytes(self._info), ends

    @cached_property
    def _places(self) -> tuple[memoryview, memoryview]:
        """The same as memoryviews, whose items are read faster than those of arrays."""
        starts, ends = self._texts
        return starts.data, ends.data

    def _item(self, index: int) -> str:
        starts, ends = self._places
        try:
            # Like `decode`, with a call less: programs read single tokens in loops.
            return str(self._reader.buf[starts[index] : ends[index]], "utf-8", "surrogateescape")
        except ValueError:  # another thread unmapped the file
            raise ClosedError("the file is closed") from None

    def raw(self, index: int) -> bytes:
        """Return the bytes of one string as they are in the file. Raises `IndexError`."""
        index = self._checked(index)
        starts, ends = self._places
        return self._reader.raw([(starts[index], ends[index])])

    def tolist(self) -> list[str]:
        """Return all strings as a list. Faster than decoding one at a time."""
        return self._reader.texts(*self._texts)

    _values = tolist


class NestedArray(LazyArray["ArrayValue"]):
    """An array of arrays, each with its own element type."""

    element_type = ValueType.ARRAY

    def _item(self, index: int) -> "ArrayValue":
        return read_array(self._reader, self._reader.array(self._spans[0].item(index)))

    def _values(self) -> list["ArrayValue"]:
        return [read_array(self._reader, self._reader.array(start)) for start in self._spans[0].tolist()]

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
        return reader.string(position)
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
    dtype = value_dtype(info.element_type, reader.byte_order)
    assert dtype is not None
    if not info.num_elements:
        return np.frombuffer(b"", dtype)
    return reader.numbers(dtype, info.num_elements, info.elements)


def vocabulary(get: Callable[[str], Any]) -> StringArray | None:
    """Return the tokens of a model; None if they are missing, or are not strings. `get` returns the value of a key."""
    tokens = get(TOKENS)
    return tokens if isinstance(tokens, StringArray) else None


def equal_values(one: Any, other: Any) -> bool:
    """Return whether two values of metadata, or two elements, are equal.

    Numbers are compared by value, whatever their types, and arrays and lists by their elements. NaN equals a NaN that
    has the same bits as a float64.
    """
    if (
        isinstance(one, np.ndarray)
        and isinstance(other, np.ndarray)
        and {one.dtype.kind, other.dtype.kind} <= {*"biuf"}
    ):
        return one.shape == other.shape and bool(_equal_numbers(one, other).all())
    if _is_list(one) != _is_list(other):
        return False
    if _is_list(one):
        one, other = (each.tolist() if isinstance(each, np.ndarray) else each for each in (one, other))
        return len(one) == len(other) and all(map(equal_values, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == other or struct.pack("d", one) == struct.pack("d", other)
    return bool(one == other)


def _is_list(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _equal_numbers(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):  # signaling NaNs
        equal: NDArray[np.bool_] = one == other
        if one.dtype.kind == other.dtype.kind == "f" and not equal.all():
            bits, others = (each.astype(np.float64).view(np.uint64) for each in (one, other))
            equal |= bits == others
    return equal
