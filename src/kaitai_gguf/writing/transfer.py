"""Copy bytes from file to file without bringing them into this process, where the system can do that."""

import errno
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

from kaitai_gguf.types import Progress

__all__ = ["SHORTENED", "transfer"]

SHORTENED = "became shorter while it was copied"

_STRIDE = 1 << 25  # bytes that the system copies at a time: often enough for a progress bar and for Ctrl-C
_CHUNK = 1 << 18  # bytes that this process copies at a time: they stay in the cache of the processor
_BLOCK = 1 << 16  # bytes: a multiple of the block size of file systems that let two files share blocks

# The system has no such call, or refuses: other file systems, kinds of files, a target that is open for appending.
_REFUSALS = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY}

_Move = Callable[[int, int, int, int, int], int]


def transfer(source: BinaryIO, start: int, end: int, target: BinaryIO, progress: Progress) -> None:
    """Copy the bytes of a file from one position to another, to the current position of the target, which is its end.

    The system copies them (`copy_file_range`), and file systems that can do so share the blocks, where both positions
    are at the same distance from the start of a block. Where the system refuses, they are read and written. Holes stay
    holes. `progress` is called with the number of bytes done since the last call. Raises `OSError`, also if the
    source ends before `end`.
    """
    target.flush()
    shift = target.tell() - start
    moves: list[_Move] = [_read_and_write]
    if hasattr(os, "copy_file_range"):
        moves.append(_by_system)
    done = start
    for first, last in _extents(source.fileno(), start, end):
        position = first
        while position < last:
            nbytes = min(last - position, _STRIDE)
            if not shift % _BLOCK and position % _BLOCK:
                nbytes = min(nbytes, -position % _BLOCK)  # only whole blocks can be shared
            count = _moved(moves, (source.fileno(), target.fileno(), position, nbytes, shift))
            position += count
            progress(position - done)
            done = position
    if os.fstat(source.fileno()).st_size < end:
        raise OSError(errno.EIO, SHORTENED)
    if done < end:
        os.ftruncate(target.fileno(), end + shift)  # a hole at the end
        progress(end - done)
    target.seek(end + shift)


def _moved(moves: list[_Move], job: tuple[int, int, int, int, int]) -> int:
    """Copy some bytes in the last of the ways, and forget it if the system refuses or copies nothing."""
    while True:
        try:
            count = moves[-1](*job)
        except OSError as error:
            if len(moves) == 1 or error.errno not in _REFUSALS:
                raise
            count = 0
        if count:
            return count
        if len(moves) == 1:
            raise OSError(errno.EIO, SHORTENED)
        moves.pop()


def _extents(file: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges that have data."""
    if not hasattr(os, "SEEK_DATA"):
        yield start, end
        return
    position = start
    while position < end:
        try:
            first = os.lseek(file, position, os.SEEK_DATA)
            position = os.lseek(file, first, os.SEEK_HOLE)
        except OSError as error:
            if error.errno != errno.ENXIO:  # which means that the rest is a hole, or that the file is shorter
                yield position, end
            return
        if first < end:
            yield first, min(position, end)


def _by_system(source: int, target: int, position: int, nbytes: int, shift: int) -> int:
    return os.copy_file_range(source, target, nbytes, position, position + shift)


def _read_and_write(source: int, target: int, position: int, nbytes: int, shift: int) -> int:
    os.lseek(source, position, os.SEEK_SET)
    os.lseek(target, position + shift, os.SEEK_SET)
    data = os.read(source, min(nbytes, _CHUNK))
    return os.write(target, data) if data else 0
