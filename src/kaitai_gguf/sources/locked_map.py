"""Memory maps that belong to callers, who may close them while views of them are alive."""

import mmap
import os
from contextlib import suppress
from typing import BinaryIO, Self

from kaitai_gguf.sources import locks


class LockedMap(mmap.mmap):
    """A memory map that holds the lock of its file.

    `close()` releases the lock at once, but the memory only when its last view is gone, so no view is ever invalid.
    Other readers see at once what is written through a map with ACCESS_WRITE.
    """

    _descriptor: int | None = None
    _process: int

    @classmethod
    def of(cls, file: BinaryIO, access: int) -> Self:
        """Map an open file and keep its lock. The file object may be closed afterwards."""
        result = cls(file.fileno(), 0, access=access)
        result._descriptor, result._process = os.dup(file.fileno()), os.getpid()
        return result

    def unlock(self) -> None:
        """Release the lock now."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            if os.getpid() == self._process:  # a forked process shares the lock, and must not release it
                locks.unlock(descriptor)
            os.close(descriptor)

    __del__ = unlock

    def close(self) -> None:
        """Release the lock now, and unmap the file as soon as no view of it is alive."""
        self.unlock()
        with suppress(BufferError):
            super().close()

    def __exit__(self, *exception: object) -> None:
        self.close()  # mmap's own method, in C, would not call it
