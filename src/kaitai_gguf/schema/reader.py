"""One header: walked over once, and then read item by item at the positions that were found."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from kaitai_gguf_schema.types import ValueType

from kaitai_gguf.errors import ClosedError
from kaitai_gguf.schema.refusal import check_magic, refuse
from kaitai_gguf.schema.walk import Buffer, IntArray, Refused, Walk

if TYPE_CHECKING:
    from kaitai_gguf.schema.items import Items

__all__ = ["ArrayInfo", "Handle", "KeyValueTable", "Reader", "TensorTable"]


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


class ArrayInfo(NamedTuple):
    """The start of an array."""

    element_type: ValueType
    num_elements: int
    elements: int  # where the first element starts


class Reader:
    """One buffer that holds a GGUF header. Raises `FormatError` if it doesn't."""

    def __init__(self, buf: Buffer) -> None:
        check_magic(buf)
        try:
            self._walk = Walk(buf)
            (self._metadata, self._tensors), self.end = self._walk.index("gguf", 0)
        except Refused as refused:
            refuse(refused)
        self.buf = buf
        self.is_big_endian = self._walk.is_big_endian

    @cached_property
    def _items(self) -> "Items":
        # The generated classes take a while to import, and a file is opened without them.
        from kaitai_gguf.schema.items import Items

        return Items(self.buf)

    @property
    def version(self) -> int:
        return self._items.version

    @property
    def num_metadata(self) -> int:
        return len(self._metadata)

    @property
    def num_tensors(self) -> int:
        return len(self._tensors)

    def key_values(self, first: int = 0, last: int | None = None) -> KeyValueTable:
        """All key-values, or those from the first to before the last."""
        after = self._tensors[0] if len(self._tensors) else self.end
        positions = self._metadata[first:last]
        ends = np.append(self._metadata[first + 1 :][: len(positions)], after)[: len(positions)]
        key_start, key_end, value_type, value = self._walk.table("key_value", positions)
        return KeyValueTable(positions, key_start, key_end, value_type, value, ends)

    def tensor_infos(self, first: int = 0, last: int | None = None) -> TensorTable:
        """All tensor infos, or those from the first to before the last."""
        positions = self._tensors[first:last]
        name_start, name_end, num_dims, dims, type_id, offset = self._walk.table("tensor_info", positions)
        count = len(positions)
        rows = dims.view(np.uint64).reshape(count, dims.size // max(count, 1))
        return TensorTable(positions, name_start, name_end, num_dims, rows, type_id, offset.view(np.uint64))

    def scalar(self, key_value: int) -> int | float | bytes:
        """The value, which is not an array, of the key-value at a position; strings undecoded."""
        return self._items.scalar(key_value)

    def array(self, position: int) -> ArrayInfo:
        element_type, num_elements, elements = self._walk.read("gguf_array", position)
        return ArrayInfo(ValueType(element_type), num_elements, elements)

    def string_items(self, info: ArrayInfo) -> tuple[IntArray, IntArray]:
        """Where each string of an array, with its length, starts and ends; one O(n) walk."""
        (starts,), end = self._walk.index("string_elements", info.elements, info.num_elements)
        return starts, np.append(starts[1:], end)[: len(starts)]

    def array_items(self, info: ArrayInfo) -> tuple[IntArray, IntArray]:
        """Where each array of an array of arrays starts and ends; one O(n) walk."""
        (starts,), end = self._walk.index("array_elements", info.elements, info.num_elements)
        return starts, np.append(starts[1:], end)[: len(starts)]

    def string_span(self, position: int) -> tuple[int, int]:
        """Where the bytes of the string at a position start and end."""
        start, end = self._walk.read("gguf_string", position)
        return start, end

    def string_spans(self, positions: IntArray) -> tuple[IntArray, IntArray]:
        """Where the bytes of each string at the positions start and end."""
        start, end = self._walk.table("gguf_string", positions)
        return start, end

    def texts(self, starts: IntArray, ends: IntArray) -> list[str]:
        """What is between the positions, decoded as UTF-8 with `surrogateescape`."""
        return self._walk.texts(starts, ends)

    def hashes(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Python's hash of the bytes between the positions."""
        return self._walk.hashes(starts, ends)

    def field_position(self, kind: str, position: int, field: str) -> int:
        """Where a field of the item ("key_value" or "tensor_info") at a position starts."""
        return self._walk.where(kind, position)[field]


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
