"""Files whose change in place was interrupted, read with the old header, which is in a journal beside them."""

import mmap
import os
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from kaitai_gguf.sources.sidecar_names import beside

__all__ = ["forget", "journal_head", "journal_of", "old_header", "restored"]

_HEAD = struct.Struct("<24sQQ32s")  # signature, size of the file, size of the old header, SHA-256 of all that
_SIGNATURE = b"kaitai-gguf journal 1\n\0\0"


def journal_of(path: Path) -> Path:
    """Where the journal of a file is while it is changed."""
    return beside(path, "journal")


def forget(path: Path) -> None:
    """Remove the journal of a file, if there is one: it is not looked at as long as the file has its magic."""
    with suppress(OSError):
        journal_of(path).unlink()


def journal_head(nbytes: int, old: bytes) -> bytes:
    """What a journal begins with; the old header follows. `nbytes` is the size of the file."""
    head = (_SIGNATURE, nbytes, len(old))
    return _HEAD.pack(*head, _hash(head, old))


def restored(path: str, file: BinaryIO, make_map: Callable[[BinaryIO, int], mmap.mmap] | None) -> memoryview | None:
    """The bytes of a file whose change was interrupted, with the old header; None if there is no journal of it.

    `make_map(file, access)` maps it into memory; None reads it.
    """
    old = old_header(path, file)
    if old is None:
        return None
    file.seek(0)
    # What is written to a map of this kind stays in this process.
    buf = make_map(file, mmap.ACCESS_COPY) if make_map else bytearray(file.read())
    buf[: len(old)] = old
    return memoryview(buf).toreadonly()


def old_header(path: str, file: BinaryIO) -> bytes | None:
    """The old header of a file whose change was interrupted; None if there is no journal of it."""
    journal, size = journal_of(Path(os.path.realpath(path))), os.fstat(file.fileno()).st_size
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
    import hashlib  # takes a few milliseconds, and few files are interrupted

    digest = hashlib.sha256(repr(head).encode())
    digest.update(old)
    return digest.digest()
