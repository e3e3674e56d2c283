"""Look up items by number and by name, in little memory: headers may have millions, but most have a few dozen."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

import numpy as np

from kaitai_gguf.errors import ClosedError, GGUFError
from kaitai_gguf.schema.reader import Reader

__all__ = ["NamedItems"]

PAGE = 1 << 14  # items that are read together if all are needed
FEW = 1 << 6  # items that are read together if one is needed: takes no longer than one item


class _Page(Protocol):
    """Some items in a row, with the positions of their names."""

    @property
    def first(self) -> int:
        """The number of the first item."""

    @property
    def name_starts(self) -> "memoryview[int]": ...

    @property
    def name_ends(self) -> "memoryview[int]": ...


P = TypeVar("P", bound=_Page)
R = TypeVar("R", bound=Reader)


class NamedItems(Generic[R, P]):
    """Items by number and by name. The page of items that was read last is kept; often it has all of them.

    For each item there are 8 bytes: the hash of its name, with its number in the lowest bits. These are Python's
    hashes, which have a new random key in each process, so that no file can provoke collisions. A match is confirmed
    by comparing the bytes.
    """

    def __init__(self, reader: R, read: Callable[[R, int, int], P], count: int) -> None:
        """Read all items, to hash their names. `read` returns the items from one number to before another.

        The reader is given to each method, and not kept here: it has the names' bytes, and a closed file gives it up.
        """
        self._read = read
        self._count = count
        self._find = reader.scanner.find
        self._kept: tuple[int, int, P] | None = None
        self._mask = (1 << count.bit_length()) - 1  # of the numbers
        numbered = np.empty(count, np.int64)
        for page in self.pages(reader):
            last = page.first + len(page.name_starts)
            hashed = reader.scanner.hashes(reader.buf, np.asarray(page.name_starts), np.asarray(page.name_ends))
            numbered[page.first : last] = hashed & ~self._mask | np.arange(page.first, last)
        numbered.sort()
        self._sorted = numbered
        self._view = numbered.data  # its items are Python integers

    def pages(self, reader: R) -> Iterator[P]:
        """Yield all items, in pages."""
        for first in range(0, self._count, PAGE):
            last = min(first + PAGE, self._count)
            kept = self._kept
            if kept is None or kept[:2] != (first, last):
                kept = self._keep(reader, first, last)
            yield kept[2]

    def at(self, reader: R, number: int) -> tuple[P, int]:
        """Return a page that has an item, and the row of the item in it. O(1) in any order."""
        kept = self._kept
        if kept is None or not kept[0] <= number < kept[1]:
            first = number - number % FEW
            kept = self._keep(reader, first, min(first + FEW, self._count))
        return kept[2], number - kept[0]

    def _keep(self, reader: R, first: int, last: int) -> tuple[int, int, P]:
        kept = self._kept = first, last, self._read(reader, first, last)
        return kept

    def find(self, reader: R, name: bytes) -> tuple[P, int] | None:
        """Return a page that has the first item with a name, and the row of the item in it; None if there is none.

        Raises `ClosedError` if another thread has just unmapped the file.
        """
        kept = self._kept
        try:
            if self._find is None or kept is None or kept[1] - kept[0] < self._count:
                return self._search(reader, name)
            page = kept[2]
            row = self._find(reader.buf, (self._view, self._mask, page.name_starts, page.name_ends), name)
        except GGUFError:
            raise
        except ValueError:
            raise ClosedError("the file is closed") from None
        return None if row is None else (page, row)

    def _search(self, reader: R, name: bytes) -> tuple[P, int] | None:
        """Return what `find` returns, without the compiled scanner, and in headers that are not read at once."""
        mask, view = self._mask, self._view
        wanted = hash(name) & ~mask
        for index in range(bisect_left(view, wanted), len(view)):
            found = view[index]
            if found & ~mask != wanted:
                break
            page, row = self.at(reader, found & mask)
            if reader.buf[page.name_starts[row] : page.name_ends[row]] == name:
                return page, row
        return None

    def invalid(self, reader: R) -> tuple[P, int] | None:
        """Return the first item whose name is empty or the name of an earlier one, in the form of `find`, or None."""
        numbers = self._sorted & self._mask
        hashes = self._sorted - numbers
        suspects = numbers[1:][hashes[1:] == hashes[:-1]].tolist()
        empty = self.find(reader, b"")
        if empty is not None:
            suspects.append(empty[0].first + empty[1])
        for number in sorted(suspects):
            page, row = self.at(reader, number)
            name = bytes(reader.buf[page.name_starts[row] : page.name_ends[row]])
            found = self.find(reader, name)
            if not name or (found is not None and found[0].first + found[1] < number):
                return self.at(reader, number)
        return None
