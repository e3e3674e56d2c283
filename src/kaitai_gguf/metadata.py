"""The metadata of a file: a read-only mapping from keys to values, read when asked for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kaitai_gguf.arrays import ArrayValue, decode, read_array
from kaitai_gguf.errors import FormatError, KeyNotFound
from kaitai_gguf.schema import ArrayInfo, Handle, ValueType

__all__ = ["Entry", "Metadata", "Value"]

Value = str | int | float | bool | ArrayValue


@dataclass(frozen=True, slots=True)
class Entry:
    """A key-value as it is in the file.

    Positions are bytes from the start of the file: `span` is all of the key-value, `value_span` the
    value without the length of a string or the element type and count of an array.
    """

    key: str
    value_type: ValueType
    element_type: ValueType | None  # of an array
    count: int | None  # of an array's elements
    span: tuple[int, int]
    value_span: tuple[int, int]


class _Item(NamedTuple):
    position: int
    value_type: int
    value: int
    end: int


class Metadata(Mapping[str, Value]):
    """The key-values of a file, in file order.

    A value is a str, int, float or bool; an array of numbers or bools is a read-only numpy view, an
    array of strings a `StringArray`, an array of arrays a `NestedArray`. `KeyNotFound` for a key that
    isn't there; `FormatError` if a key is empty or there twice.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        reader = handle.reader
        self._values: dict[str, Value] = {}
        self._items: dict[str, _Item] = {}
        table = reader.key_values()
        keys = reader.texts(table.key_start, table.key_end)
        columns = (keys, table.position, table.value_type, table.value, table.end)
        rows = zip(*(column if isinstance(column, list) else column.tolist() for column in columns), strict=True)
        for number, (key, *item) in enumerate(rows):
            if not key or key in self._items:
                raise FormatError(
                    f"the key {key!r} is there twice" if key else f"the key of key-value {number} is empty",
                    offset=item[0],
                    path=f"/metadata/{number}/key",
                )
            self._items[key] = _Item(*item)

    def __getitem__(self, key: str) -> Value:
        item = self._item(key)
        if key not in self._values:
            self._values[key] = self._read(item)
        return self._values[key]

    def __contains__(self, key: object) -> bool:
        self._handle.check()
        return key in self._items

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<Metadata of {len(self)} keys>"

    def entry(self, key: str) -> Entry:
        """Type, count and place of a key-value; `KeyNotFound` if there is none."""
        item = self._item(key)
        value_type = ValueType(item.value_type)
        info = self._array(item)
        start = item.value
        if info:
            start = info.elements
        elif value_type is ValueType.STRING:
            start, _ = self._handle.reader.string_span(item.value)
        return Entry(
            key=key,
            value_type=value_type,
            element_type=info.element_type if info else None,
            count=info.num_elements if info else None,
            span=(item.position, item.end),
            value_span=(start, item.end),
        )

    def raw(self, key: str) -> bytes:
        """The bytes of a value, as they are in the file: those of `entry(key).value_span`."""
        start, end = self.entry(key).value_span
        return bytes(self._handle.reader.buf[start:end])

    def _item(self, key: str) -> _Item:
        self._handle.check()
        try:
            return self._items[key]
        except KeyError:
            raise KeyNotFound(f"no key {key!r} in the metadata") from None

    def _array(self, item: _Item) -> ArrayInfo | None:
        return self._handle.reader.array(item.value) if item.value_type == ValueType.ARRAY else None

    def _read(self, item: _Item) -> Value:
        info = self._array(item)
        if info:
            return read_array(self._handle.reader, info)
        value = self._handle.reader.scalar(item.position)
        if isinstance(value, bytes):
            return decode(value)
        return bool(value) if item.value_type == ValueType.BOOL else value
