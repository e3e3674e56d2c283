"""What the metadata and tensors of an open file share until it is closed."""

from collections.abc import Callable

from kaitai_gguf.errors import ClosedError
from kaitai_gguf.reading.header import Header
from kaitai_gguf.sources import Reopening, Source

__all__ = ["Handle"]


class Handle:
    """The header and the source of an open file, which its metadata and tensors share until it is closed."""

    def __init__(self, header: Header, source: Source, reopen: "Callable[[Reopening], Handle]") -> None:
        """`reopen` returns the handle for a copy of this one, here or in another process."""
        self._header: Header | None = header
        self._source: Source | None = source
        self._name = source.name
        self._reopen = reopen

    @property
    def header(self) -> Header:
        """The header. Raises `ClosedError`."""
        header = self._header  # another thread may close it at any time
        if header is None:
            raise self._closed()
        return header

    @property
    def source(self) -> Source:
        """The source of the bytes. Raises `ClosedError`."""
        source = self._source
        if source is None:
            raise self._closed()
        return source

    def _closed(self) -> ClosedError:
        return ClosedError(f"{self._name}: the file is closed" if self._name else "the file is closed")

    def check(self) -> None:
        """Raise `ClosedError` if the file is closed."""
        if self._header is None:
            raise self._closed()

    @property
    def is_closed(self) -> bool:
        return self._header is None

    def close(self) -> None:
        """Drop the buffer, which stays alive as long as there are views of it."""
        self._header = None
        self._source = None

    def release(self) -> bool:
        """Close and unmap the file. If there are views of it, return False and leave the file open."""
        header, source = self.header, self.source
        self.close()  # first, so that other threads get `ClosedError` instead of new views
        try:
            source.release()
        except BufferError:
            self._header, self._source = header, source
            return False
        return True

    def __reduce__(self) -> tuple[object, ...]:
        return self._reopen, (self.source.reopening(),)
