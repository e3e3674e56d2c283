"""Single items at their positions, read by the classes that the official compiler generates."""

import io

from kaitai_gguf_schema.gguf import Gguf
from kaitaistruct import KaitaiStream

from kaitai_gguf.schema.walk import Buffer

__all__ = ["Items"]


class Items:
    """What the generated classes read from one buffer."""

    def __init__(self, buf: Buffer) -> None:
        self._buf = buf
        self._root = _Root(self._stream(0))
        self.version = int(self._root.version)
        _ = self._root.is_be
        # Both are kept now, and more is not asked of a root; it would keep the buffer alive, as it refers to itself.
        self._root._io = None

    def scalar(self, key_value: int) -> int | float | bytes:
        """The value, which is not an array, of the key-value at a position; strings undecoded."""
        value = Gguf.KeyValue(self._stream(key_value), None, self._root).value
        plain: int | float | bytes = value.data if isinstance(value, Gguf.GgufString) else value.value
        return plain

    def _stream(self, position: int) -> KaitaiStream:
        stream = KaitaiStream(_BufferIO(self._buf))
        stream.seek(position)
        return stream


class _Root(Gguf):  # type: ignore[misc]  # generated, and so without types
    """A root that is not read: parent to single items, which ask it for version and byte order."""

    def _read(self) -> None:
        pass


class _BufferIO(io.RawIOBase):
    """Any buffer as the binary file that kaitaistruct wants, without copying it."""

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

    def seekable(self) -> bool:
        return True
