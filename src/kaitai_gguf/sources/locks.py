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

from kaitai_gguf.errors import SHORTAGES, FileAccessError, FileError
from kaitai_gguf.sources import windows_os
from kaitai_gguf.sources.sidecar_names import beside, first_of_set, is_temporary
from kaitai_gguf.sources.signals import uninterrupted

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

__all__ = ["WAIT", "WriterLock", "lock", "unlock"]

WAIT = 2.0
"""Seconds to wait for a lock that another program holds."""

_INTERVAL = 0.002  # seconds between two attempts
_ATTEMPTS = 10  # to open a lock file that others may be creating and removing
_CONTENDED = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}


def lock(descriptor: int, *, exclusive: bool, wait: float = WAIT) -> bool:
    """Lock an open file. Return False if the file system has no locks, or a shared one fails for another reason.

    Raises BlockingIOError if another program or open file keeps a conflicting lock for `wait` seconds, and OSError if
    an exclusive lock fails.
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
                if exclusive and error.errno not in _NO_LOCKS:
                    raise
                return False  # whoever only reads notices changes without a lock
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
    """A context manager that keeps other programs from writing a file, and cleans up after those that were killed.

    If the lock file of a killed program existed, it removes the temporary files for the target once it has the lock: a
    live program holds the lock as long as it has any.

    Without locks in the file system, it neither locks nor removes anything. Raises `FileError` if another program is
    writing the file, and `FileAccessError` if the lock file exists and can't be locked: another program may be writing.
    """

    def __init__(self, target: Path, wait: float = WAIT) -> None:
        self._target = target
        self.path = beside(first_of_set(target) or target, "lock")
        self._wait = wait
        self._follows_kill = False  # or another program has held the lock until now
        self._held: weakref.finalize[..., Any] | None = None

    def acquire(self) -> None:
        deadline = time.monotonic() + self._wait
        try:
            while not self._attempt(is_last=time.monotonic() >= deadline):
                time.sleep(_INTERVAL)
            if self._follows_kill:
                _remove_temporary(self._target)
        except BaseException:
            self.release()
            raise

    def _attempt(self, is_last: bool) -> bool:
        with uninterrupted():
            descriptor = None
            try:
                has_existed = os.path.lexists(self.path)
                descriptor = self._opened()
                is_locked = lock(descriptor, exclusive=True, wait=0)
                if is_locked and not _is_at(descriptor, self.path):
                    raise BlockingIOError  # the previous owner has removed the lock file
            except FileError:
                raise
            except OSError as error:
                if descriptor is not None:
                    os.close(descriptor)
                if not is_last and isinstance(error, BlockingIOError | PermissionError):
                    return False  # the program that has created the lock file may remove it
                raise self._refusal(error) from None
            self._follows_kill = is_locked and has_existed
            # A finalizer, since a signal may arrive right before `__exit__` and skip release().
            self._held = weakref.finalize(self, _release, descriptor, self.path, os.getpid())
            return True

    def _opened(self) -> int:
        flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        for _ in range(_ATTEMPTS):
            try:
                return os.open(self.path, flags | os.O_CREAT | os.O_RDWR, 0o644)  # NFS locks only what can be written
            except PermissionError as error:
                refusal = error
            with suppress(FileNotFoundError):  # it has just been removed
                return os.open(self.path, flags | os.O_RDONLY)  # another user's file
        message = f"no file can be created in its folder: {refusal.strerror}"
        raise FileAccessError(refusal.errno, message, str(self._target))

    def _refusal(self, error: OSError) -> FileError:
        if isinstance(error, BlockingIOError):
            return FileError(errno.EAGAIN, "is being written by another program", str(self._target))
        message = f"the lock file of {self._target.name!r} can't be opened: {error.strerror}"
        if error.errno in SHORTAGES or not os.path.lexists(self.path):
            return FileError(error.errno, message, str(self.path))
        return FileAccessError(error.errno, f"{message}; remove it if no program is writing the file", str(self.path))

    def release(self) -> None:
        with uninterrupted():
            if self._held is not None:
                self._held()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _remove_temporary(path: Path) -> None:
    with suppress(OSError):
        for name in os.listdir(path.parent):
            if is_temporary(name, path):
                with suppress(OSError):
                    path.with_name(name).unlink()


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


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
