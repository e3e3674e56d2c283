"""Look up items by number and by name, in little memory: headers may have millions, but most have a few dozen."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import numpy as np

from kaitai_gguf.schema.scanner import IntArray

__all__ = ["Names", "Pages"]

PAGE = 1 << 14  # items that are read together if all are needed
FEW = 1 << 6  # items that are read together if one is needed: takes no longer than one item

T = TypeVar("T")
NameOf = Callable[[int], bytes]


class Pages(Generic[T]):
    """A table that is read some rows at a time. The rows that were read last are kept; often these are all."""

    def __init__(self, read: Callable[[int, int], T], count: int) -> None:
        """`read(first, last)` returns the rows from `first` to before `last`."""
        self._read = read
        self._count = count
        self._kept: tuple[int, int, T] | None = None

    def __iter__(self) -> Iterator[T]:
        for first in range(0, self._count, PAGE):
            last = min(first + PAGE, self._count)
            kept = self._kept
            if kept is None or kept[:2] != (first, last):
                kept = self._keep(first, last)
            yield kept[2]

    def at(self, number: int) -> tuple[T, int]:
        """Return some rows that include row `number`, and its index in them. O(1) in any order."""
        kept = self._kept
        if kept is None or not kept[0] <= number < kept[1]:
            first = number - number % FEW
            kept = self._keep(first, min(first + FEW, self._count))
        return kept[2], number - kept[0]

    def _keep(self, first: int, last: int) -> tuple[int, int, T]:
        kept = self._kept = first, last, self._read(first, last)
        return kept


class Names:
    """The numbers of items by name, in 8 bytes per item: the hash of the name, with the number in the lowest bits.

    These are Python's hashes, which have a new random key in each process, so that no file can provoke collisions. A
    match is confirmed by comparing the bytes.
    """

    def __init__(self, hashes: Iterable[IntArray], count: int) -> None:
        """`hashes` are the hashes of the names of all items, in chunks."""
        self._mask = (1 << count.bit_length()) - 1  # of the numbers
        numbered = np.empty(count, np.int64)
        first = 0
        for chunk in hashes:
            last = first + len(chunk)
            numbered[first:last] = chunk & ~self._mask | np.arange(first, last)
            first = last
        numbered.sort()
        self._sorted = numbered
        self._view = numbered.data  # its items are Python integers

    def find(self, name: bytes, name_of: NameOf) -> int | None:
        """Return the number of the first item with a name; None if there is none.

        `name_of` returns the name of an item by its number. It is passed each time, because a reference to it here
        would be a cycle that keeps the file alive.
        """
        mask, view = self._mask, self._view
        wanted = hash(name) & ~mask
        for index in range(bisect_left(view, wanted), len(view)):
            found = view[index]
            if found & ~mask != wanted:
                break
            if name_of(found & mask) == name:
                return found & mask
        return None

    def repeated(self, name_of: NameOf) -> int | None:
        """Return the number of the first item that has the name of an earlier one; None if there is none."""
        hashes = self._sorted & ~self._mask
        suspects = self._sorted[1:][hashes[1:] == hashes[:-1]] & self._mask
        for number in map(int, np.sort(suspects)):  # one at a time: often the first is a duplicate
            first = self.find(name_of(number), name_of)
            if first is not None and first < number:
                return int(number)
        return None
