"""The index and the tables that the skip compiler generates from the schema: compiled, or in Python.

Both give the same results. If the compiled scanner refuses data, the Python scanner scans it again to find out where
and why.
"""

import os
from types import ModuleType
from typing import Any, Literal, NoReturn

import numpy as np
from kaitai_gguf_schema.index import Refused

from kaitai_gguf.errors import MissingPackageError

__all__ = [
    "DEFAULT", "Buffer", "ByteOrder", "CompiledScanner", "IntArray", "Layout", "PythonScanner", "Refused", "Scanner",
    "scanner", "texts",
]  # fmt: skip

Buffer = Any  # bytes, a memoryview of bytes, or an mmap: struct and numpy can read it, and len() is its size in bytes
IntArray = np.ndarray[Any, np.dtype[Any]]
ByteOrder = Literal["little", "big"]
Layout = Any  # the result of `index.layout`

TOGETHER = 1 << 14  # texts decoded at once: few enough for the cache


class PythonScanner:
    """Scans a buffer in pure Python, and explains what is wrong with data that it refuses."""

    name: Literal["python"] = "python"

    def index(
        self, layout: Layout, type: str, buf: Buffer, position: int, *args: int
    ) -> tuple[tuple[IntArray, ...], int]:
        """Return the positions that the index of a type has, and the end of the item. Raises `Refused`."""
        *positions, end = getattr(layout, f"index_{type}")(buf, position, *args)
        return tuple(np.frombuffer(each, np.int64) for each in positions), end

    def table(self, layout: Layout, type: str, buf: Buffer, positions: IntArray) -> tuple[IntArray, ...]:
        """Return the fields of the items at the positions. Raises `Refused`.

        All columns are int64; a column of uint64 has to be viewed as such.
        """
        try:
            columns = getattr(layout, f"table_{type}")(np.frombuffer(buf, np.uint8), positions)
        except Refused as refused:
            raise refused.within(type) from None
        return tuple(column.astype(np.uint64).view(np.int64) for column in columns)

    def join(self, buf: Buffer, starts: IntArray, ends: IntArray) -> bytes:
        """Return the bytes between starts and ends, with a zero byte after each string."""
        lengths = ends - starts + 1
        after = lengths.cumsum()
        source = np.repeat(starts - (after - lengths), lengths)
        source += np.arange(len(source))
        joined = np.frombuffer(buf, np.uint8).take(source, mode="clip")  # the zero may be beyond the end
        joined[after - 1] = 0
        return joined.tobytes()

    def hashes(self, buf: Buffer, starts: IntArray, ends: IntArray) -> IntArray:
        """Return Python's hashes of the bytes between starts and ends."""
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([hash(bytes(buf[start:end])) for start, end in spans], np.int64)

    find = None
    """Only the compiled scanner has this function, which finds a name; `NamedItems` also works without."""


class CompiledScanner:
    """Scans a buffer several times faster than `PythonScanner`. Needs the extension module."""

    name: Literal["compiled"] = "compiled"

    def __init__(self, fallback: PythonScanner) -> None:
        """`fallback` explains why data is refused. Raises `ImportError` if the extension module was not built."""
        from kaitai_gguf import _scanner

        self._compiled: ModuleType = _scanner
        self._fallback = fallback
        self.find = _scanner.find

    def index(
        self, layout: Layout, type: str, buf: Buffer, position: int, *args: int
    ) -> tuple[tuple[IntArray, ...], int]:
        result = self._compiled.index(layout.__class__.__name__, type, layout.endian == ">", buf, position, args)
        if result is None:
            return self._fallback.index(layout, type, buf, position, *args)
        lists, end = result
        return tuple(np.frombuffer(positions, np.int64) for positions in lists), end

    def table(self, layout: Layout, type: str, buf: Buffer, positions: IntArray) -> tuple[IntArray, ...]:
        starts = np.ascontiguousarray(positions)
        columns = self._compiled.table(layout.__class__.__name__, type, layout.endian == ">", buf, starts)
        if columns is None:
            return self._fallback.table(layout, type, buf, positions)
        return tuple(np.frombuffer(column, np.int64) for column in columns)

    def join(self, buf: Buffer, starts: IntArray, ends: IntArray) -> bytes:
        joined: bytes = self._compiled.join(buf, np.ascontiguousarray(starts), np.ascontiguousarray(ends))
        return joined

    def hashes(self, buf: Buffer, starts: IntArray, ends: IntArray) -> IntArray:
        hashes = self._compiled.hashes(buf, np.ascontiguousarray(starts), np.ascontiguousarray(ends))
        return np.frombuffer(hashes, np.int64)


class NoScanner:
    """Replaces a scanner that was requested but does not exist. Opening a file raises the error.

    Importing the package does not raise it, so that programs can report it like any other error.
    """

    name: Literal["none"] = "none"

    def __init__(self, message: str) -> None:
        self._message = message

    def index(self, *_: Any) -> NoReturn:
        raise MissingPackageError(self._message)

    table = join = hashes = index
    find = None


Scanner = PythonScanner | CompiledScanner | NoScanner


def texts(scanner: Scanner, buf: Buffer, starts: IntArray, ends: IntArray) -> list[str]:
    """Return the texts between starts and ends, decoded as UTF-8 with `surrogateescape`."""
    result: list[str] = []
    for first in range(0, len(starts), TOGETHER):
        result += _texts(scanner, buf, starts[first : first + TOGETHER], ends[first : first + TOGETHER])
    return result


def _texts(scanner: Scanner, buf: Buffer, starts: IntArray, ends: IntArray) -> list[str]:
    # Decoding all texts at once and splitting the result is several times faster than decoding each.
    *result, _ = scanner.join(buf, starts, ends).decode("utf-8", "surrogateescape").split("\0")
    if len(result) == len(starts):
        return result
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return [str(buf[start:end], "utf-8", "surrogateescape") for start, end in spans]


def _default() -> Scanner:
    """Return the scanner that KAITAI_GGUF_SCANNER names; by default the compiled one, if it was built."""
    name = os.environ.get("KAITAI_GGUF_SCANNER", "")
    if name not in ("", "compiled", "python"):
        return NoScanner(f"KAITAI_GGUF_SCANNER is {name!r}, expected 'compiled' or 'python'")
    python = PythonScanner()
    try:
        return python if name == "python" else CompiledScanner(python)
    except ImportError:
        if name == "compiled":
            return NoScanner("KAITAI_GGUF_SCANNER is 'compiled', but the compiled scanner is not installed")
        return python


DEFAULT: Scanner = _default()

scanner = DEFAULT.name
"""The scanner that opens files: "compiled" or "python"; "none" if the one that KAITAI_GGUF_SCANNER names is missing."""
