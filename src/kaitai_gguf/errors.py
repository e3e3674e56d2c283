"""What can go wrong, as one tree of exceptions.

    GGUFError (ValueError)
    ├── FormatError             the bytes are not a valid GGUF file: has .offset and .path
    │   ├── NotGGUFError        they are something else
    │   └── TruncatedError      they end too early
    ├── FileError (OSError)     the path can't be opened
    │   ├── FileMissingError (FileNotFoundError)
    │   ├── FileIsDirectoryError (IsADirectoryError)
    │   └── FileAccessError (PermissionError)
    ├── KeyNotFound (KeyError)
    ├── TensorNotFound (KeyError)
    ├── FieldNotFound (LookupError)
    ├── TensorDataError         the data of a tensor is not available
    │   ├── UnknownTypeError    its type is not known (or no longer)
    │   └── MissingDataError    the file ends before its data does
    ├── ShardError              the files of a model in several don't belong together
    │   └── MissingShardError   one or more of them are not there: has .missing
    ├── CatalogError            a catalog can't be written or read
    ├── WriteError              what is to be written can't be in a GGUF file
    ├── MissingPackageError (ImportError)   what was asked for needs a package that isn't installed
    ├── ValueTypeError (TypeError)          a value of the metadata is not of the type that was asked for
    ├── ViewsInUseError (BufferError)       a file can't be unmapped yet: has .owners
    └── ClosedError             the file was closed

Each is also what Python raises for the like, so that `except KeyError` and `except OSError` work.
"""


class GGUFError(ValueError):
    """The root of all errors of this package."""


class FormatError(GGUFError):
    """The bytes break a rule of the format.

    `offset` is the byte, from the start of the file, where the offending field starts; `path` names the
    field, e.g. `/metadata/12/value/elements/3`.
    """

    def __init__(self, message: str, *, offset: int, path: str) -> None:
        super().__init__(f"{message} (at byte {offset:#x})")
        self.offset = offset
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, dict(self.__dict__))


class NotGGUFError(FormatError):
    """The bytes are not GGUF at all; the message says what they look like."""


class TruncatedError(FormatError):
    """The bytes end before the header does.

    `needed` is how many bytes the file must have at least, and `expected` how many of them the header will take by
    what is there of it.
    """

    def __init__(self, message: str, *, offset: int, path: str, needed: int = 0, expected: int = 0) -> None:
        super().__init__(message, offset=offset, path=path)
        self.needed = needed
        self.expected = max(expected, needed)


class FileError(GGUFError, OSError):
    """A path can't be opened, or is not a regular file: has .errno, .strerror and .filename."""

    def __init__(self, errno: int | None, message: str | None, path: str) -> None:
        OSError.__init__(self, errno, message, path)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class FileMissingError(FileError, FileNotFoundError):
    """No such file."""


class FileIsDirectoryError(FileError, IsADirectoryError):
    """The path is a directory."""


class FileAccessError(FileError, PermissionError):
    """The file may not be read."""


class KeyNotFound(GGUFError, KeyError):
    """The metadata has no such key."""

    __str__ = ValueError.__str__  # KeyError shows its message in quotes


class TensorNotFound(GGUFError, KeyError):
    """The file has no tensor of that name."""

    __str__ = ValueError.__str__


class FieldNotFound(GGUFError, LookupError):
    """The file has no such byte, or no field of that path."""


class TensorDataError(GGUFError):
    """The data of one tensor is not available; the rest of the file is."""


class UnknownTypeError(TensorDataError):
    """The type of the tensor has a number that ggml never used, no longer uses, or uses since lately."""


class MissingDataError(TensorDataError):
    """The file ends before the data of the tensor does."""


class ShardError(GGUFError):
    """Files that should be the shards of one model are not."""


class MissingShardError(ShardError):
    """Shards are missing: `missing` has their paths, or "shard 2" where no name says what they are called.

    A file may claim any number of shards: `missing` has the first 1,000, and the message says how many there are.
    """

    def __init__(self, message: str, missing: list[str]) -> None:
        super().__init__(message)
        self.missing = missing

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.missing)


class WriteError(GGUFError):
    """What is to be written can't be in a GGUF file, or not as it was given: names the key or the tensor."""


class CatalogError(GGUFError):
    """A catalog can't be written or read: the folder is not one, or its workers can't be used."""


class MissingPackageError(GGUFError, ImportError):
    """What was asked for needs a package, or a scanner, that is not installed; the message says which one."""


class ValueTypeError(GGUFError, TypeError):
    """A value of the metadata is not of the type that was asked for."""


class ViewsInUseError(GGUFError, BufferError):
    """A file can't be unmapped, since views of it are still alive.

    `owners` has what they show, e.g. "tensor 'output.weight'"; it is empty if that is not known.
    """

    def __init__(self, path: str, owners: list[str]) -> None:
        shown = ", ".join(owners[:10]) + (f" and {len(owners) - 10} more" if len(owners) > 10 else "")
        super().__init__(f"{path}: can't be unmapped: there are still views of {shown or 'its bytes'}")
        self.path = path
        self.owners = owners

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.owners)


class ClosedError(GGUFError):
    """The file was closed."""


def _rebuild(cls: type[FormatError], args: tuple[object, ...], state: dict[str, object]) -> FormatError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(state)
    return error
