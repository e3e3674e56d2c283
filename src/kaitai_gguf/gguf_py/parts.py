"""The parts of a field as views of the file, in sequences that behave like gguf-py's lists and create items on demand.

The places of the first parts, such as the key and the type, are known when the file is opened. The elements of an array
follow, and are located when the first of them is used.
"""

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.reading.arrays import equal_values
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, ValueType
from kaitai_gguf.types import value_dtype

CHUNK = 4096  # items created at a time while iterating
SHOWN = 100  # the most items in a repr

T = TypeVar("T")
Part = NDArray[Any]

NO_ARRAY = ArrayInfo(ValueType.UINT8, 0, 0)

_BYTE = np.dtype(np.uint8)


class LazyList(Sequence[T]):
    """A read-only sequence that equals the list of its items, and turns into that list when copied or pickled.

    Slices, and sums with lists, are lists. It is not a subclass of `list`: C code would bypass `__getitem__` and find
    no items.
    """

    @abstractmethod
    def _item(self, number: int) -> T:
        """Return one item. The number is at least 0 and less than the length."""

    def _items(self, numbers: range) -> list[T]:
        """Return several items."""
        item = self._item
        return [item(number) for number in numbers]

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return self._items(range(len(self))[index])
        number, count = operator.index(index), len(self)
        if 0 <= number < count:
            return self._item(number)
        if -count <= number < 0:
            return self._item(number + count)
        raise IndexError(f"index {index} of a list of {count} items")

    def __iter__(self) -> Iterator[T]:
        for first in range(0, len(self), CHUNK):
            yield from self._items(range(first, min(first + CHUNK, len(self))))

    def copy(self) -> list[T]:
        """Return the items as a list."""
        return self[:]

    def __add__(self, other: Any) -> list[T]:
        return self[:] + list(other) if isinstance(other, list | LazyList) else NotImplemented

    def __radd__(self, other: Any) -> list[T]:
        return other + self[:] if isinstance(other, list) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | LazyList):
            return NotImplemented
        return len(self) == len(other) and all(map(equal_values, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self[:],)

    def __repr__(self) -> str:
        shown = repr(self[:SHOWN])
        return shown if len(self) <= SHOWN else f"{shown[:-1]}, … {len(self) - SHOWN} more]"


class Indices(LazyList[int]):
    """Evenly spaced numbers, kept as a range."""

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers

    def _item(self, number: int) -> int:
        return self._numbers[number]

    def _items(self, numbers: range) -> list[int]:
        return [*map(self._numbers.__getitem__, numbers)]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)


class Place(NamedTuple):
    """The dtype of a part, and where it starts and ends, in bytes from the start of the file."""

    dtype: np.dtype[Any]
    start: int
    end: int


class File:
    """The bytes of a file as an array, and its header: what all parts are created from."""

    def __init__(self, array: NDArray[np.uint8], header: Header) -> None:
        self.array = array
        self.header = header
        self.fields = header.fields
        order = ">" if header.byte_order == "big" else "<"
        self._unsigned = {nbytes: np.dtype(f"{order}u{nbytes}") for nbytes in (4, 8)}

    def number(self, start: int, end: int) -> Place:
        """Return the place of an unsigned number of 4 or 8 bytes."""
        return Place(self._unsigned[end - start], start, end)

    def text(self, start: int, text_start: int, end: int) -> tuple[Place, Place]:
        """Return the places of a text's length and bytes."""
        return self.number(start, text_start), Place(_BYTE, text_start, end)

    def array_start(self, position: int, info: ArrayInfo) -> list[Place]:
        """Return the places of the element type and the count of the array at a position."""
        spans = self.fields.spans("gguf_array", position, info.elements)
        return [self.number(*spans[name]) for name in ("element_type", "num_elements")]

    def texts(self, info: ArrayInfo) -> tuple[memoryview, memoryview, memoryview]:
        """Return where each string of an array and its text start, and where both end, as Python ints."""
        starts, ends = self.header.items(info)
        return starts.data, (starts + self.header.length_nbytes(info)).data, ends.data

    def dtype(self, type: ValueType) -> np.dtype[Any]:
        """Return the dtype of a value type other than string and array."""
        dtype = value_dtype(type, self.header.byte_order)
        assert dtype is not None
        return np.dtype(dtype.str)  # normalizes the machine's own byte order to "=", as in gguf-py

    def view(self, place: Place) -> Part:
        """Return the part at a place."""
        part = self.array[place.start : place.end]
        return part if place.dtype is _BYTE else part.view(place.dtype)


