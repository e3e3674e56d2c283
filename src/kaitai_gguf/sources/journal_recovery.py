"""Read files whose in-place edit was interrupted, with the old header from the journal beside them."""

import mmap
import os
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from kaitai_gguf.sources.sidecar_names import beside

# Signature, size of the file, size of the old header, SHA-256 of these three and the old header.
_HEAD = struct.Struct("<24sQQ32s")
_SIGNATURE = b"kaitai-gguf journal 1\n\0\0"


def journal_of(path: Path) -> Path:
    """Return the path that the journal of a file has while the file is being edited."""
    return beside(path, "journal")


def forget(path: Path) -> None:
    """Remove the journal of a file, if there is one. A journal is ignored as long as the file has its magic."""
    with suppress(OSError):
        journal_of(path).unlink()


def journal_head(nbytes: int, old: bytes) -> bytes:
    """Return the first bytes of a journal; the old header follows. `nbytes` is the size of the model file."""
    head = (_SIGNATURE, nbytes, len(old))
    return _HEAD.pack(*head, _hash(head, old))


def restored(path: str, file: BinaryIO, make_map: Callable[[BinaryIO, int], mmap.mmap] | None) -> memoryview | None:
    """Return the bytes of a file whose edit was interrupted, with the old header; None without a valid journal.

    `make_map(file, access)` maps the file into memory; None reads it instead.
    """
    old = old_header(path, file)
    if old is None:
        return None
    file.seek(0)
    # A copy-on-write map: what is written to it stays in this process.
    buf = make_map(file, mmap.ACCESS_COPY) if make_map else bytearray(file.read())
    buf[: len(old)] = old
    return memoryview(buf).toreadonly()


def old_header(path: str, file: BinaryIO) -> bytes | None:
    """Return the old header of a file whose edit was interrupted; None without a valid journal."""
    journal, size = journal_of(Path(os.path.realpath(path))), os.fstat(file.fileno()).st_size
    try:
        status = journal.stat()
        # A header can't be larger than its file.
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
    import hashlib  # takes a few milliseconds, and few edits are interrupted

    return hashlib.sha256(repr(head).encode() + old).digest()
