"""Copy bytes from file to file: with a system call, so that file systems can share blocks, or in large reads."""

import errno
import os
from collections.abc import Iterator
from io import FileIO
from typing import BinaryIO

from kaitai_gguf.types import Progress

__all__ = ["transfer"]

_STRIDE = 1 << 25  # bytes that the system copies at a time: few enough for a progress bar and for Ctrl-C
_CHUNK = 1 << 19  # bytes that this process copies at a time: few enough for the cache of the processor
_BLOCK = 1 << 16  # bytes: a multiple of the block size of file systems where two files can share blocks
_PAGE = 1 << 12  # bytes: if pages don't align, the system call is slower than reading and writing

# Errors if the system call is missing or refuses: other file systems or kinds of files, a target opened for appending.
_REFUSALS = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY}


def transfer(source: FileIO, start: int, end: int, target: BinaryIO, progress: Progress) -> None:
    """Append the bytes `start` to `end` of a file to the target, whose position must be its end.

    If the distance between source and target position is a multiple of the page size, the system copies
    (`copy_file_range`), and file systems that support it share blocks. Otherwise, or if the system refuses, the bytes
    are read and written. Holes stay holes. `progress` is called with the number of bytes copied since the last call.
    Raises `OSError`, also if the source ends before `end`.
    """
    target.flush()
    shift = target.tell() - start
    buffer = memoryview(bytearray(min(_CHUNK, end - start)))
    uses_system = hasattr(os, "copy_file_range") and not shift % _PAGE
    done = start
    for first, last in _extents(source.fileno(), start, end):
        position = first
        while position < last:
            count = _copied_by_system(source, target, position, last, shift) if uses_system else 0
            uses_system = count > 0
            if not uses_system:
                source.seek(position)
                count = source.readinto(buffer[: last - position]) or 0
                os.lseek(target.fileno(), position + shift, os.SEEK_SET)
                count = count and os.write(target.fileno(), buffer[:count])
            if not count:
                raise OSError(errno.EIO, "the file that is copied has become shorter")
            position += count
            progress(position - done)
            done = position
    if os.fstat(source.fileno()).st_size < end:
        raise OSError(errno.EIO, "the file that is copied has become shorter")
    if done < end:
        os.ftruncate(target.fileno(), end + shift)  # a hole at the end
        progress(end - done)
    target.seek(end + shift)


def _copied_by_system(source: FileIO, target: BinaryIO, position: int, last: int, shift: int) -> int:
    """Copy some bytes with a system call, and return their number; 0 if the system refuses."""
    nbytes = min(last - position, _STRIDE)
    if not shift % _BLOCK and position % _BLOCK:
        nbytes = min(nbytes, -position % _BLOCK)  # only whole blocks can be shared
    try:
        return os.copy_file_range(source.fileno(), target.fileno(), nbytes, position, position + shift)
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        return 0


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
            if error.errno != errno.ENXIO:  # ENXIO: the rest is a hole, or the file is shorter
                yield position, end
            return
        if first < end:
            yield first, min(position, end)
