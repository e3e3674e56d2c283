"""The bytes of one file, and who owns the memory that they are in."""

import mmap
import os
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:  # numpy.typing takes longer to import than all of this package
    from numpy.typing import NDArray

__all__ = ["Reopening", "Source", "State", "state_of"]

_AROUND = 1 << 21  # bytes: Linux maps the neighbours of a page that is asked for, a huge page of them at most
_FEW_LENT = 1 << 10  # views that are remembered before dead ones are forgotten
_MAGIC = 4  # bytes: what an edit in place writes first and last


class State(NamedTuple):
    """What changes when a file is written to, or when another one takes its place."""

    device: int
    inode: int
    nbytes: int
    mtime_ns: int


def state_of(status: os.stat_result) -> State:
    return State(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Reopening(NamedTuple):
    """What it takes to open the same file again, in this process or another one."""

    path: str  # absolute
    nbytes: int
    mtime_ns: int
    mmap: bool


class Source:
    """The bytes of one file.

    buffer      the bytes: a memory map, a memoryview or bytes.
    name        the path that was given; None if there was none.
    own_map     the buffer, or what it is a view of, if it is a map that was made here. Nothing else is ever given back
                to the system: a caller's map may be a private one, whose pages would lose what was written to them.
    num_pinned  how many bytes at the start of an own map are never given back, since they were written to.
    state       that of the file when it was opened; None for bytes.
    ask         gives the state that the file has now.
    path        the absolute path that was opened; None for bytes and file objects.
    is_locked   whether a lock keeps others from changing the header while the map lives.
    is_restored whether the header comes from a journal, and the file itself has another.
    """

    __slots__ = (
        "_ask",
        "_lent",
        "_magic",
        "_most_lent",
        "_own_map",
        "buffer",
        "is_locked",
        "is_restored",
        "name",
        "num_pinned",
        "path",
        "state",
    )

    def __init__(
        self,
        buffer: Any,
        name: str | None = None,
        *,
        own_map: mmap.mmap | None = None,
        state: State | None = None,
        ask: Callable[[], State | None] | None = None,
        path: str | None = None,
        is_locked: bool = False,
        is_restored: bool = False,
    ) -> None:
        self.buffer = buffer
        self.name = name
        self._own_map = own_map
        self.num_pinned = 0
        self.state = state
        self._ask = ask
        self.path = path
        self.is_locked = is_locked
        self.is_restored = is_restored
        self._magic = bytes(buffer[:_MAGIC])
        self._lent: list[tuple[weakref.ref[Any], str]] = []
        self._most_lent = _FEW_LENT

    def is_current(self) -> bool:
        """Whether the file is still what it was when it was opened; bytes always are."""
        if self._ask is None:
            return True
        return bytes(self.buffer[:_MAGIC]) == self._magic and self._ask() == self.state

    def chunks(self, start: int, end: int, nbytes: int) -> "Iterator[NDArray[np.uint8]]":
        """The bytes from one position to another as read-only views of at most `nbytes` bytes.

        What a process has touched of a map counts as its memory until the system needs it for something else. Each
        chunk of an own map is given back when the next one is asked for; it stays in the system's cache.
        """
        if start >= end:
            return
        raw = np.frombuffer(self.buffer, np.uint8)
        raw.flags.writeable = False
        for first in range(start, end, nbytes):
            chunk = raw[first : min(first + nbytes, end)]
            if self._own_map is None:
                yield chunk
                continue
            # All of it is mapped now, since a system call that comes upon a page that isn't starts over there: writing
            # takes 1.6 times as long then, more than the system itself takes to copy what is not aligned.
            chunk[:: mmap.PAGESIZE].max()
            yield chunk
            self._give_back(self._own_map, first, first + len(chunk))

    def _give_back(self, own_map: mmap.mmap, start: int, end: int) -> None:
        """Bytes next to these on the same pages are read again when somebody wants them."""
        first = max(start - _AROUND, self.num_pinned)
        first += -first % mmap.PAGESIZE
        if first < end and hasattr(own_map, "madvise"):
            own_map.madvise(mmap.MADV_DONTNEED, first, end - first)

    def lend(self, view: Any, owner: str) -> None:
        """Remember a view of an own map, and what it shows, for `release`."""
        if self._own_map is None:
            return
        self._lent.append((weakref.ref(view), owner))
        if len(self._lent) > self._most_lent:
            self._lent = [(view_of, owner) for view_of, owner in self._lent if view_of() is not None]
            self._most_lent = max(_FEW_LENT, 2 * len(self._lent))

    def lent(self) -> list[str]:
        """What the views show that are still alive."""
        return sorted({owner for view_of, owner in self._lent if view_of() is not None})

    def is_in_use(self) -> bool:
        """Whether there is any view of an own map, lent or not."""
        if self._own_map is not None:
            try:
                self._own_map.resize(len(self._own_map))  # it can't be resized, and views are the first reason why
            except BufferError:
                return True
            except (TypeError, SystemError, ValueError):
                pass
        return False

    def release(self) -> None:
        """Unmap an own map, of which there must be no view."""
        if self._own_map is not None:
            self._own_map.close()

    def reopening(self) -> Reopening:
        """Raises TypeError unless the file was opened by its path."""
        if self.path is None or self.state is None:
            raise TypeError(
                "a model opened from bytes or a file object can't be copied or pickled: open it by its path, or pickle "
                "the bytes"
            )
        return Reopening(self.path, self.state.nbytes, self.state.mtime_ns, self._own_map is not None)