class Parts(LazyList[Part]):
    """The parts of a field: some places, followed by the parts of the elements of an array."""

    def __init__(self, file: File, first: Sequence[Place], array: ArrayInfo = NO_ARRAY) -> None:
        self._file = file
        self._first = first
        self._before = len(first)
        self._array = array

    def __len__(self) -> int:
        if self._array.element_type is ValueType.ARRAY:
            return len(self.flat[0])
        parts_of_each = 2 if self._array.element_type is ValueType.STRING else 1
        return self._before + parts_of_each * self._array.num_elements

    def _item(self, number: int) -> Part:
        if number < self._before:
            return self._file.view(self._first[number])
        return self._element(number - self._before)

    def _items(self, numbers: range) -> list[Part]:
        before, element_type = self._before, self._array.element_type
        if element_type in (ValueType.STRING, ValueType.ARRAY) or numbers.step < 0 or numbers.start < before:
            return super()._items(numbers)
        return list(self._rows()[numbers.start - before : numbers.stop - before : numbers.step])

    def _rows(self) -> Part:
        """Return an array of numbers or bools as rows of one element."""
        dtype, start = self._file.dtype(self._array.element_type), self._array.elements
        end = start + self._array.num_elements * dtype.itemsize
        return self._file.array[start:end].view(dtype).reshape(-1, 1)

    @cached_property
    def _element(self) -> Callable[[int], Part]:
        """A function that returns one of the parts of the elements."""
        file, data, array = self._file, self._file.array, self._array
        if array.element_type is ValueType.ARRAY:
            places = self.flat[0][self._before :]
            return lambda number: file.view(places[number])
        if array.element_type is ValueType.STRING:  # the length and the bytes of each
            starts, text_starts, ends = file.texts(array)
            length = file.number(0, file.header.length_nbytes(array)).dtype
            return lambda number: (
                data[text_starts[number >> 1] : ends[number >> 1]]
                if number & 1
                else data[starts[number >> 1] : text_starts[number >> 1]].view(length)
            )
        rows: Callable[[int], Part] = self._rows().__getitem__
        return rows

    @cached_property
    def flat(self) -> tuple[list[Place], list[int]]:
        """All places of an array of arrays, and the indices of those that are elements but not arrays."""
        places, indices = list(self._first), list[int]()
        _flatten(self._file, self._array, places, indices)
        return places, indices


class NestedIndices(LazyList[int]):
    """The indices of the parts of an array of arrays that are elements but not arrays."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return len(self._parts.flat[1])

    def _item(self, number: int) -> int:
        return self._parts.flat[1][number]


def _flatten(file: File, info: ArrayInfo, places: list[Place], indices: list[int]) -> None:
    """Append the places of the parts of an array, and the indices of its elements that are not arrays."""
    if info.element_type is ValueType.STRING:
        for span in zip(*file.texts(info), strict=True):
            indices.append(len(places) + 1)
            places += file.text(*span)
    elif info.element_type is ValueType.ARRAY:
        for start in file.header.items(info)[0].tolist():
            inner = file.header.array(start)
            places += file.array_start(start, inner)
            _flatten(file, inner, places, indices)
    else:
        dtype = file.dtype(info.element_type)
        size = dtype.itemsize
        indices += range(len(places), len(places) + info.num_elements)
        end = info.elements + info.num_elements * size
        places += [Place(dtype, start, start + size) for start in range(info.elements, end, size)]
