"""Files that appear whole or not at all."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Self

from kaitai_gguf.errors import (
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    Hint,
    reported,
)
from kaitai_gguf.sources import Source, State, state_of
from kaitai_gguf.sources.journal_recovery import forget
from kaitai_gguf.sources.locks import WriterLock
from kaitai_gguf.sources.sidecar_names import temporary_beside
from kaitai_gguf.sources.urls import NO_FOLDER, is_url, local_path, without_secrets
from kaitai_gguf.sources.windows_os import is_windows


def real_path(path: str | bytes | os.PathLike[Any], *, follows: bool = True) -> Path:
    """Return the path with symbolic links resolved; if not `follows`, only those in the path of its folder.

    Raises `FileError` for an invalid path.
    """
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
        if follows:
            return Path(os.path.realpath(text))
        return Path(os.path.realpath(os.path.dirname(text)), os.path.basename(text))
    except ValueError as error:  # UnicodeEncodeError is one
        shown = text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
        raise FileError(errno.EINVAL, f"is not a path: {error}", shown) from None
    except OSError as error:
        raise FileError(error.errno, NO_FOLDER, text) from None


def is_file_of(source: Source, target: Path) -> bool:
    """Return whether a source was opened from the file at a path with its symbolic links resolved."""
    return source.state is not None and _leads_to(source.path or source.name, target)


def _leads_to(name: str | None, target: Path) -> bool:
    with suppress(OSError, ValueError):  # the current folder is gone, or a file object has an odd name
        return name is not None and os.path.realpath(name) == str(target)
    return False


def check_folder(target: Path) -> None:
    """Raise `FileError` if the folder of a target does not exist."""
    try:
        is_folder = stat.S_ISDIR(target.parent.stat().st_mode)
    except FileNotFoundError:
        raise FileMissingError(errno.ENOENT, "no such folder", str(target.parent)) from None
    except OSError:
        return  # creating the file will report it
    if not is_folder:
        raise FileError(errno.ENOTDIR, "is not a folder", str(target.parent))


@contextmanager
def as_given(given: str | bytes | os.PathLike[Any]) -> Iterator[None]:
    """A context in which a `FileError` names a file the way the caller did, instead of by its real path."""
    try:
        yield
    except FileError as error:
        if error.filename:
            error.filename = name_as_given(str(error.filename), given)
        raise


def name_as_given(path: str, given: str | bytes | os.PathLike[Any]) -> str:
    """Return the name for a path. `given` is the caller's name for the same file, or one beside, below or above it."""
    given = os.fsdecode(given)
    try:
        real = os.path.realpath(given)
    except (OSError, ValueError):
        return path
    if path == real:
        return given
    if path == os.path.dirname(real):
        return os.path.dirname(given) or os.curdir
    if path.startswith(real + os.sep):
        return os.path.join(given, path.removeprefix(real + os.sep))
    is_beside = os.path.dirname(path) == os.path.dirname(real) and os.path.basename(real) == os.path.basename(given)
    return os.path.join(os.path.dirname(given), os.path.basename(path)) if is_beside else path


def already_exists(path: str | Path) -> FileError:
    return FileError(errno.EEXIST, f"already exists; {Hint.OVERWRITE}", str(path))


def check_writable(path: Path) -> None:
    """Raise `FileAccessError` for a file that is write-protected, even if a rename could replace it."""
    if not os.access(path, os.W_OK):
        raise FileAccessError(errno.EACCES, "no permission to write the file", str(path))


