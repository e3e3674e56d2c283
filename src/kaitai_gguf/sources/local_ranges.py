"""Local files read by ranges instead of being mapped, for programs that read thousands of headers."""

import errno
import os
import threading
from typing import BinaryIO

from kaitai_gguf.errors import FileError, file_error
from kaitai_gguf.sources.ranges import Again

__all__ = ["LocalRanges", "local_version"]

FIRST = 1 << 17  # bytes that are read first: a header without a vocabulary has fewer


def local_version(status: os.stat_result) -> str:
    """Return a text that changes when a local file does: its size in bytes and modification time in nanoseconds."""
    return f"{status.st_size}-{status.st_mtime_ns}"


class LocalRanges:
    """A local file that the caller keeps open. Safe for threads."""

    address: str | None = None
    again: Again | None = None

    def __init__(self, file: BinaryIO, name: str, first: int = FIRST) -> None:
        """Read at most `first` bytes from the start of the file into `start`. Raises `FileError`."""
        self.name = name
        status = os.fstat(file.fileno())
        self.nbytes = status.st_size
        self.version: str | None = local_version(status)
        self.num_requests = self.num_bytes = 0
        self._file = file
        self._turn = threading.Lock()
        self.start = self.read(0, min(first, self.nbytes))

    def read(self, start: int, end: int) -> bytes:
        """Return exactly the bytes from `start` to before `end`. Raises `FileError` if the file ends before."""
        data = self._read(start, end - start)
        while 0 < len(data) < end - start:  # a read that was interrupted, or of more than 2 GiB
            more = self._read(start + len(data), end - start - len(data))
            if not more:
                break
            data += more
        with self._turn:
            self.num_requests += 1
            self.num_bytes += len(data)
        if len(data) != end - start:
            raise FileError(errno.EIO, f"was truncated while it was being read: it had {self.nbytes} bytes", self.name)
        return data

    def _read(self, start: int, size: int) -> bytes:
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file.fileno(), size, start)
            with self._turn:  # Windows
                self._file.seek(start)
                return self._file.read(size)
        except OSError as error:
            raise file_error(error, self.name) from None

    def close(self) -> None:
        """Do nothing: the file is the caller's."""
