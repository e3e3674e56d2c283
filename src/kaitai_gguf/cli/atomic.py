"""Files that appear whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kaitai_gguf import FileError


class Staging:
    """Files written under other names beside their targets, and renamed when the `with` block ends well.

    When it doesn't, all of them are removed, and so is the folder if it was made here. Either way no target is ever
    half written. Raises `FileError`.
    """

    def __init__(self, force: bool) -> None:
        self._force = force
        self._staged: dict[Path, Path] = {}
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
        if not self._force and os.path.lexists(target):  # a link to nothing is something, too
            raise FileError(errno.EEXIST, "is there already; --force overwrites it", str(target))

    @contextmanager
    def file(self, target: Path) -> Iterator[BinaryIO]:
        self.check(target)
        temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
        self._staged[target] = temporary  # before it exists: an interrupt may come in between
        with reported(target), temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._commit()
        finally:
            self._discard()

    def _commit(self) -> None:
        for target in self._staged:
            self.check(target)  # somebody else may have written it meanwhile
        for target in list(self._staged):
            with reported(target):
                self._staged[target].replace(target)
            del self._staged[target]
            self._made = None

    def _discard(self) -> None:
        for temporary in self._staged.values():
            with suppress(OSError):
                temporary.unlink()
        if self._made is not None:
            with suppress(OSError):
                self._made.rmdir()


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Says of what goes wrong with a file which file it was."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(path)) from None
