"""Bytes moved from file to file by the system itself, where it can."""

import errno
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

__all__ = ["transfer"]

PIECE = 1 << 20  # bytes moved at a time by this process
STRIDE = 1 << 27  # bytes moved at a time by the system: often enough for a progress bar
SHORTER = "the file that is copied has become shorter"

# What says that the system can't do it here: on another file system, or with files of some kind.
_CANT = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY}


def transfer(source: BinaryIO, start: int, end: int, target: BinaryIO, progress: Callable[[int], None]) -> None:
    """Copies the bytes of a file from one position to another, to where the target stands, and to its end.

    Holes stay holes. `progress` is called with the number of bytes done since the last call. Raises `OSError`.
    """
    if os.fstat(source.fileno()).st_size < end:
        raise OSError(errno.EIO, SHORTER)
    target.flush()
    shift = target.tell() - start
    move = _by_system if hasattr(os, "copy_file_range") else _by_hand
    done = start
    for first, last in _extents(source.fileno(), start, end):
        position = first
        while position < last:
            try:
                count = move(source.fileno(), target.fileno(), position, min(last - position, STRIDE), shift)
            except OSError as error:
                if move is _by_hand or error.errno not in _CANT:
                    raise
                move = _by_hand
                continue
            if not count:
                raise OSError(errno.EIO, SHORTER)
            position += count
            progress(position - done)
            done = position
    progress(end - done)
    os.ftruncate(target.fileno(), end + shift)  # there may be a hole at the end
    target.seek(end + shift)


def _extents(file: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where there is data."""
    if not hasattr(os, "SEEK_DATA"):
        yield start, end
        return
    position = start
    while position < end:
        try:
            first = os.lseek(file, position, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # a hole up to the end
                return
            yield position, end
            return
        position = os.lseek(file, first, os.SEEK_HOLE)
        if first < end:
            yield first, min(position, end)


def _by_system(source: int, target: int, position: int, nbytes: int, shift: int) -> int:
    return os.copy_file_range(source, target, nbytes, position, position + shift)


def _by_hand(source: int, target: int, position: int, nbytes: int, shift: int) -> int:
    os.lseek(source, position, os.SEEK_SET)
    os.lseek(target, position + shift, os.SEEK_SET)
    data = os.read(source, min(nbytes, PIECE))
    return os.write(target, data) if data else 0
