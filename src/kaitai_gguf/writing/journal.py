"""Change a header in place so that a crash leaves the old header or the new one.

    1. Write the old header and its hash to a journal next to the file: `.NAME.kaitai-gguf-journal`.
    2. Overwrite the magic with `GGU~`. From here on, no program takes the file for a valid one.
    3. Write the new header except for its magic.
    4. Write the magic. From here on, the file has the new header.
    5. Remove the journal.

Each step reaches the disk before the next one begins, and the four bytes of the magic are in one sector, which a disk
writes as a whole or not at all. A reader that finds `GGU~` takes the old header from the journal and does not change
the file (`sources.journal_recovery`); the next change repairs the file.
"""

import os
import time
from pathlib import Path
from typing import BinaryIO

from kaitai_gguf.errors import reported
from kaitai_gguf.schema import MAGIC
from kaitai_gguf.sources.identify import INTERRUPTED
from kaitai_gguf.sources.journal_recovery import forget, journal_head, journal_of
from kaitai_gguf.writing.atomic import Staging

_TICK = 0.01  # seconds: the longest interval between two ticks of a file system's clock on Linux
_STEPS = (1_000, 2_000_000_000)  # nanoseconds: the resolution of times on most file systems, and on FAT


def overwrite(path: Path, file: BinaryIO, old: bytes, new: bytes) -> None:
    """Replace the first bytes of a file that is open for reading and writing, and that no other program has open.

    old, new  the old and the new header, padded to the same size.

    The modification time always increases, even if the clock of the file system is coarse. Raises `FileError`; the old
    header is restored then, or if that fails too, the file is as after a crash.
    """
    assert len(old) == len(new)
    assert old[:4] == new[:4] == MAGIC
    with Staging(True, locked=path) as staging, staging.file(journal_of(path)) as journal:
        journal.write(journal_head(os.fstat(file.fileno()).st_size, old))
        journal.write(old)
    with reported(path):
        try:
            _exchange(path, file, new)
        except BaseException:
            _exchange(path, file, old)
            forget(path)
            raise
    forget(path)


def _exchange(path: Path, file: BinaryIO, header: bytes) -> None:
    before = path.stat()
    for position, data in ((0, INTERRUPTED), (len(MAGIC), header[len(MAGIC) :]), (0, MAGIC)):
        file.seek(position)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    for step in _STEPS:
        try:
            os.utime(path, ns=(before.st_atime_ns, max(path.stat().st_mtime_ns, before.st_mtime_ns + step)))
        except PermissionError:  # only the owner may set any time; others may set the current time, after the next tick
            time.sleep(_TICK)
            os.utime(path)
        if path.stat().st_mtime_ns > before.st_mtime_ns:
            break
