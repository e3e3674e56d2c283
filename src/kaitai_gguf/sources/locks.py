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
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from kaitai_gguf.errors import SHORTAGES, FileAccessError, FileError
from kaitai_gguf.sources import windows_os
from kaitai_gguf.sources.sidecar_names import beside, first_of_set, temporary_files

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

WAIT = 2.0
"""Seconds to wait for a lock that another program holds."""

_INTERVAL = 0.002  # seconds between two attempts
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
        self._process = os.getpid()
        self._file: BinaryIO | None = None  # if nothing refers to it any more, it is closed, which releases the lock

    def acquire(self) -> None:
        deadline = time.monotonic() + self._wait
        while not self._attempt(is_last=time.monotonic() >= deadline):
            time.sleep(_INTERVAL)

    def _attempt(self, is_last: bool) -> bool:
        has_existed = os.path.lexists(self.path)
        try:
            file = open(self.path, "rb", buffering=0, opener=_open_lock_file)  # noqa: SIM115
            try:
                is_locked = lock(file.fileno(), exclusive=True, wait=0)
                if is_locked and not _is_at(file.fileno(), self.path):
                    raise BlockingIOError  # the previous owner has removed the lock file
            except BaseException:
                file.close()
                raise
        except OSError as error:
            # The program that has created the lock file may remove it.
            is_contended = isinstance(error, BlockingIOError | FileNotFoundError)
            if not is_last and (is_contended or (has_existed and isinstance(error, PermissionError))):
                return False
            raise self._refusal(error) from None
        self._file = file
        if is_locked and has_existed:
            for leftover in temporary_files(self._target):
                with suppress(OSError):
                    leftover.unlink()
        return True

    def _refusal(self, error: OSError) -> FileError:
        if isinstance(error, BlockingIOError):
            return FileError(errno.EAGAIN, "is being written by another program", str(self._target))
        has_lock_file = os.path.lexists(self.path)
        if isinstance(error, PermissionError) and not has_lock_file:
            message = f"no file can be created in its folder: {error.strerror}"
            return FileAccessError(error.errno, message, str(self._target))
        message = f"the lock file of {self._target.name!r} can't be opened: {error.strerror}"
        if error.errno in SHORTAGES or not has_lock_file:
            return FileError(error.errno, message, str(self.path))
        return FileAccessError(error.errno, f"{message}; remove it if no program is writing the file", str(self.path))

    def release(self) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        with file:
            if os.getpid() != self._process:
                return  # a forked process must not release the lock
            if not windows_os.is_windows():
                self._remove()
            unlock(file.fileno())
        if windows_os.is_windows():  # it can't remove an open file; another program may have opened this one by now
            self._remove()

    def _remove(self) -> None:
        with suppress(OSError):
            self.path.unlink()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _open_lock_file(path: str, _: int) -> int:
    flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(path, flags | os.O_CREAT | os.O_RDWR, 0o644)  # NFS locks only what can be written
    except PermissionError:
        if not os.path.lexists(path):
            raise
        return os.open(path, flags | os.O_RDONLY)  # another user's file


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
