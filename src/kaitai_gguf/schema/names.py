"""Find items by name in little memory: headers may have millions, but most have a few dozen."""

from bisect import bisect_left

import numpy as np

from kaitai_gguf.errors import ClosedError
from kaitai_gguf.schema.scanner import Buffer, IntArray, Scanner


class Names:
    """The names of all key-values or of all tensors, each between a start and an end in the buffer.

    Each item takes 8 bytes: the hash of its name, with its number in the lowest bits. These are Python's
    hashes, which have a new random key in each process, so that no file can provoke collisions. A match is confirmed
    by comparing the bytes. The buffer is given to each method, and not kept here: a closed file gives it up.
    """

    def __init__(self, scanner: Scanner, buf: Buffer, starts: IntArray, ends: IntArray) -> None:
        self._find = scanner.find
        self._starts, self._ends = starts.data, ends.data  # their items are Python integers
        self._mask = (1 << len(starts).bit_length()) - 1  # selects the number
        self._sorted = scanner.hashes(buf, starts, ends) & ~self._mask | np.arange(len(starts))
        self._sorted.sort()
        self._view = self._sorted.data

    def find(self, buf: Buffer, name: bytes) -> int | None:
        """Return the number of the first item with a name, or None.

        Raises `ClosedError` if another thread has just unmapped the file.
        """
        try:
            if self._find is None:
                return self._search(buf, name)
            number: int | None = self._find(buf, (self._view, self._mask, self._starts, self._ends), name)
        except ValueError:
            raise ClosedError("the file is closed") from None
        return number

    def _search(self, buf: Buffer, name: bytes) -> int | None:
        wanted = hash(name) & ~self._mask
        for index in range(bisect_left(self._view, wanted), len(self._view)):
            number = self._view[index] & self._mask
            if self._view[index] - number != wanted:
                break
            if self.name(buf, number) == name:
                return number
        return None

    def name(self, buf: Buffer, number: int) -> bytes:
        """Return the bytes of the name of an item."""
        return bytes(buf[self._starts[number] : self._ends[number]])

    def invalid(self, buf: Buffer) -> int | None:
        """Return the number of the first item whose name is empty or the name of an earlier one, or None."""
        numbers = self._sorted & self._mask
        hashes = self._sorted - numbers
        suspects = numbers[1:][hashes[1:] == hashes[:-1]].tolist()
        empty = self.find(buf, b"")
        if empty is not None:
            suspects.append(empty)
        for number in sorted(suspects):
            name = self.name(buf, number)
            first = self.find(buf, name)
            if not name or (first is not None and first < number):
                return int(number)
        return None
