"""Start writing to the disk while a file is still being written."""

import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import BinaryIO

from kaitai_gguf.types import Progress

__all__ = ["start_writing", "write_behind"]

_STRIDE = 1 << 25  # bytes written between two requests to start writing to the disk
_START = 2  # SYNC_FILE_RANGE_WRITE in <linux/fs.h>

_SyncFileRange = Callable[[int, int, int, int], int]


def write_behind(files: Iterable[BinaryIO], progress: Progress | None) -> Progress:
    """Return a progress callback that calls `progress`, and `start_writing` every 32 MiB."""
    waiting = 0

    def advance(nbytes: int) -> None:
        nonlocal waiting
        waiting += nbytes
        if waiting >= _STRIDE:
            waiting = 0
            start_writing(files)
        if progress is not None:
            progress(nbytes)

    return advance


def start_writing(files: Iterable[BinaryIO]) -> None:
    """Ask the system to start writing the contents of files to the disk, without waiting. Only Linux supports this.

    Without it, Linux starts after a few seconds, or when a tenth of the memory is waiting to be written. This
    guarantees nothing and reports no errors; `fsync` does.
    """
    sync_file_range = _sync_file_range()
    if sync_file_range is not None:
        for file in files:
            sync_file_range(file.fileno(), 0, 0, _START)  # 0 bytes: to the end


@cache
def _sync_file_range() -> _SyncFileRange | None:
    if sys.platform != "linux":
        return None
    import ctypes  # takes milliseconds to import, and only long writes need it

    function = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return function