CHANGED = "was changed by another program since it was opened"


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
        self._origins: set[tuple[str | None, State | None]] = set()  # sources would keep their maps alive
        for source in sources:
            self.add_source(source)
        self._locked = locked
        self._process = os.getpid()
        self._locks: dict[Path, WriterLock] = {}
        self._staged: dict[Path, Path] = {}  # target: temporary path
        self._open: dict[Path, BinaryIO] = {}
        self._made: list[Path] = []

    def add_source(self, source: Source) -> None:
        self._origins.add((source.path or source.name, source.state))

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
        existing = None
        with suppress(OSError):
            existing = target.lstat()  # a dangling link counts
        if existing is not None and not self._overwrite:
            raise already_exists(target)
        if existing is not None and stat.S_ISREG(existing.st_mode):
            check_writable(target)
            for name, state in self._origins:
                if state not in (None, state_of(existing)) and _leads_to(name, target):
                    raise FileError(errno.ESTALE, CHANGED, str(target))
        elif existing is not None and not stat.S_ISLNK(existing.st_mode):
            raise FileError(errno.EINVAL, "is not a regular file, and can't be overwritten", str(target))
        check_folder(target)
        if not os.access(target.parent, os.W_OK | os.X_OK):
            message = "no file can be created in its folder, which is write-protected"
            raise FileAccessError(errno.EACCES, message, str(target))
        return existing

    def create(self, target: Path) -> BinaryIO:
        """Return an open file that will become the target. The caller writes to it, and does not close it.

        It gets the permissions of the file that it replaces, or else those of the file `locked`.
        """
        try:
            with reported(target):
                existing = self.check(target)
                lock = WriterLock(target)
                if self._locked is None and lock.path not in self._locks:
                    self._locks[lock.path] = lock
                    lock.acquire()
                like = target if existing is not None and stat.S_ISREG(existing.st_mode) else self._locked
                self._staged[target] = temporary_beside(self._locked or target)
                # A private file is readable only by its owner until it gets its permissions.
                opener = partial(os.open, mode=0o666 if like is None else 0o600)
                self._open[target] = open(self._staged[target], "xb", opener=opener)  # noqa: SIM115
                if like is not None:
                    _take_over(like, self._staged[target])
                return self._open[target]
        except BaseException:
            self.discard()
            raise

    @contextmanager
    def file(self, target: Path) -> Iterator[BinaryIO]:
        """Like `create`, with a file that is complete when the `with` block ends."""
        with reported(target):
            yield self.create(target)
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
        try:
            if os.getpid() != self._process:
                message = "can only be completed by the process that created it"
                raise FileError(errno.EPERM, message, str(next(iter(self._staged))))
            for target in list(self._open):
                with reported(target):
                    self._settle(target)
            for target in self._staged:
                self.check(target)  # another program may have written it meanwhile
            self._publish()
            self._made.clear()
        finally:
            self.discard()

    def _publish(self) -> None:
        """Rename the first file last. If it is one of several that may replace others, remove the old one before.

        No program opens a set of shards without its first shard, so none opens shards of two models.
        """
        targets = list(self._staged)
        if len(targets) > 1 and self._overwrite:
            with reported(targets[0]):
                targets[0].unlink(missing_ok=True)
            sync_folder(targets[0].parent)
        try:
            for target in [*targets[1:], *targets[:1]]:
                with reported(target):
                    _rename(self._staged[target], target, self._overwrite)
        except BaseException:
            published = [target for target, temporary in self._staged.items() if _is_renamed(temporary, target)]
            for target in published if len(published) < len(targets) else ():  # an incomplete set is useless
                with suppress(OSError):
                    target.unlink()
            raise
        for folder in {target.parent for target in targets}:
            sync_folder(folder)
        for target in targets:  # the journal belongs to the file that was replaced
            forget(target)

    def discard(self) -> None:
        """Remove all files that do not have their names yet."""
        is_ours = os.getpid() == self._process
        for file in self._open.values():
            with suppress(OSError, ValueError):  # the rest of the buffer may not fit on the disk either
                if not is_ours:  # or the buffer that the fork duplicated would be written twice
                    file.raw.close()  # type: ignore[attr-defined]
                file.close()
        for temporary in self._staged.values() if is_ours else ():
            with suppress(OSError):
                temporary.unlink()
        for lock in self._locks.values():
            lock.release()
        for folder in self._made if is_ours else ():
            with suppress(OSError):
                folder.rmdir()
        for each in (self._open, self._staged, self._made, self._locks):
            each.clear()

    __del__ = discard  # an interrupt may arrive right before `__exit__` begins

    def _settle(self, target: Path) -> None:
        file = self._open[target]
        file.flush()
        os.fsync(file.fileno())
        file.close()
        del self._open[target]


def _rename(temporary: Path, target: Path, overwrite: bool) -> None:
    """Rename a file. Raises `FileError` if `overwrite` is False and the target exists by now."""
    if not overwrite:
        try:
            _rename_without_replacing(temporary, target)
        except FileExistsError:
            raise already_exists(target) from None
        return
    try:
        temporary.replace(target)
    except PermissionError as error:
        if is_windows():
            error.strerror = "can't be replaced while it is open in this program or another one"
        raise


def _rename_without_replacing(temporary: Path, target: Path) -> None:
    """Link a file to its name, or rename it. `Staging.discard` removes the other link."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # FAT and some network file systems have no hard links: claim the name, then replace it
        target.touch(exist_ok=False)
        try:
            temporary.replace(target)
        except BaseException:
            target.unlink()
            raise


def _is_renamed(temporary: Path, target: Path) -> bool:
    return not os.path.exists(temporary) or (os.path.exists(target) and temporary.samefile(target))


def _take_over(existing: Path, new: Path) -> None:
    """Give a file the permissions and extended attributes of another, and its owner if that is allowed."""
    from shutil import copystat  # takes milliseconds to import, and reading needs none of it

    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root may give files away
            status = existing.stat()
            os.chown(new, status.st_uid, status.st_gid)
    copystat(existing, new)


def sync_folder(path: Path) -> None:
    """Make sure that the names in a folder reach the disk, where the system supports that."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
