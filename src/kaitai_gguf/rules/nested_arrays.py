"""All arrays of a header, those in arrays included, as columns: there may be a million, in up to 128 levels."""

from typing import NamedTuple

import numpy as np

from kaitai_gguf.schema import ArrayInfo, IntArray, Reader, ValueType

__all__ = ["ArrayAt", "Arrays", "Level", "arrays_of", "levels", "values"]


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


class Arrays(NamedTuple):
    """Arrays of one or more levels, in file order."""

    levels: list[Level]
    depth: IntArray
    """The level of each array."""
    row: IntArray
    """Its row in that level."""
    num_elements: IntArray
    elements: IntArray

    def at(self, number: int) -> ArrayAt:
        """Return one of these arrays."""
        depth, row = self.depth.item(number), self.row.item(number)
        own = self.levels[depth]
        info = ArrayInfo(ValueType(own.element_type.item(row)), own.num_elements.item(row), own.elements.item(row))
        nested: list[int] = []
        for level in self.levels[depth:0:-1]:
            nested.append(level.place.item(row))
            row = level.parent.item(row)
        return ArrayAt(self.levels[0].parent.item(row), tuple(reversed(nested)), info)


def values(reader: Reader, numbers: IntArray, positions: IntArray) -> Level:
    """Return the arrays at the positions, which are the values of key-values."""
    return Level(numbers, np.zeros_like(numbers), *reader.array_table(positions))


def levels(reader: Reader, first: Level) -> list[Level]:
    """Return the arrays that are the values of key-values, and all arrays in them."""
    found = [first]
    while len(parent := np.flatnonzero((found[-1].element_type == ValueType.ARRAY) & (found[-1].num_elements > 0))):
        counts = found[-1].num_elements[parent]
        place = np.arange(counts.sum()) - (counts.cumsum() - counts).repeat(counts)
        positions = reader.element_starts(ValueType.ARRAY, found[-1].elements[parent], counts)
        found.append(Level(parent.repeat(counts), place, *reader.array_table(positions)))
    return found


def arrays_of(found: list[Level], type: ValueType) -> Arrays:
    """Return the arrays that have elements of a type."""
    rows = [np.flatnonzero((level.element_type == type) & (level.num_elements > 0)) for level in found]
    counts = np.concatenate([level.num_elements[row] for level, row in zip(found, rows, strict=True)])
    elements = np.concatenate([level.elements[row] for level, row in zip(found, rows, strict=True)])
    depths = np.arange(len(rows)).repeat([len(row) for row in rows])
    order = np.argsort(elements, kind="stable")
    return Arrays(found, depths[order], np.concatenate(rows)[order], counts[order], elements[order])
