"""All arrays of a header, those in arrays included, as columns: there may be a million, in up to 128 levels."""

from typing import NamedTuple

import numpy as np

from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, IntArray, KeyValueTable, ValueType

__all__ = ["Arrays", "arrays"]


class Arrays(NamedTuple):
    """The arrays that are values, then the elements of these, then the elements of those, and so on."""

    num_values: int
    owner: IntArray
    """The number of the key-value that an array is the value of; of a deeper one, the row of the array around it."""
    element_type: IntArray
    num_elements: IntArray
    elements: IntArray
    """Where the first element starts."""

    @property
    def values(self) -> "Arrays":
        """Only the arrays that are values."""
        return Arrays(self.num_values, *(column[: self.num_values] for column in self[1:]))

    def of(self, type: ValueType) -> IntArray:
        """Return the rows of the arrays that have elements of a type, in file order."""
        rows = np.flatnonzero((self.element_type == type) & (self.num_elements > 0))
        return rows[np.argsort(self.elements[rows])]

    def at(self, row: int) -> tuple[int, str, ArrayInfo]:
        """Return the number of the key-value that an array belongs to, its path, and the array."""
        info = ArrayInfo(ValueType(self.element_type[row]), self.num_elements.item(row), self.elements.item(row))
        path = ""
        while row >= self.num_values:
            around = self.owner.item(row)
            first = self.num_values + int(np.searchsorted(self.owner[self.num_values :], around))
            row, path = around, f"/elements/{row - first}{path}"
        number = self.owner.item(row)
        return number, f"/metadata/{number}/value{path}", info


def arrays(header: Header, table: KeyValueTable) -> Arrays:
    """Return all arrays of a header with these key-values. Those of a level are read together."""
    numbers = np.flatnonzero(table.value_type == ValueType.ARRAY)
    levels = [(numbers, *header.array_table(table.value[numbers]))]
    first = 0  # row of the level
    while True:
        owner, element_type, num_elements, elements = levels[-1]
        rows = np.flatnonzero((element_type == ValueType.ARRAY) & (num_elements > 0))
        if not len(rows):
            return Arrays(len(numbers), *map(np.concatenate, zip(*levels, strict=True)))
        counts = num_elements[rows]
        positions = header.element_starts(ValueType.ARRAY, elements[rows], counts)
        levels.append(((first + rows).repeat(counts), *header.array_table(positions)))
        first += len(owner)
