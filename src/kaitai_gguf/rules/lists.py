"""All values of a header, those in nested arrays included, as columns: there may be a million, in up to 128 levels."""

from typing import NamedTuple, Self

import numpy as np

from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import IntArray, KeyValueTable, ValueType

_CHUNK = 1 << 18  # arrays whose types and sizes are read at once: it limits memory


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
        num_keys = num_rows = len(table.value)
        owner, types = np.zeros(num_keys, np.int32), table.value_type.astype(np.uint8)
        level: tuple[IntArray, ...] = (owner, types, np.ones_like(table.value), table.value)
        columns = [[values] for values in level]
        while len((level := _next_level(header, num_rows, *level))[0]):
            num_rows += len(level[0])
            for column, values in zip(columns, level, strict=True):
                column.append(values)
        return cls(num_keys, *(np.concatenate(columns.pop(0)) for _ in cls._fields[1:]))

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


def _next_level(
    header: Header, num_rows: int, _: IntArray, types: IntArray, num_elements: IntArray, elements: IntArray
) -> tuple[IntArray, ...]:
    """Return the columns of the arrays in the lists of a level, the last of which is in row `num_rows` - 1."""
    rows = np.flatnonzero((types == ValueType.ARRAY) & (num_elements > 0))
    positions = header.element_starts(ValueType.ARRAY, elements[rows], num_elements[rows])
    owner = (num_rows - len(elements) + rows).astype(np.int32).repeat(num_elements[rows])
    level = (owner, *(np.empty(len(positions), dtype) for dtype in (np.uint8, np.int64, np.int64)))
    for start in range(0, len(positions), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        for column, values in zip(level[1:], header.array_table(positions[chunk]), strict=True):
            column[chunk] = values
    return level
