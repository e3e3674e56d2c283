"""Files that a command reads from start to end, and no further than what they are for can be long."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from kaitai_gguf import FileError
from kaitai_gguf.writing.atomic import reported

__all__ = ["read_regular", "read_up_to"]

CHUNK = 1 << 20  # bytes: what has no end is not given memory for all that it might have


def read_regular(path: str, most: int, what: str) -> bytes:
    """The bytes of a regular file, which devices and pipes are not. Raises `FileError`, also for more than `most`."""
    with reported(Path(path)):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise FileError(errno.EINVAL, "is not a regular file", path)
        if status.st_size > most:
            raise _too_large(path, most, what)
        with Path(path).open("rb") as file:
            return read_up_to(file, most, name=path, what=what)


def read_up_to(file: BinaryIO, most: int, *, name: str, what: str) -> bytes:
    """All that is left of a file of any kind. Raises `FileError` for more than `most` bytes."""
    chunks = []
    left = most
    while chunk := file.read(min(left + 1, CHUNK)):
        chunks.append(chunk)
        left -= len(chunk)
        if left < 0:
            raise _too_large(name, most, what)
    return b"".join(chunks)


def _too_large(name: str, most: int, what: str) -> FileError:
    return FileError(errno.EFBIG, f"is too large to be {what}: it has more than {most:,} bytes", name)
