"""Opening files: the one room that does, and that knows how long they stay."""

import builtins
import io
import mmap
import os
import stat
from typing import Any, BinaryIO, Self

from kaitai_gguf.align import DEFAULT_ALIGNMENT, check_alignment
from kaitai_gguf.errors import (
    ClosedError,
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    FormatError,
)
from kaitai_gguf.metadata import Metadata
from kaitai_gguf.schema import Buffer, Handle, Reader, ValueType
from kaitai_gguf.tensors import Tensors
from kaitai_gguf.types import ByteOrder

__all__ = ["GGUFFile", "Source", "open"]

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO

ALIGNMENT_KEY = "general.alignment"


class GGUFFile:
    """An open GGUF file: `metadata` and `tensors`, read from the file when asked for.

    A context manager; `close()` may be called any number of times. Arrays that were taken from it stay
    valid as long as they are held, everything else raises `ClosedError` once it is closed.
    """

    def __init__(self, buf: Buffer, name: str | None = None) -> None:
        reader = Reader(buf)
        self._handle = Handle(reader)
        self._size = len(buf)
        self.name = name
        """The path that was opened; None for bytes and file objects without a name."""
        self.version = reader.version
        self.byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self._metadata = Metadata(self._handle)
        self.alignment = _alignment(self._metadata, reader)
        """What tensors are aligned to, in bytes: `general.alignment`, or 32."""
        self._tensors = Tensors(self._handle, self.alignment)
        self.data_offset = self._tensors.data_offset
        """Where the tensor data starts, in bytes from the start of the file."""
        self.header_nbytes = reader.end
        """Where the header ends, in bytes: `data_offset` before it is rounded up."""

    @property
    def metadata(self) -> Metadata:
        self._handle.check()
        return self._metadata

    @property
    def tensors(self) -> Tensors:
        self._handle.check()
        return self._tensors

    @property
    def nbytes(self) -> int:
        """The size of the file."""
        return self._size

    @property
    def closed(self) -> bool:
        return self._handle.is_closed

    def close(self) -> None:
        self._handle.close()

    def __enter__(self) -> Self:
        if self.closed:
            raise ClosedError("the file is closed")
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        name = f"{self.name!r} " if self.name else ""
        state = "closed" if self.closed else f"{len(self._metadata)} keys, {len(self._tensors)} tensors"
        return f"<GGUFFile {name}v{self.version}, {state}>"


def open(source: Source, *, mmap: bool = True) -> GGUFFile:
    """Opens a GGUF file: a path, an object with the bytes of one, or a binary file object.

    Reads the header once and checks it; values and tensor data are read when asked for. A path is mapped
    into memory. If a mapped file is cut short by someone else meanwhile, touching the part that is gone
    kills the process (SIGBUS): `mmap=False` reads all of it into memory first. A file object is read from
    its start, wherever it stands, and left as it was.

    Raises `FormatError` if the bytes are not a valid GGUF file, and `FileError` (an `OSError` as well) if
    the path can't be opened.
    """
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return GGUFFile(_open_path(path, mmap), path)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        return GGUFFile(_read_file_object(source), name if isinstance(name, str) else None)
    try:
        view = memoryview(source)
    except TypeError:
        raise TypeError(f"a path, bytes or a binary file object expected, not {type(source).__name__}") from None
    if not view.nbytes:
        return GGUFFile(b"")
    if not view.c_contiguous:
        raise TypeError("bytes that follow each other expected, not a memoryview with gaps")
    return GGUFFile(view.cast("B").toreadonly())


def _open_path(path: str, map_it: bool) -> Buffer:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise FileIsDirectoryError(21, "is a directory, not a GGUF file", path)
        if not stat.S_ISREG(mode):
            raise FileError(22, "is not a regular file", path)
        with builtins.open(path, "rb") as file:
            return _map(file) if map_it else file.read()
    except FileError:
        raise
    except FileNotFoundError as error:
        raise FileMissingError(error.errno, "there is no such file", path) from None
    except PermissionError as error:
        raise FileAccessError(error.errno, "the file may not be read", path) from None
    except OSError as error:
        raise FileError(error.errno, error.strerror or str(error), path) from None
    except ValueError as error:  # a path with a NUL byte in it
        raise FileError(22, str(error), path) from None


def _map(file: BinaryIO) -> Buffer:
    if not os.fstat(file.fileno()).st_size:
        return b""  # what is empty can't be mapped
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _read_file_object(file: Any) -> Buffer:
    if isinstance(file, io.TextIOBase):
        raise TypeError("a file opened in binary mode expected, not a text file")
    try:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and not getattr(file, "writable", bool)():
            return _map(file)
    except (AttributeError, OSError, ValueError):
        pass  # not a file of the system: read it
    try:
        position = file.tell()
        file.seek(0)
        data = file.read()
        file.seek(position)
    except (AttributeError, OSError, ValueError) as error:
        name = str(getattr(file, "name", "the file object"))
        raise FileError(getattr(error, "errno", None) or 22, f"can't be read from its start: {error}", name) from None
    if not isinstance(data, bytes):
        raise TypeError(f"a file object that reads bytes expected, not {type(data).__name__}")
    return data


def _alignment(metadata: Metadata, reader: Reader) -> int:
    if ALIGNMENT_KEY not in metadata:
        return DEFAULT_ALIGNMENT
    number = list(metadata).index(ALIGNMENT_KEY)
    entry = metadata.entry(ALIGNMENT_KEY)
    if entry.value_type is not ValueType.UINT32:
        position = reader.field_position("key_value", entry.span[0], "value_type")
        raise FormatError(
            f"{ALIGNMENT_KEY} is of type {entry.value_type.name.lower()}, expected uint32",
            offset=position,
            path=f"/metadata/{number}/value_type",
        )
    value = metadata[ALIGNMENT_KEY]
    assert isinstance(value, int)
    return check_alignment(value, offset=entry.value_span[0], path=f"/metadata/{number}/value")
