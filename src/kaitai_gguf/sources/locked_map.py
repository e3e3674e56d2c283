"""Memory maps that belong to callers, who may close them while views of them are alive."""

import mmap
import os
import weakref
from contextlib import suppress
from typing import Any, BinaryIO, Self

from kaitai_gguf.sources import locks
from kaitai_gguf.sources.signals import uninterrupted

__all__ = ["LockedMap"]


class LockedMap(mmap.mmap):
    """A memory map that holds the lock of its file.

    `close()` releases the lock at once, but the memory only when its last view is gone, so no view is ever invalid.
    Other readers see at once what is written through a map with ACCESS_WRITE.
    """

    _unlock: "weakref.finalize[Any, Any]"

    @classmethod
    def of(cls, file: BinaryIO, access: int) -> Self:
        """Map an open file and keep its lock. The file object may be closed afterwards."""
        result = cls(file.fileno(), 0, access=access)
        with uninterrupted():  # a signal could arrive before the finalizer has the descriptor
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
        self.close()  # mmap's own method, in C, would not call it


def _release(descriptor: int, process: int) -> None:
    if os.getpid() == process:  # a forked process shares the lock, and must not release it
        locks.unlock(descriptor)
    os.close(descriptor)
