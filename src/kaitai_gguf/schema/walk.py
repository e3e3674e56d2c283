"""The walks and tables that the skip compiler derives from the schema: compiled, or in Python.

Both come from the same steps. What the compiled scanner refuses is walked over again in Python,
which says where and why.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

import numpy as np
from kaitai_gguf_schema import index
from kaitai_gguf_schema.index import Refused

__all__ = ["SCANNER", "Buffer", "IntArray", "Refused", "Walk"]

Buffer = Any  # bytes, a memoryview of bytes, or an mmap: what struct and numpy read from, and len() counts
IntArray = np.ndarray[Any, np.dtype[Any]]


def _choose_scanner() -> Any:
    """The compiled scanner, or None for the walks in Python.

    KAITAI_GGUF_SCANNER=python does without the compiled one, KAITAI_GGUF_SCANNER=compiled insists on it.
    """
    wish = os.environ.get("KAITAI_GGUF_SCANNER", "")
    if wish not in ("", "compiled", "python"):
        raise ImportError(f"KAITAI_GGUF_SCANNER is {wish!r}, expected 'compiled' or 'python'")
    if wish == "python":
        return None
    try:
        from kaitai_gguf import _scanner
    except ImportError:
        if wish == "compiled":
            raise ImportError("KAITAI_GGUF_SCANNER asks for the compiled scanner, and it was not built") from None
        return None
    return _scanner


_compiled = _choose_scanner()
SCANNER: Literal["compiled", "python"] = "compiled" if _compiled else "python"


_TOGETHER = 1 << 14  # texts decoded at once: few enough to stay in the cache


def _join(buf: Buffer, starts: IntArray, ends: IntArray) -> bytes:
    """What is between the positions, with a zero byte after each piece."""
    if _compiled:
        joined: bytes = _compiled.join(buf, np.ascontiguousarray(starts), np.ascontiguousarray(ends))
        return joined
    lengths = ends - starts + 1
    after = lengths.cumsum()
    source = np.repeat(starts - (after - lengths), lengths)
    source += np.arange(len(source))
    pieces = np.frombuffer(buf, np.uint8).take(source, mode="clip")  # the zero may replace what is beyond the end
    pieces[after - 1] = 0
    return pieces.tobytes()


@contextmanager
def _changes_refused(type: str, position: int = 0) -> Iterator[None]:
    """Refuses an item that is no longer what the index found: somebody else may have written to the file."""
    try:
        yield
    except Refused as refused:
        raise refused.within(type) from None
    except struct.error:
        raise index.changed(position, type) from None


class Walk:
    """The layout of one buffer, and what can be found in it. Raises `Refused`."""

    def __init__(self, buf: Buffer) -> None:
        self.buf = buf
        self._layout = index.layout(buf)
        self.is_big_endian: bool = self._layout.endian == ">"
        self._name = type(self._layout).__name__

    def index(self, type: str, position: int, *args: int) -> tuple[list[IntArray], int]:
        """Walks over an item: the positions that the index of its type is for, and its end."""
        if _compiled:
            found = _compiled.index(self._name, type, self.is_big_endian, self.buf, position, args)
            if found is not None:
                lists, end = found
                return [np.frombuffer(positions, np.int64) for positions in lists], end
        *positions, end = getattr(self._layout, f"index_{type}")(self.buf, position, *args)
        return [np.frombuffer(each, np.int64) for each in positions], end

    def table(self, type: str, positions: IntArray) -> tuple[IntArray, ...]:
        """The fields of the items at the positions. int64 all of them: view as uint64 what may be larger."""
        if _compiled:
            places = np.ascontiguousarray(positions)
            found = _compiled.table(self._name, type, self.is_big_endian, self.buf, places)
            if found is not None:
                return tuple(np.frombuffer(column, np.int64) for column in found)
        with _changes_refused(type):
            columns = getattr(self._layout, f"table_{type}")(np.frombuffer(self.buf, np.uint8), positions)
        return tuple(column.astype(np.uint64).view(np.int64) for column in columns)

    def read(self, type: str, position: int) -> tuple[int, ...]:
        """The fields of one item."""
        with _changes_refused(type, position):
            fields: tuple[int, ...] = getattr(self._layout, f"read_{type}")(self.buf, position)
        return fields

    def where(self, type: str, position: int) -> dict[str, int]:
        """Where the fields of one item start."""
        with _changes_refused(type, position):
            places: dict[str, int] = getattr(self._layout, f"where_{type}")(self.buf, position)
        return places

    def texts(self, starts: IntArray, ends: IntArray) -> list[str]:
        """What is between the positions, decoded as UTF-8 with `surrogateescape`."""
        found: list[str] = []
        for first in range(0, len(starts), _TOGETHER):
            found += self._texts(starts[first : first + _TOGETHER], ends[first : first + _TOGETHER])
        return found

    def _texts(self, starts: IntArray, ends: IntArray) -> list[str]:
        # Decoding all at once and splitting that is several times faster than decoding each.
        with suppress(UnicodeDecodeError):
            *texts, _ = _join(self.buf, starts, ends).decode().split("\0")
            if len(texts) == len(starts):
                return texts
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return [str(self.buf[start:end], "utf-8", "surrogateescape") for start, end in spans]

    def hashes(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Python's hash of the bytes between the positions."""
        if _compiled:
            found = _compiled.hashes(self.buf, np.ascontiguousarray(starts), np.ascontiguousarray(ends))
            return np.frombuffer(found, np.int64)
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([hash(bytes(self.buf[start:end])) for start, end in spans], np.int64)
