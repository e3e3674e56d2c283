"""Files that appear whole or not at all."""

import errno
import os
import stat
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

from kaitai_gguf.errors import (
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    Hint,
    hinted,
    reported,
)
from kaitai_gguf.sources import Source, State, state_of
from kaitai_gguf.sources.journal_recovery import forget
from kaitai_gguf.sources.locks import WriterLock
from kaitai_gguf.sources.sidecar_names import temporary_beside
from kaitai_gguf.sources.signals import uninterrupted
from kaitai_gguf.sources.urls import NO_FOLDER, is_url, local_path, without_secrets
from kaitai_gguf.sources.windows_os import is_windows
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.paths import check_creatable, check_folder
from kaitai_gguf.writing.write_behind import start_writing, write_behind

__all__ = [
    "CHANGED",
    "Staging",
    "already_exists",
    "check_writable",
    "is_file_of",
    "real_path",
    "sync_folder",
]


def real_path(path: str | bytes | os.PathLike[Any]) -> Path:
    """Return the path with symbolic links resolved. Raises `FileError` for an invalid path."""
    text = local_path(os.fsdecode(path))
    if not text:  # the system would take it for the current folder
        raise FileMissingError(errno.ENOENT, "the path is empty", text)
    if is_url(text):
        message = "can't be written to: write to a path on this machine, and upload the file"
        raise FileError(errno.EINVAL, message, without_secrets(text))
    if text.endswith(("/", os.sep)) and not os.path.isdir(text):
        raise FileIsDirectoryError(errno.EISDIR, "ends with a slash: specify the name of a file", text)
    try:
        if "\0" in text:
            raise ValueError("it contains a null character")
        return Path(os.path.realpath(text))
    except ValueError as error:  # UnicodeEncodeError is one
        shown = text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
        raise FileError(errno.EINVAL, f"is not a path: {error}", shown) from None
    except OSError as error:
        raise FileError(error.errno, NO_FOLDER, text) from None


def is_file_of(source: Source, target: Path) -> bool:
    """Return whether a source was opened from the file at a path with its symbolic links resolved."""
    origin = _origin(source)
    return origin is not None and _leads_to(origin[0], target)


def _origin(source: Source) -> tuple[str, State] | None:
    """Return the path of the local file that a source was opened from, and its state then."""
    name = source.path or source.name
    return None if source.state is None or name is None else (name, source.state)


def _leads_to(name: str, target: Path) -> bool:
    try:
        return os.path.realpath(name) == str(target)
    except (OSError, ValueError):  # the current folder is gone, or a file object has an odd name
        return False


def already_exists(path: str | Path) -> FileError:
    return hinted(FileError(errno.EEXIST, f"already exists; {Hint.OVERWRITE}", str(path)), Hint.OVERWRITE)


def check_writable(path: Path) -> None:
    """Raise `FileAccessError` for a file that is write-protected, even if a rename could replace it."""
    if not os.access(path, os.W_OK):
        raise FileAccessError(errno.EACCES, "no permission to write the file", str(path))


CHANGED = "was changed by another program since it was opened"
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EINVAL}


