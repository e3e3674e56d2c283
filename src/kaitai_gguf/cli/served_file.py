"""The file that `kaitai-gguf view` serves, and its content during one request."""

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from kaitai_gguf import FileError
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.errors import UNREADABLE, file_error, reported
from kaitai_gguf.sources import opened, state_of
from kaitai_gguf.sources.urls import shown


class Content(NamedTuple):
    """The bytes of a file, and the ETag that changes with them."""

    nbytes: int
    etag: str
    read: Callable[[int, int], bytes | memoryview]
    """Return exactly the bytes from a position to before another. Raises `FileError`."""


class ServedFile:
    """The file at a path or URL, from "-" or from a pipe. It need not be GGUF: the viewer reports what is wrong.

    A local file is not mapped: if a mapped file is truncated, reading it kills the process. Raises `FileError`.
    """

    def __init__(self, path: str) -> None:
        self.name = as_text(os.path.basename(shown(path).rstrip("/")) or path)
        source = opened(source_of(path), True, lambda source: source)
        self._path = source.path or ""
        self._content: Content | None = None
        if source.state is not None and not source.is_restored:
            source.release()  # releases the map and its lock, so that other programs may change the file
            return
        version = source.ranges.version if source.ranges else secrets.token_hex()
        etag = _etag((source.nbytes, version))
        self._content = Content(source.nbytes, etag, lambda start, end: memoryview(source.read(start, end)))

    @contextmanager
    def content(self) -> Iterator[Content]:
        """Yield the file's current content. Raises `FileError`."""
        if self._content is not None:
            yield self._content
            return
        with reported(self._path, UNREADABLE):
            file = open(self._path, "rb", buffering=0)  # noqa: SIM115 - closed below
        with file:
            state = state_of(os.fstat(file.fileno()))

            def read(start: int, end: int) -> bytes:
                try:
                    file.seek(start)
                    data = file.read(end - start)
                    is_same = state == state_of(os.fstat(file.fileno()))
                except OSError as error:
                    raise file_error(error, self._path) from None
                if not is_same or len(data) != end - start:
                    raise FileError(None, "the file was changed while it was being read", self._path)
                return data

            yield Content(state.nbytes, _etag(state), read)


def _etag(state: object) -> str:
    return f'"{hashlib.sha256(repr(state).encode()).hexdigest()[:32]}"'
