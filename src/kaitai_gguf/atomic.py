"""Files that appear whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kaitai_gguf.errors import FileAccessError, FileError

__all__ = ["Staging", "reported", "sync_folder"]


class Staging:
    """Files written under other names beside their targets, and renamed when the `with` block ends well.

    When it doesn't, all of them are removed, and so is the folder if it was made here. Either way no target is ever
    half written, and what is there under its name has reached the disk. A file that replaces another gets its
    permissions, and its owner if that is allowed. Raises `FileError`.
    """

    def __init__(self, overwrite: bool) -> None:
        self._overwrite = overwrite
        self._staged: dict[Path, Path] = {}
        self._open: dict[Path, BinaryIO] = {}
        self._made: Path | None = None

    def folder(self, path: Path) -> None:
        """Make sure that there is this folder to write to."""
        with reported(path):
            with suppress(FileExistsError):
                path.mkdir()
                self._made = path
            if not path.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "is not a folder")

    def check(self, target: Path) -> None:
        """Refuse a target that is there already. Done for all of them before anything is written."""
        there = _status(target)  # a link to nothing is something, too
        if there is None:
            return
        if not self._overwrite:
            raise FileError(errno.EEXIST, "is there already", str(target))
        if not stat.S_ISREG(there.st_mode) and not stat.S_ISLNK(there.st_mode):
            raise FileError(errno.EINVAL, "is not a regular file, and can't be overwritten", str(target))

    def create(self, target: Path) -> BinaryIO:
        """A file that becomes the target: to be written to, and left open."""
        self.check(target)
        temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}.tmp")
        self._staged[target] = temporary  # before it exists: an interrupt may come in between
        with reported(target):
            there = _status(target)
            file = self._open[target] = _new_file(temporary, private=there is not None)
            if there is not None and stat.S_ISREG(there.st_mode):
                _take_over(file, there)
        return file

    @contextmanager
    def file(self, target: Path) -> Iterator[BinaryIO]:
        """The same, complete when the `with` block ends."""
        with reported(target):
            yield self.create(target)
            self._settle(target)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()

    def commit(self) -> None:
        """Put all files in place."""
        try:
            for target in list(self._open):
                with reported(target):
                    self._settle(target)
            for target in self._staged:
                self.check(target)  # somebody else may have written it meanwhile
            self._place()
        finally:
            self.discard()

    def _place(self) -> None:
        new: list[Path] = []
        folders = {target.parent for target in self._staged}
        try:
            for target in list(self._staged):
                is_new = _status(target) is None
                with reported(target):
                    self._staged[target].replace(target)
                if is_new:
                    new.append(target)
                del self._staged[target]
        except BaseException:
            for target in new:  # half of what belongs together is nothing
                with suppress(OSError):
                    target.unlink()
            raise
        self._made = None
        for folder in folders:
            sync_folder(folder)

    def discard(self) -> None:
        """Remove all files that are not in place yet."""
        for file in self._open.values():
            with suppress(OSError):  # what is left in the buffer may not fit the disk either
                file.close()
        self._open.clear()
        for temporary in self._staged.values():
            with suppress(OSError):
                temporary.unlink()
        self._staged.clear()
        if self._made is not None:
            with suppress(OSError):
                self._made.rmdir()

    def _settle(self, target: Path) -> None:
        file = self._open[target]
        file.flush()
        os.fsync(file.fileno())
        file.close()
        del self._open[target]


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None


def _new_file(path: Path, private: bool) -> BinaryIO:
    """Readable for nobody else if it is to take the place of a file that may be so."""
    mode = 0o600 if private else 0o666
    try:
        return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise OSError(error.errno, f"no file can be made in its folder: {error.strerror}") from None
        raise


def _take_over(file: BinaryIO, there: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        with suppress(PermissionError):  # only root may give files away
            os.fchown(file.fileno(), there.st_uid, there.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), stat.S_IMODE(there.st_mode))


def sync_folder(path: Path) -> None:
    """Makes sure that the names in a folder reach the disk, where the system lets one."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Says of what goes wrong with a file which file it was."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        kind = FileAccessError if isinstance(error, PermissionError) else FileError
        raise kind(error.errno, error.strerror or str(error), str(path)) from None
