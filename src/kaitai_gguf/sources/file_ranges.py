"""Open files that are read by ranges: local ones that are not mapped, and file objects of other libraries."""

import os
import threading
from typing import Any

from kaitai_gguf.sources.foreign_files import translated
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.urls import without_secrets


def local_version(status: os.stat_result) -> str:
    """Return a text that changes when a local file does: its size in bytes and modification time in nanoseconds."""
    return f"{status.st_size}-{status.st_mtime_ns}"


class FileRanges(Ranges):
    """A seekable binary file object, which the caller keeps open. Its position is restored after each read.

    Threads take turns.
    """

    def __init__(self, file: Any, first: int, path: str | None = None) -> None:
        """Read at most `first` bytes from the start of the file into `start`.

        `path` is the path of a local file. Raises `FileError`.
        """
        if path is None:
            given = getattr(file, "full_name", None) or getattr(file, "name", None)
            name = without_secrets(given) if isinstance(given, str) else "the file object"
        else:
            name, self.version = path, local_version(os.fstat(file.fileno()))
        super().__init__(name)
        self._file = file
        self._turn = threading.Lock()
        self.nbytes = translated(name, self._size)
        self.start = self.read(0, min(first, self.nbytes))

    def _size(self) -> int:
        position = self._file.tell()
        size = int(self._file.seek(0, 2))
        self._file.seek(position)
        return size

    def _read(self, start: int, end: int) -> bytes:
        data = translated(self.name, lambda: self._filled(start, end))
        if not isinstance(data, bytes):
            raise TypeError(f"{self.name}: expected a file object that reads bytes, not {type(data).__name__}")
        self._count(1, len(data))
        return data

    def _filled(self, start: int, end: int) -> Any:
        with self._turn:
            position = self._file.tell()
            try:
                self._file.seek(start)
                data = self._file.read(end - start)
                while isinstance(data, bytes) and 0 < len(data) < end - start:  # may read less than it could
                    more = self._file.read(end - start - len(data))
                    if not more:
                        break
                    data += more
                return data
            finally:
                self._file.seek(position)
