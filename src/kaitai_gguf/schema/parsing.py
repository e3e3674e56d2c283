"""Parse a whole header with the class that the official compiler generates."""

import io

from kaitai_gguf_schema.gguf import Gguf
from kaitaistruct import KaitaiStream

from kaitai_gguf.schema.scanner import Buffer


def parsed(buf: Buffer) -> Gguf:
    """Return the whole header as an object of the official compiler's class. It keeps the buffer alive."""
    return Gguf(KaitaiStream(BufferIO(buf)))


class BufferIO(io.RawIOBase):
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
