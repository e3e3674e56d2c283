"""Advisory locks between the programs that use this library.

    a model file            shared by its readers, as long as their memory maps live; exclusive for a program that
                            edits its header in place
    .NAME.kaitai-gguf-lock  exclusive for a program that writes the file NAME in any way, from the first byte to the
                            rename; the shards of a model share one, with the NAME of the first

The second lock is a separate file because a model that is replaced by a rename may be open elsewhere, and its readers
keep the old file. `flock` belongs to the open file: it works between threads as between processes, and lasts as long as
the descriptor that a memory map duplicates. POSIX record locks are unsuitable, since any `close()` of the file in the
same process releases them.
"""

import errno
import os
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from kaitai_gguf.errors import SHORTAGES, FileError
from kaitai_gguf.sources import windows_os
from kaitai_gguf.sources.sidecar_names import beside, first_of_set
from kaitai_gguf.sources.signals import uninterrupted

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

__all__ = ["WAIT", "WriterLock", "lock", "unlock"]

WAIT = 2.0
"""Seconds to wait for a lock that another program holds."""

_INTERVAL = 0.002  # seconds between two attempts
_CONTENDED = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK}


def lock(descriptor: int, *, exclusive: bool, wait: float = WAIT) -> bool:
    """Lock an open file. Return False if the file system has no locks.

    Raises BlockingIOError if another program or open file keeps a conflicting lock for `wait` seconds.
    """
    deadline = time.monotonic() + wait
    while True:
        try:
            if fcntl is None:
                windows_os.lock(descriptor, exclusive)
            else:
                fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            return True
        except OSError as error:
            if error.errno not in _CONTENDED:
                return False
            if time.monotonic() >= deadline:
                raise BlockingIOError(errno.EAGAIN, "is locked by another program") from None
        time.sleep(_INTERVAL)


def unlock(descriptor: int) -> None:
    """Release the lock of an open file, also for processes that inherited it."""
    with suppress(OSError):
        if fcntl is None:
            windows_os.unlock(descriptor)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


class WriterLock:
    """A context manager that keeps other programs from writing a file.

    Does nothing if the file system has no locks, or the lock file can't be created: writing then fails by itself.
    Raises `FileError` if another program is writing the file.
    """

    def __init__(self, target: Path, wait: float = WAIT) -> None:
        self._target = target
        self.path = beside(first_of_set(target) or target, "lock")
        self._wait = wait
        self._held: weakref.finalize[..., Any] | None = None

    def acquire(self) -> None:
        deadline = time.monotonic() + self._wait
        try:
            while not self._attempt():
                if time.monotonic() >= deadline:
                    raise FileError(errno.EAGAIN, "is being written by another program", str(self._target))
                time.sleep(_INTERVAL)
        except BaseException:
            self.release()
            raise

    def _attempt(self) -> bool:
        with uninterrupted():
            descriptor = _opened(self.path)
            if descriptor is None:
                return True
            try:
                is_locked = lock(descriptor, exclusive=True, wait=0)
            except BlockingIOError:
                os.close(descriptor)
                return False
            if is_locked and not _is_at(descriptor, self.path):
                os.close(descriptor)  # the previous owner has removed the lock file
                return False
            # A finalizer, since a signal may arrive right before `__exit__` and skip release().
            self._held = weakref.finalize(self, _release, descriptor, self.path, os.getpid())
            return True

    def release(self) -> None:
        with uninterrupted():
            if self._held is not None:
                self._held()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _release(descriptor: int, path: Path, process: int) -> None:
    is_ours = os.getpid() == process  # a forked process must not release the lock
    if is_ours and not windows_os.is_windows():  # Windows can't remove an open file
        with suppress(OSError):
            path.unlink()
    if is_ours:
        unlock(descriptor)
    os.close(descriptor)
    if is_ours and windows_os.is_windows():
        with suppress(OSError):  # another program may have opened it by now
            path.unlink()


def _opened(path: Path) -> int | None:
    flags = os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    for access in (os.O_RDWR, os.O_RDONLY):  # NFS locks only what is open for writing
        try:
            return os.open(path, flags | access, 0o644)
        except OSError as error:
            if error.errno in SHORTAGES:
                raise FileError(error.errno, error.strerror, str(path)) from None
    return None


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
