"""The file that `kaitai-gguf view` serves, and its content during one request."""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Protocol

import kaitai_gguf
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.errors import UNREADABLE, file_error, reported
from kaitai_gguf.sources import Source, State, opened, state_of
from kaitai_gguf.sources.urls import shown


class Content(Protocol):
    """The bytes of a file, and the ETag that changes with them."""

    nbytes: int
    etag: str

    def read(self, start: int, end: int) -> bytes | memoryview:
        """Return exactly the bytes from `start` to before `end`. Raises `FileError`."""


class LocalContent:
    """A local file, read through a descriptor that is open for one request.

    It is not mapped: if a mapped file is truncated, reading it kills the process.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file, self._path = file, path
        self._state = state_of(os.fstat(file.fileno()))
        self.nbytes = self._state.nbytes
        self.etag = _etag(self._state)

    def read(self, start: int, end: int) -> bytes:
        try:
            self._file.seek(start)
            data = self._file.read(end - start)
            state = state_of(os.fstat(self._file.fileno()))
        except OSError as error:
            raise file_error(error, self._path) from None
        if state != self._state or len(data) != end - start:
            raise kaitai_gguf.FileError(None, "the file was changed while it was being read", self._path)
        return data


class SourceContent:
    """The bytes of a URL, or those copied from a pipe."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.nbytes = source.nbytes
        self.etag = _etag((source.nbytes, source.ranges.version if source.ranges else secrets.token_hex()))

    def read(self, start: int, end: int) -> memoryview:
        return memoryview(self._source.read(start, end))


class ServedFile:
    """The file at a path or URL, from "-" or from a pipe. It need not be GGUF: the viewer reports what is wrong.

    Raises `FileError`.
    """

    def __init__(self, path: str) -> None:
        self.name = as_text(os.path.basename(shown(path).rstrip("/")) or path)
        source = opened(source_of(path), True, lambda source: source)
        self._path = source.path or ""
        self._content: Content | None = None
        if source.state is None or source.is_restored or source.state != _state_at(self._path):
            self._content = SourceContent(source)
        else:
            source.release()  # releases the map and its lock, so that other programs may change the file

    @contextmanager
    def content(self) -> Iterator[Content]:
        """Yield the file's current content. Raises `FileError`."""
        if self._content is not None:
            yield self._content
            return
        with reported(self._path, UNREADABLE):
            file = open(self._path, "rb", buffering=0)  # noqa: SIM115 - closed below
        with file:
            yield LocalContent(file, self._path)


def _state_at(path: str) -> State | None:
    try:
        return state_of(os.stat(path))
    except OSError:
        return None


def _etag(state: object) -> str:
    return f'"{hashlib.sha256(repr(state).encode()).hexdigest()[:32]}"'
