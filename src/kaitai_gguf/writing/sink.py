"""The file that a writer writes to: all bytes are written, or an error names the file."""

import io
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EAGAIN, EIO
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kaitai_gguf.errors import reported
from kaitai_gguf.reading.chunks import CHUNK
from kaitai_gguf.sources import Source
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.transfer import transfer

__all__ = ["Copy", "Sink", "write_all"]

STRIDE = 1 << 25  # bytes to write before the system is asked to write them to the disk
_ZEROS = 1 << 20  # bytes of zeros written at a time
_LEAST_MOVED = 1 << 16  # bytes: below this, a plain write is faster than a copy by the system


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
        self._waiting = 0  # bytes written since the system was asked to write to the disk
        self.copies: list[Copy] = []
        """What was written by `copy`, in order."""
        self._reported = reported(path or _name_of(file))
        self._originals: dict[Source, io.FileIO | None] = {}

    def write(self, data: Any) -> None:
        try:
            nbytes = write_all(self.file, data)
            self._written(nbytes)
        except OSError:
            with self._reported:  # entering it takes as long as a small write
                raise
        self.nbytes += nbytes

    def _written(self, nbytes: int) -> None:
        self._waiting += nbytes
        if self._waiting >= STRIDE and isinstance(getattr(self.file, "raw", self.file), io.FileIO):
            self._waiting = 0
            start_writing(self.file)

    def write_zeros(self, nbytes: int) -> None:
        """Write zeros in little memory. At the end of a regular file they become a hole if the file system has them."""
        if not nbytes:
            return
        self.nbytes += nbytes
        with self._reported:
            if nbytes > _ZEROS and _extended(self.file, nbytes):
                return
            zeros = bytes(min(nbytes, _ZEROS))
            for start in range(0, nbytes, _ZEROS):
                write_all(self.file, zeros[: nbytes - start])

    def copy(self, source: Source, start: int, end: int, progress: Progress) -> None:
        """Write the bytes of a source from one position to another.

        They are copied from file to file if both are regular files, the source is still the file that was opened, and
        the target is at its end. `progress` is called with the number of bytes done since the last call.
        Raises `FileError` for a source that has become shorter.
        """
        if start >= end:
            return

        def moved(nbytes: int) -> None:
            self._written(nbytes)
            progress(nbytes)

        with self._reported:
            is_moved = end - start >= _LEAST_MOVED and self._moved(source, start, end, moved)
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
        """Flush a file, and start to write it to the disk."""
        with self._reported:
            self.file.flush()
            start_writing(self.file)

    def close(self) -> None:
        """Release all sources. The file object stays open."""
        self.close_sources()
        self.copies.clear()

    def close_sources(self) -> None:
        """Close the files that were opened to copy from."""
        for original in self._originals.values():
            if original is not None:
                original.close()
        self._originals.clear()


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
            raise OSError(EAGAIN, message)
        if not 0 < count <= left:
            raise OSError(EIO, f"accepted {count} of {left} bytes, without a reason")
        left -= count
    return nbytes


def start_writing(file: Any) -> None:
    """Ask the system to start writing a file to the disk, without waiting. Only Linux supports this.

    Without it, Linux starts after a few seconds, or when a tenth of the memory is waiting to be written, and copying
    1 GB takes a quarter longer until it is on the disk. This guarantees nothing and reports no errors; `fsync` does.
    """
    sync_file_range = _sync_file_range() if sys.platform == "linux" else None
    if sync_file_range is not None:
        sync_file_range(file.fileno(), 0, 0, 2)  # 0 bytes: to the end; 2: SYNC_FILE_RANGE_WRITE in <linux/fs.h>


@cache
def _sync_file_range() -> Callable[[int, int, int, int], int] | None:
    import ctypes  # takes milliseconds to import, and only long writes need it

    function = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return function


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
