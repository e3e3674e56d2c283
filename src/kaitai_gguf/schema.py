"""The door to what is generated from the schema: nothing else imports it, or kaitaistruct.

The layout, as `schema/gguf.ksy` has it. All numbers are in the byte order of the file; a length or
count is 32 bits wide in version 1 and 64 since.

    magic "GGUF" · version u4 · number of tensors · number of key-values
    key-value    key (string) · value type (u4) · value
    array        element type (u4) · count · elements, which may be arrays
    string       length · bytes
    tensor info  name (string) · number of dims (u4) · dims · type (u4) · offset (u8)

A `Reader` walks over the header of one buffer once, with the derived index, and reads single items
at their positions: numbers and strings with the generated classes, what there are many of with the
derived tables.
"""

import io
import os
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NoReturn

import kaitaistruct
import numpy as np
from kaitai_gguf_schema import index
from kaitai_gguf_schema.gguf import Gguf
from kaitai_gguf_schema.types import BLOCKS, REMOVED_TYPES, Block, Field, GGMLType, ValueType

from kaitai_gguf.errors import ClosedError, FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.identify import identify

__all__ = [
    "BLOCKS",
    "REMOVED_TYPES",
    "ArrayInfo",
    "Block",
    "Buffer",
    "Field",
    "GGMLType",
    "Handle",
    "IntArray",
    "KeyValueTable",
    "Reader",
    "TensorTable",
    "ValueType",
]

MAGIC = b"GGUF"


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
        from kaitai_gguf import _scanner  # type: ignore[attr-defined]  # compiled, and so without types
    except ImportError:
        if wish == "compiled":
            raise ImportError("KAITAI_GGUF_SCANNER asks for the compiled scanner, and it was not built") from None
        return None
    return _scanner


_compiled = _choose_scanner()
SCANNER: Literal["compiled", "python"] = "compiled" if _compiled else "python"

Buffer = Any  # bytes, a memoryview of bytes, or an mmap: what struct and numpy read from, and len() counts
IntArray = np.ndarray[Any, np.dtype[Any]]


class KeyValueTable(NamedTuple):
    """All key-values: positions in the file, one array element for each."""

    position: IntArray
    key_start: IntArray
    key_end: IntArray
    value_type: IntArray
    value: IntArray  # where the value starts
    end: IntArray  # where the next key-value starts


class TensorTable(NamedTuple):
    """All tensor infos, one array element (or row, for `dims`) for each."""

    position: IntArray
    name_start: IntArray
    name_end: IntArray
    num_dims: IntArray
    dims: IntArray  # uint64; rows are filled up with zeros
    type_id: IntArray
    offset: IntArray  # uint64


@dataclass(frozen=True, slots=True)
class ArrayInfo:
    """The start of an array."""

    element_type: ValueType
    count: int
    elements: int  # where the first element starts