class Staging:
    """Write files under temporary names next to their targets, and rename them when the `with` block succeeds.

    If the block fails, all of them are removed, and so is the folder if it was created here. No target is ever half
    written, and a target has reached the disk before it gets its name. If several files replace others, the first is
    missing until all others are there. A file that replaces another gets its permissions and extended attributes, and
    its owner if that is allowed; other hard links to the old file keep the old content.

    A target may be one of the files that the new ones are made from, given by `sources` or `add_source`. It is not
    replaced if it has changed since it was opened: a change by another program would be lost.

    The targets are locked against other writers, unless the caller holds the lock for writing the file `locked`. A
    forked process can neither complete nor remove the files. Raises `FileError`.
    """

    def __init__(self, overwrite: bool, *, sources: Iterable[Source] = (), locked: Path | None = None) -> None:
        self._overwrite = overwrite
        self._origins = {_origin(source) for source in sources}  # not the sources: they would keep their maps alive
        self._locked = locked
        self._process = os.getpid()
        self._locks: dict[Path, WriterLock] = {}
        self._staged: dict[Path, Path] = {}
        self._open: dict[Path, BinaryIO] = {}
        self._made: list[Path] = []
        # The finalizer discards the files if a signal arrives right before `__exit__` begins.
        self._state = (self._process, self._open, self._staged, self._locks, self._made)
        self._forgotten = weakref.finalize(self, _discard, *self._state)

    def add_source(self, source: Source) -> None:
        self._origins.add(_origin(source))

    def folder(self, path: Path) -> None:
        """Create a folder to write to, unless it exists."""
        check_folder(path)
        with reported(path):
            with suppress(FileExistsError):
                path.mkdir()
                self._made.append(path)
            if not path.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "is not a folder")

    def check(self, target: Path) -> os.stat_result | None:
        """Refuse an existing target, or one in a folder that does not exist or is write-protected.

        Return the status of an existing target. Call it for all targets before anything is written.
        """
        existing = _status(target)  # a dangling link counts
        if existing is not None and not self._overwrite:
            raise already_exists(target)
        if existing is not None and not stat.S_ISREG(existing.st_mode) and not stat.S_ISLNK(existing.st_mode):
            raise FileError(errno.EINVAL, "is not a regular file, and can't be overwritten", str(target))
        if existing is not None and stat.S_ISREG(existing.st_mode):
            check_writable(target)
            for name, state in filter(None, self._origins):
                if state != state_of(existing) and _leads_to(name, target):
                    raise FileError(errno.ESTALE, CHANGED, str(target))
        check_folder(target)
        check_creatable(target)
        return existing

    def create(self, target: Path, *, like: os.stat_result | None = None) -> BinaryIO:
        """Return an open file that will become the target. The caller writes to it, and does not close it.

        It gets the permissions of the file that it replaces, or else those of `like`.
        """
        try:
            with reported(target):
                self.check(target)
                self._lock(target)
                return self._create(target, self.check(target), like)
        except BaseException:
            self.discard()
            raise

    def _create(self, target: Path, existing: os.stat_result | None, like: os.stat_result | None) -> BinaryIO:
        if existing is not None and stat.S_ISREG(existing.st_mode):
            like = existing
        temporary = temporary_beside(self._locked or target)
        self._staged[target] = temporary  # before it exists: an interrupt may arrive in between
        file = self._open[target] = _new_file(temporary, private=like is not None)
        if like is not None:
            _take_over(file, like)
        if existing is not None:
            _take_over_attributes(file, target)
        return file

    def _lock(self, target: Path) -> None:
        lock = WriterLock(target)
        if self._locked is None and lock.path not in self._locks:
            self._locks[lock.path] = lock
            lock.acquire()

    @contextmanager
    def file(self, target: Path, *, like: os.stat_result | None = None) -> Iterator[BinaryIO]:
        """Like `create`, with a file that is complete when the `with` block ends."""
        with reported(target):
            yield self.create(target, like=like)
            self._settle(target)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()

    def commit(self) -> None:
        """Give all files their names."""
        if os.getpid() != self._process:
            targets = list(self._staged)
            self.discard()
            raise FileError(errno.EPERM, "can only be completed by the process that created it", str(targets[0]))
        try:
            for target in list(self._open):
                with reported(target):
                    self._settle(target)
            for target in self._staged:
                self.check(target)  # another program may have written it meanwhile
            with uninterrupted():
                self._place()
                self.discard()
        except BaseException:
            self.discard()
            raise

    def _place(self) -> None:
        targets = list(self._staged)
        if targets:
            self._rename()
        self._made.clear()
        for folder in {target.parent for target in targets}:
            sync_folder(folder)
        for target in targets:  # the journal belongs to the file that was replaced
            forget(target)

    def _rename(self) -> None:
        """Rename the first file last. If there are several, existing ones are put aside before, the first one first.

        No program opens a set of shards without its first shard, so none opens shards of two models.
        """
        first, *others = self._staged
        old: dict[Path, Path] = {}
        new: list[Path] = []
        try:
            for target in filter(_status, self._staged if others and self._overwrite else ()):
                aside = temporary_beside(target)
                with reported(target):
                    _publish(target, aside, True)
                old[target] = aside
            if old:
                sync_folder(first.parent)
            for target in [*others, first]:
                with reported(target):
                    _publish(self._staged[target], target, self._overwrite)
                new.append(target)
        except BaseException:
            with suppress(OSError):
                for target in new:  # an incomplete set is useless
                    target.unlink()
                for target in reversed(old):
                    old[target].replace(target)
            raise
        self._staged.clear()
        self._staged.update(old)  # to be discarded

    def discard(self) -> None:
        """Remove all files that do not have their names yet."""
        _discard(*self._state)
        self._forgotten.detach()

    def write_behind(self, progress: Progress | None) -> Progress:
        """Return a progress callback that also starts writing to the disk, so that `commit` has less to wait for."""
        return write_behind(self._open.values(), progress)

    def start_writing(self) -> None:
        """Start writing to the disk what was written so far, without waiting for it."""
        self.flush()
        start_writing(self._open.values())

    def flush(self) -> None:
        """Hand what was written so far to the system."""
        for target, file in self._open.items():
            with reported(target):
                file.flush()

    def _settle(self, target: Path) -> None:
        file = self._open[target]
        file.flush()
        os.fsync(file.fileno())
        file.close()
        del self._open[target]


