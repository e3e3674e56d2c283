"""The exceptions that kaitai_gguf raises.

    GGUFError (ValueError)
    ├── FormatError             the bytes are not a valid GGUF file: has .offset and .path
    │   ├── NotGGUFError        the file is in another format
    │   └── TruncatedError      the file ends inside the header: has .needed and .expected
    ├── FileError (OSError)     the file can't be opened, read or written: has .errno, .strerror and .filename
    │   ├── FileMissingError (FileNotFoundError)
    │   ├── FileIsDirectoryError (IsADirectoryError)
    │   └── FileAccessError (PermissionError)
    ├── KeyNotFound (KeyError)
    ├── TensorNotFound (KeyError)
    ├── FieldNotFound (LookupError)
    ├── TensorDataError         the data of a tensor is not available
    │   ├── UnknownTypeError    the type id is unknown, or was removed from ggml
    │   └── MissingDataError    the file ends before the data does
    ├── ShardError              the shards of a model don't belong together
    │   └── MissingShardError   one or more shards are missing: has .missing
    ├── CatalogError            a catalog can't be written or read
    ├── WriteError              GGUF can't store what was to be written
    ├── MissingPackageError (ImportError)   an optional package is not installed
    ├── ValueTypeError (TypeError)          a metadata value has another type than the one requested
    ├── ViewsInUseError (BufferError)       views of a file keep it from being unmapped: has .owners
    └── ClosedError             the file was closed

Names in parentheses are built-in exceptions that a class also inherits from, so `except KeyError` and `except OSError`
work. Wrong arguments raise a plain TypeError or ValueError.
"""

import copyreg
import errno
from collections.abc import Callable
from enum import StrEnum
from typing import Any

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Numbers of errors that are not about the file: the system is out of file handles or memory."""


class Hint(StrEnum):
    """How a message ends if an argument permits what was refused. The command names its own options instead."""

    OVERWRITE = "overwrite=True replaces it"
    CHANGE_SHARED = "pass overwrite=True to change this one"
    REPLACE_OPEN = ": close it there, or commit(rewrite=True) replaces the file"
    ALLOW_PADDING = "allow_padding=True permits that"
    CHANGE_TYPE = "Typed(…) changes the type"
    EMPTY_ARRAY = 'use Typed, for example Typed([], "string")'


class GGUFError(ValueError):
    """The base class of every exception that this package defines."""

    @property
    def hint(self) -> Hint | None:
        """The end of the message if it names an argument that permits what was refused."""
        return next((hint for hint in Hint if str(self).endswith(hint)), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class FormatError(GGUFError):
    """The bytes break a rule of the format.

    `offset` is where the offending field starts, in bytes from the start of the file. `path` names the field, for
    example `/metadata/12/value/elements/3`.
    """

    def __init__(self, message: str, *, offset: int, path: str) -> None:
        super().__init__(f"{message} (at byte {offset:#x})")
        self.offset = offset
        self.path = path


class NotGGUFError(FormatError):
    """The file does not start with the GGUF magic. The message names the format that it looks like, if known."""


class TruncatedError(FormatError):
    """The file ends before its header does.

    `needed` is the least size, in bytes, that the file must have. `expected` is an estimate of the whole header's size,
    in bytes, from the part that is there; it is never less than `needed`.
    """

    def __init__(self, message: str, *, offset: int, path: str, needed: int = 0, expected: int = 0) -> None:
        super().__init__(message, offset=offset, path=path)
        self.needed = needed
        self.expected = max(expected, needed)


class FileError(GGUFError, OSError):
    """A file can't be opened, read or written, or is not a regular file.

    `errno`, `strerror` and `filename` are those of OSError.
    """

    __reduce__ = OSError.__reduce__  # type: ignore[assignment]

    def __init__(self, errno: int | None, message: str | None, path: str) -> None:
        OSError.__init__(self, errno, message, path)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}" if self.filename else str(self.strerror)


class FileMissingError(FileError, FileNotFoundError):
    """No such file."""


class FileIsDirectoryError(FileError, IsADirectoryError):
    """The path is a directory."""


class FileAccessError(FileError, PermissionError):
    """Permission to read or write the file was denied."""


class _NameNotFound(GGUFError, KeyError):
    """A file does not have a name. The message ends with similar names, which are looked for when it is shown."""

    def __init__(self, message: str, suggest: Callable[[], str] | None = None) -> None:
        super().__init__(message)
        self._suggest = suggest

    def __str__(self) -> str:  # that of KeyError is in quotes
        return str(self.args[0]) + (self._suggest() if self._suggest is not None else "")


class KeyNotFound(_NameNotFound):
    """The metadata has no such key."""


class TensorNotFound(_NameNotFound):
    """The file has no tensor with that name."""


class FieldNotFound(GGUFError, LookupError):
    """The file has no field at that path or position."""


class TensorDataError(GGUFError):
    """The data of one tensor is not available. The rest of the file still is."""


class UnknownTypeError(TensorDataError):
    """A tensor type is unknown: ggml never defined it, has removed it, or added it after this version."""


class MissingDataError(TensorDataError):
    """The file ends before the tensor's data does."""


