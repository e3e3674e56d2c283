"""Memory maps that belong to callers, who may close them at any time, with views of them alive."""

import mmap
import os
import weakref
from contextlib import suppress
from typing import Any, BinaryIO, Self

from kaitai_gguf.sources import locks

__all__ = ["LockedMap"]


class LockedMap(mmap.mmap):
    """A memory map that has the lock of its file.

    `close()` releases the lock at once, and the memory when the last view of it is gone: no view is ever invalid. What
    was written through a map with ACCESS_WRITE is in the file, for every other reader, at once.
    """

    _unlock: "weakref.finalize[Any, Any]"

    @classmethod
    def of(cls, file: BinaryIO, access: int) -> Self:
        """Map all of an open file, and keep its lock; the file object may be closed."""
        result = cls(file.fileno(), 0, access=access)
        result._unlock = weakref.finalize(result, _release, os.dup(file.fileno()), os.getpid())
        return result

    def unlock(self) -> None:
        """Release the lock now."""
        self._unlock()

    def close(self) -> None:
        """Release the lock now, and unmap the file as soon as no view of it is alive."""
        self.unlock()
        with suppress(BufferError):
            super().close()

    def __exit__(self, *exception: object) -> None:
        self.close()  # C code would not call it


def _release(descriptor: int, process: int) -> None:
    if os.getpid() == process:  # and not in a process that was forked, which has the same lock
        locks.unlock(descriptor)
    os.close(descriptor)
