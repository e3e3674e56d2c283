"""Read single items at their positions, with the classes that the official compiler generates."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

from kaitai_gguf_schema.gguf import Gguf
from kaitaistruct import KaitaiStream, KaitaiStructError

from kaitai_gguf.schema.scanner import Buffer

__all__ = ["Items", "parsed"]


class Items:
    """Reads values in a buffer with the generated classes."""

    def __init__(self, buf: Buffer) -> None:
        self._buf = buf
        with _stream(buf) as stream:
            self._root = _Root(stream)
            _ = self._root.is_be, self._root.version  # cached by the root; nothing else of it is used

    def scalar(self, key_value: int) -> int | float | bytes:
        """Return the value of the key-value at a position, which must not be an array. Strings are not decoded."""
        with _stream(self._buf) as stream:
            stream.seek(key_value)
            value = Gguf.KeyValue(stream, None, self._root).value
        plain: int | float | bytes = value.data if isinstance(value, Gguf.GgufString) else value.value
        return plain


def parsed(buf: Buffer) -> Gguf:
    """Return the whole header as an object of the official compiler's class. It keeps the buffer alive."""
    return Gguf(KaitaiStream(_BufferIO(buf)))


@contextmanager
def _stream(buf: Buffer) -> Iterator[KaitaiStream]:
    """Yield a stream. Raises EOFError if the generated classes refuse the bytes: they changed after indexing."""
    try:
        with KaitaiStream(_BufferIO(buf)) as stream:
            yield stream
    except KaitaiStructError as error:
        raise EOFError(str(error)) from None


class _Root(Gguf):  # type: ignore[misc]  # generated code has no types
    """A root that is not read: single items get version and byte order from it."""

    def _read(self) -> None:
        pass


class _BufferIO(io.RawIOBase):
    """A buffer as a binary file for kaitaistruct, without a copy.

    A closed one does not keep the buffer alive: generated objects refer to each other and to their stream until they
    are garbage-collected.
    """

    def __init__(self, buf: Buffer) -> None:
        self._buf = buf
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        end = len(self._buf) if size < 0 else min(self._position + size, len(self._buf))
        data = bytes(self._buf[self._position : end])
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: len(self._buf)}[whence]
        self._position = base + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._buf = b""
        super().close()

    def seekable(self) -> bool:
        return True
