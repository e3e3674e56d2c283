"""All values of a header, those in nested arrays included, as columns: there may be a million, in up to 128 levels."""

from typing import NamedTuple, Self

import numpy as np

from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import IntArray, KeyValueTable, ValueType

__all__ = ["Lists"]


class Lists(NamedTuple):
    """First each key-value, as a list of its one value; then the arrays in these lists; then the arrays in those; …"""

    num_keys: int
    owner: IntArray
    """The row of the list that an array is in; not used for key-values."""
    element_type: IntArray
    num_elements: IntArray
    elements: IntArray
    """Where the first element starts."""

    @classmethod
    def of(cls, header: Header, table: KeyValueTable) -> Self:
        """Return the lists of a header with these key-values. Those of a level are read together."""
        num_keys = first = len(table.value)
        owner, num_elements = np.zeros_like(table.value), np.ones_like(table.value)
        levels: list[tuple[IntArray, ...]] = [(owner, table.value_type, num_elements, table.value)]
        while True:
            _, element_type, num_elements, elements = levels[-1]
            rows = np.flatnonzero((element_type == ValueType.ARRAY) & (num_elements > 0))
            if not len(rows):
                return cls(num_keys, *map(np.concatenate, zip(*levels, strict=True)))
            positions = header.element_starts(ValueType.ARRAY, elements[rows], num_elements[rows])
            owner = (first - len(elements) + rows).astype(np.int32).repeat(num_elements[rows])
            types, *others = header.array_table(positions)
            levels.append((owner, types.astype(np.uint8), *others))
            first += len(positions)

    def arrays(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the numbers of the key-values that are arrays, and the type and number of their elements."""
        deeper = self.num_keys + int(np.searchsorted(self.owner[self.num_keys :], self.num_keys))
        rows = slice(self.num_keys, deeper)
        return self.owner[rows], self.element_type[rows], self.num_elements[rows]

    def rows_of(self, type: ValueType) -> IntArray:
        """Return the lists that have elements of a type: key-values first, then arrays in file order."""
        rows = np.flatnonzero((self.element_type == type) & (self.num_elements > 0))
        return rows[np.lexsort((self.elements[rows], rows >= self.num_keys))]

    def locate(self, row: int) -> tuple[int, str]:
        """Return the number of the key-value that a list belongs to, and the path of the list."""
        path = ""
        while row >= self.num_keys:
            owner = self.owner.item(row)
            if owner >= self.num_keys:
                first = self.num_keys + int(np.searchsorted(self.owner[self.num_keys :], owner))
                path = f"/elements/{row - first}{path}"
            row = owner
        return row, f"/metadata/{row}/value{path}"