class ShardError(GGUFError):
    """The given files are not the shards of one model."""


class MissingShardError(ShardError):
    """Shards of a model are missing.

    `missing` lists their paths, or texts such as "shard 2" where the file name does not tell the paths. A file can
    claim any number of shards, so `missing` has at most 1,000 of them; the message gives the total.
    """

    def __init__(self, message: str, missing: list[str]) -> None:
        super().__init__(message)
        self.missing = missing


class WriteError(GGUFError):
    """GGUF can't store a key, value or tensor as it was given. The message names it."""


class CatalogError(GGUFError):
    """A catalog can't be written or read: the folder is not a catalog, or its workers can't be used."""


class MissingPackageError(GGUFError, ImportError):
    """An optional package, or the compiled scanner, is not installed. The message names it."""


class ValueTypeError(GGUFError, TypeError):
    """A metadata value has another type than the one requested."""


class ViewsInUseError(GGUFError, BufferError):
    """A file can't be unmapped while views of it are alive.

    `path` is the file. `owners` lists what the views show, for example "tensor 'output.weight'"; it is empty if that is
    not known.
    """

    def __init__(self, path: str, owners: list[str]) -> None:
        shown = ", ".join(owners[:10]) + (f" and {len(owners) - 10} more" if len(owners) > 10 else "")
        super().__init__(f"{path}: can't be unmapped: there are still views of {shown or 'its bytes'}")
        self.path = path
        self.owners = owners


class ClosedError(GGUFError):
    """The file was closed."""


UNREADABLE = "no permission to read the file"


def file_error(error: Exception, path: str, denied: str | None = None) -> FileError:
    """Return the `FileError` for an error of the system, which names no file, or of a text that can't be a path.

    `denied` is the message if permission was denied, instead of the system's.
    """
    if not isinstance(error, OSError):
        return FileError(errno.EINVAL, str(error), path)
    message = error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        return FileMissingError(error.errno, "no such file", path)
    if isinstance(error, PermissionError):
        return FileAccessError(error.errno, denied or message, path)
    return FileError(error.errno, message, path)


class reported:  # noqa: N801 - it is used like a function; `contextlib.contextmanager` would take four times as long
    """A context in which errors of the system, and of type `also`, become those of `file_error`."""

    __slots__ = ("_denied", "_kinds", "_path")

    def __init__(self, path: object, denied: str | None = None, also: type[Exception] = OSError) -> None:
        self._path, self._denied, self._kinds = path, denied, (OSError, also)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, self._kinds) and not isinstance(error, GGUFError):
            raise file_error(error, str(self._path), self._denied) from None
