"""What the metadata and tensors of an open file share until it is closed."""

import errno
from collections.abc import Sequence
from threading import Lock
from typing import NoReturn, Protocol, Self
from weakref import WeakValueDictionary

from kaitai_gguf.errors import ClosedError, FileError
from kaitai_gguf.reading.header import Header
from kaitai_gguf.sources import Reopening, Source, opened


class Handle:
    """The header and the source of an open file. Pickling or copying it opens the file again."""

    header: Header
    """The header. Raises `ClosedError`."""
    source: Source
    """The source of the bytes. Raises `ClosedError`."""

    def __init__(self, source: Source, header: Header | None = None) -> None:
        """`header` is that of the source, if it was read before. Raises `FormatError` if it is not valid."""
        self.name = source.name
        self.header = header or Header(source.buffer, nbytes=source.nbytes)
        self.source = source
        self.header.check()

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse header and source of a closed file: `close` removes them."""
        if name in ("header", "source"):
            raise ClosedError(f"{self.name}: the file is closed" if self.name else "the file is closed")
        raise AttributeError(name)

    @classmethod
    def reopened(cls, reopening: Reopening) -> Self:
        """Open a file again. Raises `FileError` if it has changed."""
        handle = opened(reopening.path, reopening.mmap, cls, dict(reopening.options) or None)
        if handle.source.reopening() != reopening:
            handle.close()
            raise FileError(errno.ESTALE, "the file has changed since the model was pickled or copied", reopening.path)
        return handle

    @property
    def is_closed(self) -> bool:
        return "header" not in self.__dict__

    def check(self) -> None:
        """Raise `ClosedError` if the file is closed."""
        _ = self.header

    def close(self) -> None:
        """Drop the buffer, which stays alive as long as there are views of it."""
        for name in ("header", "source"):
            self.__dict__.pop(name, None)  # another thread may close it, too

    def release(self) -> bool:
        """Close and unmap the file. If there are views of it, return False and leave the file open."""
        header, source = self.header, self.source
        self.close()  # first, so that other threads get `ClosedError` instead of new views
        try:
            source.release()
        except BufferError:
            self.header, self.source = header, source
            return False
        return True

    def __reduce__(self) -> tuple[object, ...]:
        return _shared_handle, (self.source.reopening(),)


class _Part(Protocol):
    _handle: Handle


def source_of(part: _Part) -> Source:
    """Return the source of the bytes that a model, its metadata or its tensors are in. Raises `ClosedError`."""
    return part._handle.source


def similar_names(name: str, names: Sequence[str]) -> str:
    """Return the end of a message about an unknown name, with similar ones."""
    from kaitai_gguf.suggestions import did_you_mean  # opening a file does without it

    return did_you_mean(name, names)


_shared: "WeakValueDictionary[Reopening, Handle]" = WeakValueDictionary()
_sharing = Lock()


def _shared_handle(reopening: Reopening) -> Handle:
    """Return the file that copied and unpickled tensors share in this process. It is open as long as one is alive."""
    with _sharing:
        handle = _shared.get(reopening)
        if handle is None:
            handle = _shared[reopening] = Handle.reopened(reopening)
        return handle
