"""The file that a writer writes to: all bytes are written, or an error names the file."""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kaitai_gguf.errors import reported
from kaitai_gguf.reading.chunks import CHUNK
from kaitai_gguf.sources import Source
from kaitai_gguf.types import Progress

_ZEROS = 1 << 20  # bytes of zeros written at a time
_LEAST_MOVED = 1 << 16  # bytes: below this, a plain write is faster than a copy by the system
_STRIDE = 1 << 25  # bytes that the system copies at a time: few enough for a progress bar and for Ctrl-C
_BUFFER = 1 << 19  # bytes that this process copies at a time: few enough for the cache of the processor
_BLOCK = 1 << 16  # bytes: a multiple of the block size of file systems where two files can share blocks
_PAGE = 1 << 12  # bytes: if pages don't align, the system call is slower than reading and writing

# Errors if the system call is missing or refuses: other file systems or kinds of files, a target opened for appending.
_REFUSALS = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY}


class Copy(NamedTuple):
    """Bytes of a source that were written unchanged."""

    source: Source
    start: int
    end: int
    position: int
    """Their position in the new file."""
    is_moved: bool
    """Whether they were copied from file to file, without passing through the memory map."""


class Sink:
    """A binary file object that is written from its current position on.

    Raises `FileError`, which names the path, or else the `name` of the file object.
    """

    def __init__(self, file: Any, path: Path | str | None = None) -> None:
        self.file = file
        self.nbytes = 0
        """The number of bytes written so far."""
        self.copies: list[Copy] = []
        """What was written by `copy`, in order."""
        self._reported = reported(path or _name_of(file))
        self._originals: dict[Source, io.FileIO | None] = {}

    def write(self, data: Any) -> None:
        try:
            self.nbytes += write_all(self.file, data)
        except OSError:
            with self._reported:  # entering it takes as long as a small write
                raise

    def write_zeros(self, nbytes: int) -> None:
        """Write zeros in little memory. At the end of a regular file they become a hole if the file system has them."""
        if nbytes > _ZEROS and _extended(self.file, nbytes):
            self.nbytes += nbytes
            return
        zeros = bytes(min(nbytes, _ZEROS))
        for start in range(0, nbytes, _ZEROS):
            self.write(zeros[: nbytes - start])

    def copy(self, source: Source, start: int, end: int, progress: Progress) -> None:
        """Write the bytes of a source from one position to another.

        They are copied from file to file if both are regular files, the source is still the file that was opened, and
        the target is at its end. `progress` is called with the number of bytes done since the last call.
        Raises `FileError` for a source that has become shorter.
        """
        if start >= end:
            return
        with self._reported:
            is_moved = end - start >= _LEAST_MOVED and self._moved(source, start, end, progress)
        self.copies.append(Copy(source, start, end, self.nbytes, is_moved))
        if is_moved:
            self.nbytes += end - start
            return
        for chunk in source.chunks(start, end, CHUNK):
            self.write(chunk)
            progress(len(chunk))

    def _moved(self, source: Source, start: int, end: int, progress: Progress) -> bool:
        if not _is_at_end(self.file):
            return False
        if source not in self._originals:
            self._originals[source] = source.reopened()
        original = self._originals[source]
        if original is None or not source.has_state_of(original):
            return False
        position = self.file.tell()
        try:
            transfer(original, start, end, self.file, progress)
        except OSError:
            source.has_state_of(original)  # raises if it has become shorter, which explains the error
            raise
        if source.has_state_of(original):
            return True
        self.file.seek(position)  # the file changed meanwhile: copy the current content from the map
        self.file.truncate()
        return False

    def flush(self) -> None:
        """Write what the file object still holds in memory. Objects that only have `write()` hold nothing."""
        with self._reported:
            getattr(self.file, "flush", lambda: None)()

    def close(self) -> None:
        """Release all sources, so that their maps can be closed. The file object stays open."""
        self.close_sources()
        self.copies.clear()

    def close_sources(self) -> None:
        """Close the files that were opened to copy from."""
        for original in self._originals.values():
            if original is not None:
                original.close()
        self._originals.clear()


def transfer(source: io.FileIO, start: int, end: int, target: BinaryIO, progress: Progress) -> None:
    """Append the bytes `start` to `end` of a file to the target, whose position must be its end.

    If the distance between source and target position is a multiple of the page size, the system copies
    (`copy_file_range`), and file systems that support it share blocks. Otherwise, or if the system refuses, the bytes
    are read and written. Holes stay holes. `progress` is called with the number of bytes copied since the last call.
    Raises `OSError`, also if the source ends before `end`.
    """
    target.flush()
    shift = target.tell() - start
    buffer = memoryview(bytearray(min(_BUFFER, end - start)))
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


def _copied_by_system(source: io.FileIO, target: BinaryIO, position: int, last: int, shift: int) -> int:
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


def write_all(file: Any, data: Any) -> int:
    """Write all bytes of a buffer, even if the file accepts only some at a time, as unbuffered files may.

    Return their number. If an object that is not from `io` returns None from `write()`, it is trusted to have written
    everything. Raises `OSError` for a file that accepts no more, non-blocking ones included.
    """
    view = memoryview(data)
    nbytes = left = view.nbytes
    view = view.cast("B") if nbytes else view  # Python can't cast a view of no elements
    while left:
        count = file.write(view if left == nbytes else view[-left:])
        if count is None and not isinstance(file, io.IOBase):
            break
        if count is None:
            message = f"is non-blocking, and accepted {nbytes - left} of {nbytes} bytes; use a blocking file"
            raise OSError(errno.EAGAIN, message)
        if not 0 < count <= left:
            raise OSError(errno.EIO, f"accepted {count} of {left} bytes, without a reason")
        left -= count
    return nbytes


def _name_of(file: Any) -> Path:
    name = getattr(file, "name", None)
    if isinstance(name, int):
        return Path(f"file descriptor {name}")
    return Path(os.fsdecode(name) if isinstance(name, str | bytes) else "the file object")


def _is_at_end(file: Any) -> bool:
    """Flush a file, and return whether it is a regular file positioned at its end.

    Only for Python's own files: others, such as `gzip.GzipFile`, have a descriptor with different positions.
    """
    if not isinstance(file, io.FileIO) and not isinstance(getattr(file, "raw", None), io.FileIO):
        return False
    file.flush()
    status = os.fstat(file.fileno())
    return stat.S_ISREG(status.st_mode) and file.tell() == status.st_size


def _extended(file: Any, nbytes: int) -> bool:
    """Extend a file by zeros if it is positioned at its end, and move to the new end. Return whether it was done."""
    with suppress(OSError):  # not every file system can do that
        if _is_at_end(file):
            end = file.tell() + nbytes
            file.truncate(end)
            file.seek(end)
            return True
    return False
