"""All arrays of a header, those in arrays included, as columns: there may be a million, in up to 128 levels."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kaitai_gguf.schema import ArrayInfo, IntArray, Reader, ValueType

__all__ = ["ArrayAt", "arrays_of", "levels"]


class ArrayAt(NamedTuple):
    """An array: the number of its key-value, its indices in the arrays around it, and the array itself."""

    number: int
    nested: tuple[int, ...]
    info: ArrayInfo


class Level(NamedTuple):
    """The arrays that are in equally many arrays, in file order."""

    parent: IntArray
    """The number of the key-value that an array is the value of; of a deeper one, its row in the level above."""
    place: IntArray
    """Which element of that it is."""
    element_type: IntArray
    num_elements: IntArray
    elements: IntArray
    """Where the first element starts."""


def levels(reader: Reader, numbers: IntArray, positions: IntArray) -> list[Level]:
    """Return the arrays at the positions, which are the values of key-values, and all arrays in them."""
    found: list[Level] = []
    parent, place = numbers, np.zeros_like(numbers)
    while len(positions):
        found.append(Level(parent, place, *reader.array_table(positions)))
        outer = found[-1]
        parent = np.flatnonzero((outer.element_type == ValueType.ARRAY) & (outer.num_elements > 0))
        counts = outer.num_elements[parent]
        first = counts.cumsum() - counts
        place = np.arange(counts.sum()) - first.repeat(counts)
        positions = outer.elements[parent].repeat(counts)
        for row in np.flatnonzero(counts > 1).tolist():  # where the only element starts is known
            start, count = int(first[row]), int(counts[row])
            info = ArrayInfo(ValueType.ARRAY, count, int(positions[start]))
            positions[start : start + count] = reader.items(info)[0]
        parent = parent.repeat(counts)
    return found


def arrays_of(found: list[Level], type: ValueType) -> Iterator[ArrayAt]:
    """Yield the arrays that have elements of a type, in file order."""
    rows = [np.flatnonzero((level.element_type == type) & (level.num_elements > 0)) for level in found]
    starts = np.concatenate([level.elements[row] for level, row in zip(found, rows, strict=True)] or [np.empty(0)])
    depths = np.arange(len(rows)).repeat([len(row) for row in rows])
    row_of = np.concatenate(rows or [np.empty(0, np.int64)])
    for number in np.argsort(starts, kind="stable").tolist():
        yield _array_at(found, depths.item(number), row_of.item(number), type)


def _array_at(found: list[Level], depth: int, row: int, type: ValueType) -> ArrayAt:
    own = found[depth]
    info = ArrayInfo(type, own.num_elements.item(row), own.elements.item(row))
    nested: list[int] = []
    for level in found[depth:0:-1]:
        nested.append(level.place.item(row))
        row = level.parent.item(row)
    return ArrayAt(found[0].parent.item(row), tuple(reversed(nested)), info)
