"""Paths of files to write: their folders, and their names in messages."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kaitai_gguf.errors import FileError, FileMissingError


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