class Reader:
    """One buffer that holds a GGUF header. Raises `FormatError` if it doesn't."""

    def __init__(self, buf: Buffer) -> None:
        self.buf = buf
        if bytes(buf[:4]) != MAGIC:
            _refuse_magic(buf)
        try:
            self._layout = index.layout(buf)
            (self._metadata, self._tensors), self.end = self._index("gguf", 0)
        except index.Refused as refused:
            _refuse(refused)
        self._root = _Root(kaitaistruct.KaitaiStream(_BufferIO(buf)))
        self.version = int(self._root.version)
        self.is_big_endian = bool(self._root.is_be)
        self._root._io = (
            None  # all is asked that a root is asked for; it would keep the buffer alive, as it holds itself
        )

    def key_values(self) -> KeyValueTable:
        after = self._tensors[0] if len(self._tensors) else self.end
        ends = np.append(self._metadata[1:], after)[: len(self._metadata)]
        key_start, key_end, value_type, value = self._table("key_value", self._metadata)
        return KeyValueTable(self._metadata, key_start, key_end, value_type, value, ends)

    def tensor_infos(self) -> TensorTable:
        name_start, name_end, num_dims, dims, type_id, offset = self._table("tensor_info", self._tensors)
        count = len(self._tensors)
        rows = dims.view(np.uint64).reshape(count, dims.size // max(count, 1))
        return TensorTable(self._tensors, name_start, name_end, num_dims, rows, type_id, offset.view(np.uint64))

    def scalar(self, key_value: int) -> int | float | bytes:
        """The value, which is not an array, of the key-value at a position; strings undecoded."""
        value = Gguf.KeyValue(self._stream(key_value), None, self._root).value
        return value.data if isinstance(value, Gguf.GgufString) else value.value  # type: ignore[no-any-return]

    def array(self, position: int) -> ArrayInfo:
        element_type, count, elements = self._layout.read_gguf_array(self.buf, position)
        return ArrayInfo(ValueType(element_type), count, elements)

    def string_items(self, info: ArrayInfo) -> tuple[IntArray, IntArray]:
        """Where each string of an array, with its length, starts and ends; one O(n) walk."""
        (starts,), end = self._index("string_elements", info.elements, info.count)
        return starts, np.append(starts[1:], end)[: len(starts)]

    def array_items(self, info: ArrayInfo) -> tuple[IntArray, IntArray]:
        """Where each array of an array of arrays starts and ends; one O(n) walk."""
        (starts,), end = self._index("array_elements", info.elements, info.count)
        return starts, np.append(starts[1:], end)[: len(starts)]

    def string_span(self, position: int) -> tuple[int, int]:
        """Where the bytes of the string at a position start and end."""
        return self._layout.read_gguf_string(self.buf, position)  # type: ignore[no-any-return]

    def string(self, position: int) -> bytes:
        start, end = self.string_span(position)
        return bytes(self.buf[start:end])

    def string_spans(self, positions: IntArray) -> tuple[IntArray, IntArray]:
        """Where the bytes of each string at the positions start and end."""
        start, end = self._table("gguf_string", positions)
        return start, end

    def texts(self, starts: IntArray, ends: IntArray) -> list[str]:
        """What is between the positions, decoded as UTF-8 with `surrogateescape`."""
        if _compiled:
            return _compiled.texts(self.buf, np.ascontiguousarray(starts), np.ascontiguousarray(ends))  # type: ignore[no-any-return]
        if not len(starts):
            return []
        # Slices of one bytes object are cheaper than slices of a map of the file.
        first, last = int(starts.min()), int(ends.max())
        data = bytes(self.buf[first:last])
        spans = zip((starts - first).tolist(), (ends - first).tolist(), strict=True)
        return [str(data[start:end], "utf-8", "surrogateescape") for start, end in spans]

    def numbered(self, starts: IntArray, ends: IntArray) -> dict[str, int]:
        """Which of the texts between the positions is at which place; of equal ones the last."""
        if _compiled:
            return _compiled.numbered(self.buf, starts, ends)  # type: ignore[no-any-return]
        return {text: number for number, text in enumerate(self.texts(starts, ends))}

    def field_position(self, kind: str, position: int, field: str) -> int:
        """Where a field of the item ("key_value" or "tensor_info") at a position starts."""
        return int(getattr(self._layout, f"where_{kind}")(self.buf, position)[field])

    def _index(self, type: str, position: int, *args: int) -> tuple[list[IntArray], int]:
        """Walks over an item: the positions that the index of its type is for, and its end."""
        if _compiled:
            layout = self._layout
            found = _compiled.index(layout.__class__.__name__, type, layout.endian == ">", self.buf, position, args)
            if found is not None:
                lists, end = found
                return [np.frombuffer(positions, np.int64) for positions in lists], end
        # The walk in Python, also to say what is wrong with what the other one refuses.
        *positions, end = getattr(self._layout, f"index_{type}")(self.buf, position, *args)
        return [np.array(each, np.int64) for each in positions], end

    def _table(self, type: str, positions: IntArray) -> tuple[IntArray, ...]:
        """The fields of the items at the positions. int64, whatever they are: see them as uint64 where it matters."""
        if _compiled:
            layout = self._layout
            found = _compiled.table(
                layout.__class__.__name__, type, layout.endian == ">", self.buf, np.ascontiguousarray(positions)
            )
            return tuple(np.frombuffer(column, np.int64) for column in found)
        data = np.frombuffer(self.buf, np.uint8)
        return tuple(
            column.astype(np.uint64).view(np.int64)
            for column in getattr(self._layout, f"table_{type}")(data, positions)
        )

    def _stream(self, position: int) -> kaitaistruct.KaitaiStream:
        stream = kaitaistruct.KaitaiStream(_BufferIO(self.buf))
        stream.seek(position)
        return stream


class Handle:
    """What the parts of one open file share: its reader, until it is closed."""

    def __init__(self, reader: Reader) -> None:
        self._reader: Reader | None = reader

    @property
    def reader(self) -> Reader:
        """Raises `ClosedError` if the file is closed."""
        if self._reader is None:
            raise ClosedError("the file is closed")
        return self._reader

    def check(self) -> None:
        """Raises `ClosedError` if the file is closed."""
        _ = self.reader

    @property
    def is_closed(self) -> bool:
        return self._reader is None

    def close(self) -> None:
        """Lets go of the buffer, which lives on for as long as someone has a view of it."""
        self._reader = None


class _Root(Gguf):  # type: ignore[misc]  # generated, and so without types
    """A root that is not read: parents to single items, which ask it for version and byte order."""

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


def _refuse_magic(buf: Buffer) -> NoReturn:
    start = bytes(buf[:256])
    if not start:
        raise TruncatedError("the file is empty", offset=0, path="/magic")
    if MAGIC.startswith(start):
        raise TruncatedError(f"the file ends after {len(start)} bytes, inside the magic", offset=0, path="/magic")
    looks = identify(start)
    says = f"it is {looks}" if looks else f"it starts with {start[:4]!r} instead of {MAGIC!r}"
    raise NotGGUFError(f"not a GGUF file: {says}", offset=0, path="/magic")


def _refuse(refused: index.Refused) -> NoReturn:
    """Turns what the walk found into an error that a person understands."""
    path = refused.path.replace("/gguf_body", "").removeprefix("/body")
    path = path.replace("/version_le", "/version")
    kind = TruncatedError if refused.kind == "end" else FormatError
    what = "the file is cut off: " if refused.kind == "end" else ""
    raise kind(f"{what}{_subject(path)} {refused.reason}", offset=refused.pos, path=path) from None


def _subject(path: str) -> str:
    """A path in words: `/metadata/12/value` is "value of key-value 12"."""
    parts = path.strip("/").split("/")
    for name, item in (("metadata", "key-value"), ("tensors", "tensor info")):
        if parts[0] == name and len(parts) > 1:
            field = "/".join(parts[2:])
            return f"{field} of {item} {parts[1]}" if field else f"{item} {parts[1]}"
    return "/".join(parts)
