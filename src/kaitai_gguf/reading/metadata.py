"""The metadata of a file: a read-only mapping from keys to values, which are read on demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from kaitai_gguf.errors import KeyNotFound
from kaitai_gguf.reading import notebook
from kaitai_gguf.reading.arrays import StringArray, Value
from kaitai_gguf.reading.handle import Handle, similar_names
from kaitai_gguf.reading.header import Header, KeyValue
from kaitai_gguf.reading.typed_access import TypedAccess
from kaitai_gguf.schema import ValueType
from kaitai_gguf.text import canonical, quoted
from kaitai_gguf.types import KeyType


@dataclass(frozen=True, slots=True)
class Entry:
    """Type and position of a key-value. Positions are in bytes from the start of the file."""

    key: str
    value_type: ValueType
    element_type: ValueType | None
    """The type of the elements of an array; None for other values."""
    count: int | None
    """The number of elements of an array; None for other values."""
    span: tuple[int, int]
    """Start and end of the key-value."""
    value_span: tuple[int, int]
    """Start and end of the value, without the length of a string or the element type and count of an array."""


class Metadata(TypedAccess[StringArray]):
    """The key-values of a file in file order: a read-only mapping from keys to values.

    A value is a str, int, float or bool. An array of numbers or bools is a read-only numpy view, an array of strings a
    `StringArray`, an array of arrays a `NestedArray`. `metadata[key]` raises `KeyNotFound` for a missing key. Opening
    a file raises `FormatError` if a key is empty or duplicated.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._values: dict[int, Value] = {}  # by the number of the key-value
        self._count = len(handle.header.metadata)

    def __getitem__(self, key: str) -> Any:
        item = self._item(key)
        value = self._values.get(item.number)
        if value is None:
            value = self._values[item.number] = self._handle.header.value(item)
            if not isinstance(value, str | int | float):
                self._handle.source.lend(value, key)
        return value

    def to_dict(self) -> dict[str, Any]:
        """Return all key-values in file order as a dict of plain Python values. Arrays become lists.

        Every string of a vocabulary becomes a str: 777,050 of them take tens of megabytes.
        """
        return {key: value.tolist() if hasattr(value, "tolist") else value for key, value in self.items()}

    def __contains__(self, key: object) -> bool:
        return self._handle.header.key_number(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._handle.header.keys)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        shown = ", ".join(quoted(key) for key in islice(self, 3)) if not self._handle.is_closed else "closed"
        return f"<Metadata of {len(self)} keys: {shown}{', …' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        return notebook.table(map(self._html_row, self), header=["key", "type", "value"], count=len(self))

    def _html_row(self, key: str) -> tuple[str, str, str]:
        entry = self.entry(key)
        type = str(entry.value_type)
        if entry.element_type is not None:
            type = f"array of {entry.count:,} {entry.element_type}"
        return key, type, notebook.cell(self[key])

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    @property
    def header(self) -> Header:
        """The header of the file. Raises `ClosedError`."""
        return self._handle.header

    def __reduce__(self) -> tuple[object, ...]:
        return Metadata, (self._handle,)

    def entry(self, key: str) -> Entry:
        """Return type, count and position of a key-value. Raises `KeyNotFound`."""
        item = self._item(key)
        header = self._handle.header
        value_type, info, start = ValueType(item.value_type), header.array_of(item), item.value
        if info:
            start = info.elements
        elif value_type is ValueType.STRING:
            start, _ = header.string_span(item.value)
        return Entry(
            key=canonical(key),
            value_type=value_type,
            element_type=info.element_type if info else None,
            count=info.num_elements if info else None,
            span=(item.position, item.end),
            value_span=(start, item.end),
        )

    def _type_of(self, key: str) -> KeyType:
        entry = self.entry(key)
        return KeyType(entry.value_type, entry.element_type)

    def raw(self, key: str) -> bytes:
        """Return the bytes of a value in the file, at `entry(key).value_span`. Raises `KeyNotFound`."""
        return self._handle.header.raw([self.entry(key).value_span])

    def _item(self, key: str) -> KeyValue:
        item = self._handle.header.key_value(key)
        if item is None:
            raise KeyNotFound(f"no key {key!r} in the metadata", partial(similar_names, key, list(self)))
        return item
