"""Items by number and by name, in little memory: a header may claim millions of them, and most have a few dozen."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import numpy as np

from kaitai_gguf.schema.scanner import IntArray

__all__ = ["Names", "Pages"]

PAGE = 1 << 14  # items that are read together when all are wanted
FEW = 1 << 6  # when one is: takes no longer than one alone

T = TypeVar("T")
NameOf = Callable[[int], bytes]


class Pages(Generic[T]):
    """A table that is read some rows at a time. Those that were read last are kept, often all that there are."""

    def __init__(self, read: Callable[[int, int], T], count: int) -> None:
        """`read(first, last)` gives the rows from the first to before the last."""
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
        """Some rows that one is among, and its place there. O(1) in any order."""
        kept = self._kept
        if kept is None or not kept[0] <= number < kept[1]:
            first = number - number % FEW
            kept = self._keep(first, min(first + FEW, self._count))
        return kept[2], number - kept[0]

    def _keep(self, first: int, last: int) -> tuple[int, int, T]:
        kept = self._kept = first, last, self._read(first, last)
        return kept


class Names:
    """Which item has which name, in 8 bytes an item: the hash of its name, with its number for the lowest bits.

    The hashes are those of Python, which are keyed anew in each process, so that no file can foresee them. What
    they say is checked against the bytes.
    """

    def __init__(self, hashes: Iterable[IntArray], count: int) -> None:
        """`hashes` are those of the names of all items, in parts."""
        self._numbers = (1 << count.bit_length()) - 1
        found = np.empty(count, np.int64)
        first = 0
        for part in hashes:
            last = first + len(part)
            found[first:last] = part & ~self._numbers | np.arange(first, last)
            first = last
        found.sort()
        self._sorted = found
        self._view = found.data  # whose items are Python's integers

    def find(self, name: bytes, name_of: NameOf) -> int | None:
        """The number of the first item of this name.

        `name_of` gives the name of an item by its number. It is not kept: its owner has this object, and the two would
        keep each other, and the file, alive.
        """
        wanted = hash(name) & ~self._numbers
        for place in range(bisect_left(self._view, wanted), len(self._view)):
            if self._view[place] & ~self._numbers != wanted:
                break
            number = int(self._view[place] & self._numbers)
            if name_of(number) == name:
                return number
        return None

    def repeated(self, name_of: NameOf) -> int | None:
        """The first item that has the name of one before it."""
        hashes = self._sorted & ~self._numbers
        suspects = self._sorted[1:][hashes[1:] == hashes[:-1]] & self._numbers
        for number in map(int, np.sort(suspects)):  # one at a time: the first is often the last
            first = self.find(name_of(number), name_of)
            if first is not None and first < number:
                return int(number)
        return None
