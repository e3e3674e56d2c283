"""The parts of a field as views of the file, created on demand.

The places of the first parts, such as the key and the type, are known when the file is opened. The elements of an array
follow, and are located when the first of them is used.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.gguf_py.lazy_lists import LazyList
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, ValueType
from kaitai_gguf.types import value_dtype

__all__ = ["File", "NestedIndices", "NestedParts", "NumberParts", "Parts", "Place", "StringParts"]

Part = NDArray[Any]

_BYTE = np.dtype(np.uint8)


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
    """The parts of a field: those before the elements of an array, and `count` parts of its elements."""

    def __init__(self, file: File, first: Sequence[Place], count: int = 0) -> None:
        self._file = file
        self._first = first
        self._count = len(first) + count

    def __len__(self) -> int:
        return self._count

    def _item(self, number: int) -> Part:
        return self._file.view(self._first[number])


class NumberParts(Parts):
    """The parts of an array of numbers or bools: one for each element."""

    def __init__(self, file: File, first: Sequence[Place], info: ArrayInfo) -> None:
        super().__init__(file, first, info.num_elements)
        self._dtype = file.dtype(info.element_type)
        self._start = info.elements

    def _item(self, number: int) -> Part:
        element = number - len(self._first)
        if element < 0:
            return super()._item(number)
        size = self._dtype.itemsize
        start = self._start + element * size
        return self._file.array[start : start + size].view(self._dtype)

    def _items(self, numbers: range) -> list[Part]:
        before = len(self._first)
        if numbers.step < 0 or numbers.start < before:
            return super()._items(numbers)
        end = self._start + (self._count - before) * self._dtype.itemsize
        rows = self._file.array[self._start : end].view(self._dtype).reshape(-1, 1)
        return list(rows[numbers.start - before : numbers.stop - before : numbers.step])


class StringParts(Parts):
    """The parts of an array of strings: two for each element, its length and its bytes."""

    def __init__(self, file: File, first: Sequence[Place], info: ArrayInfo) -> None:
        super().__init__(file, first, 2 * info.num_elements)
        self._info = info

    @cached_property
    def _positions(self) -> tuple[memoryview, memoryview, memoryview]:
        """Where each string and its text start, and where both end. The items of memoryviews are Python ints."""
        header = self._file.header
        starts, ends = header.items(self._info)
        return starts.data, (starts + header.length_nbytes(self._info)).data, ends.data

    def _item(self, number: int) -> Part:
        element = number - len(self._first)
        if element < 0:
            return super()._item(number)
        starts, text_starts, ends = self._positions
        string = element >> 1
        if element & 1:
            return self._file.array[text_starts[string] : ends[string]]
        return self._file.view(self._file.number(starts[string], text_starts[string]))


class NestedParts(Parts):
    """The parts of an array of arrays: the parts of all inner arrays, one after the other."""

    def __init__(self, file: File, first: Sequence[Place], info: ArrayInfo) -> None:
        super().__init__(file, first)
        self._info = info

    @cached_property
    def flat(self) -> tuple[list[Place], list[int]]:
        """All places, and the indices of those that are elements but not arrays."""
        places, indices = list(self._first), list[int]()
        _flatten(self._file, self._info, places, indices)
        return places, indices

    def __len__(self) -> int:
        return len(self.flat[0])

    def _item(self, number: int) -> Part:
        return self._file.view(self.flat[0][number])


class NestedIndices(LazyList[int]):
    """The indices of the parts of an array of arrays that are elements but not arrays."""

    def __init__(self, parts: NestedParts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return len(self._parts.flat[1])

    def _item(self, number: int) -> int:
        return self._parts.flat[1][number]


def _flatten(file: File, info: ArrayInfo, places: list[Place], indices: list[int]) -> None:
    """Append the places of the parts of an array, and the indices of its elements that are not arrays."""
    if info.element_type is ValueType.STRING:
        starts, ends = file.header.items(info)
        text_starts = starts + file.header.length_nbytes(info)
        for span in zip(starts.tolist(), text_starts.tolist(), ends.tolist(), strict=True):
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
