"""Headers changed where they are, so that a crash leaves the old one or the new one.

    1. The old header is written to a file beside, `.NAME.kaitai-gguf-journal`, with its hash.
    2. The magic is overwritten with `GGU~`: from here on no program takes the file for a valid one.
    3. All of the new header but its magic is written.
    4. The magic is written: from here on the file has the new header.
    5. The journal is removed.

Each step has reached the disk before the next one begins, and the four bytes of the magic are in one sector, which a
disk writes whole or not at all. Who finds `GGU~` takes the old header from the journal: `restored` for reading, without
a change to the file, and the next change for good.
"""

import hashlib
import mmap
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np

from kaitai_gguf.atomic import Staging, reported
from kaitai_gguf.errors import FileError
from kaitai_gguf.identify import INTERRUPTED
from kaitai_gguf.schema import MAGIC

try:
    import fcntl
except ImportError:  # Windows, where a file that is open for writing can't be opened so again anyway
    fcntl = None  # type: ignore[assignment]

__all__ = ["forget", "journal_of", "overwrite", "restored"]

_HEAD = struct.Struct("<24sQQ32s")  # signature, size of the file, size of the old header, SHA-256 of all that
_SIGNATURE = b"kaitai-gguf journal 1\n\0\0"


def journal_of(path: Path) -> Path:
    """Where the journal of a file is while it is changed."""
    return path.with_name(f".{path.name}.kaitai-gguf-journal")


def overwrite(path: Path, file: BinaryIO, old: bytes, new: bytes) -> None:
    """Replaces the header of a file that is open for reading and writing. Both are of the same size, padding included.

    Raises `FileError`; the file then is as it was before, or, if not even that can be written, as after a crash.
    """
    assert len(old) == len(new)
    assert old[:4] == new[:4] == MAGIC
    size = os.fstat(file.fileno()).st_size
    with _locked(path, file):
        with Staging(True) as staging, staging.file(journal_of(path)) as journal:
            head = (_SIGNATURE, size, len(old))
            journal.write(_HEAD.pack(*head, _hash(head, old)))
            journal.write(old)
        try:
            _exchange(path, file, new)
        except BaseException:
            _exchange(path, file, old)
            forget(path)
            raise
        forget(path)


def restored(path: str, file: BinaryIO, map_it: bool) -> memoryview | None:
    """The bytes of a file whose change was interrupted, with the old header; None if there is no journal of it."""
    size = os.fstat(file.fileno()).st_size
    old = _old_header(journal_of(Path(os.path.realpath(path))), size)
    if old is None:
        return None
    file.seek(0)
    # What is written to a map of this kind stays in this process.
    buf = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if map_it else bytearray(file.read())
    buf[: len(old)] = old
    # As a view of an array, since pages of a map may be given back to the system, and would come back from the file.
    return np.frombuffer(buf, np.uint8).data.toreadonly()


def forget(path: Path) -> None:
    """Removes the journal, of which there may be none."""
    with suppress(OSError):  # it is not looked at, as long as the file has its magic
        journal_of(path).unlink()


def _exchange(path: Path, file: BinaryIO, header: bytes) -> None:
    with reported(path):
        rest = memoryview(header)[len(MAGIC) :]
        for position, data in ((0, INTERRUPTED), (len(MAGIC), rest), (0, MAGIC)):
            file.seek(position)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _old_header(journal: Path, size: int) -> bytes | None:
    try:
        status = journal.stat()
        # It is not believed to be of a header that is larger than the file.
        if not stat.S_ISREG(status.st_mode) or not _HEAD.size <= status.st_size <= _HEAD.size + size:
            return None
        data = journal.read_bytes()
    except OSError:
        return None
    *head, digest = _HEAD.unpack_from(data)
    old = data[_HEAD.size :]
    if head != [_SIGNATURE, size, len(old)] or digest != _hash(tuple(head), old):
        return None
    return old


def _hash(head: tuple[bytes, int, int], old: bytes) -> bytes:
    digest = hashlib.sha256(repr(head).encode())
    digest.update(old)
    return digest.digest()


@contextmanager
def _locked(path: Path, file: BinaryIO) -> Iterator[None]:
    """Keeps others from changing the file in this way at the same time."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FileError(error.errno, "is being changed by another program", str(path)) from None
        except OSError:
            pass  # a file system without locks
    yield  # the lock goes when the file is closed