@uninterrupted()
def _discard(
    process: int, files: dict[Path, BinaryIO], staged: dict[Path, Path], locks: dict[Path, WriterLock], made: list[Path]
) -> None:
    is_ours = os.getpid() == process
    for file in files.values():
        with suppress(OSError, ValueError):  # the rest of the buffer may not fit on the disk either
            if not is_ours:  # or the buffer that the fork duplicated would be written twice
                file.raw.close()  # type: ignore[attr-defined]
            file.close()
    files.clear()
    for temporary in staged.values() if is_ours else ():
        with suppress(OSError):
            temporary.unlink()
    staged.clear()
    while locks:
        locks.popitem()[1].release()
    for path in made if is_ours else ():
        with suppress(OSError):
            path.rmdir()
    made.clear()


def _publish(temporary: Path, target: Path, overwrite: bool) -> None:
    """Rename a file. Raises `FileError` if `overwrite` is False and the target exists by now."""
    if overwrite:
        try:
            temporary.replace(target)
        except PermissionError as error:
            if not is_windows():
                raise
            message = "can't be replaced while it is open in this program or another one"
            raise PermissionError(error.errno, message) from None
        return
    try:
        _publish_new(temporary, target)
    except FileExistsError:
        raise already_exists(target) from None


def _publish_new(temporary: Path, target: Path) -> None:
    if is_windows():
        temporary.rename(target)  # Windows refuses to overwrite
        return
    try:
        os.link(temporary, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # FAT and some network file systems have no hard links: claim the name, then replace it.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                target.unlink()
            raise
    else:
        temporary.unlink()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None


@uninterrupted()  # a signal could arrive when only a local variable has the descriptor
def _new_file(path: Path, private: bool) -> BinaryIO:
    """Create a file. A private one is readable only by its owner until it gets the permissions of another file."""
    mode = 0o600 if private else 0o666
    try:
        return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise OSError(error.errno, f"no file can be created in its folder: {error.strerror}") from None
        raise


def _take_over(file: BinaryIO, like: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        with suppress(PermissionError):  # only root may give files away
            os.fchown(file.fileno(), like.st_uid, like.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))


def _take_over_attributes(file: BinaryIO, existing: Path) -> None:
    """Copy extended attributes, where the system supports and permits it."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(existing, follow_symlinks=False):
            with suppress(OSError):
                os.setxattr(file.fileno(), name, os.getxattr(existing, name, follow_symlinks=False))


def sync_folder(path: Path) -> None:
    """Make sure that the names in a folder reach the disk, where the system supports that."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
