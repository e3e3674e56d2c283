"""Where a writer puts its bytes: all of them, or an error that names the target."""

import io
import os
import stat
from contextlib import suppress
from errno import EAGAIN, EIO
from pathlib import Path
from typing import Any

from kaitai_gguf.writing.atomic import reported

__all__ = ["Sink", "write_all"]

_ZEROS = 1 << 20  # bytes of zeros written at a time


class Sink:
    """A binary file object that is written from where it stands. Raises `FileError`, which names the path, or what
    the file object says that its name is.
    """

    def __init__(self, file: Any, path: Path | None = None) -> None:
        self._file = file
        self._path = path or _name_of(file)

    def write(self, data: Any) -> None:
        with reported(self._path):
            write_all(self._file, data)

    def write_zeros(self, nbytes: int) -> None:
        """Write zeros, in little memory; at the end of a regular file as a hole, where the file system has holes."""
        with reported(self._path):
            if nbytes > _ZEROS and _extended(self._file, nbytes):
                return
            zeros = bytes(min(nbytes, _ZEROS))
            for start in range(0, nbytes, _ZEROS):
                write_all(self._file, zeros[: nbytes - start])


def write_all(file: Any, data: Any) -> None:
    """Write all bytes of a buffer, however few the file takes at a time, as files without a buffer of their own may.

    An object that is not one of `io` may return None from `write()`, and is then trusted to have written all. Raises
    `OSError` for a file that takes no more, non-blocking ones included.
    """
    view = memoryview(data)
    done, nbytes = 0, view.nbytes
    while done < nbytes:
        count = file.write(view.cast("B")[done:])
        if count is None and not isinstance(file, io.IOBase):
            return
        if count is None:
            raise OSError(EAGAIN, f"is non-blocking, and took {done} of {nbytes} bytes: a blocking file is needed")
        if not 0 < count <= nbytes - done:
            raise OSError(EIO, f"took {count} of {nbytes - done} bytes, and no reason was given")
        done += count


def _name_of(file: Any) -> Path:
    name = getattr(file, "name", None)
    if isinstance(name, int):
        return Path(f"file descriptor {name}")
    return Path(os.fsdecode(name) if isinstance(name, str | bytes) else "the file object")


def _extended(file: Any, nbytes: int) -> bool:
    """Make a file longer by zeros, if it is a regular one that stands at its end, and leave it at the new end.

    Only Python's own files: others, such as `gzip.GzipFile`, have a descriptor whose positions are not theirs.
    """
    if not isinstance(file, io.FileIO) and not isinstance(getattr(file, "raw", None), io.FileIO):
        return False
    with suppress(OSError):  # a file system that can't
        file.flush()
        status, position = os.fstat(file.fileno()), file.tell()
        if stat.S_ISREG(status.st_mode) and position == status.st_size:
            file.truncate(position + nbytes)
            file.seek(position + nbytes)
            return True
    return False
