"""Metadata that can be changed: of a file that is to be written."""

from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from kaitai_gguf.errors import KeyNotFound, WriteError
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, alignment_breach
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.typed_access import TypedAccess
from kaitai_gguf.schema import Buffer, Reader, ValueType
from kaitai_gguf.schema.writing import ArrayItem, Scalar, Serializer
from kaitai_gguf.standard_keys import KeyType, standard_types
from kaitai_gguf.text import canonical, checked_name, encode, quoted
from kaitai_gguf.types import ByteOrder, value_dtype, value_type
from kaitai_gguf.writing.items import Items
from kaitai_gguf.writing.values import Typed, encoded, retyped

__all__ = ["WritableMetadata", "alignment_of"]


@dataclass(frozen=True, slots=True)
class _Given:
    """A value that somebody set: as it was given, and as it is written."""

    type: KeyType
    value: Any
    data: bytes


@dataclass(frozen=True, slots=True)
class _Copied:
    """A key-value of an open file."""

    source: Metadata
    key: str

    @property
    def type(self) -> KeyType:
        entry = self.source.entry(self.key)
        return KeyType(entry.value_type, entry.element_type)

    @property
    def value(self) -> Any:
        return self.source[self.key]


class WritableMetadata(TypedAccess[Sequence[str]], MutableMapping[str, Any]):
    """The key-values of a file that is to be written, in the order in which they will be in it.

    A numpy scalar or array is written with the type that it has, and so is `Typed`. Of a value without a type, an int
    or float becomes what the key is documented to be. For other keys an int is the first of uint32, int32, uint64
    and int64 that holds it, and a float is float32. Lists are arrays, of one type that holds all elements.

    In a file that is edited, a value without a type gets the type of the value that it replaces.
    """

    def __init__(self, serializer: Serializer, version: int, byte_order: ByteOrder, keeps_types: bool = False) -> None:
        self._serializer = serializer
        self._version = version
        self._byte_order: ByteOrder = byte_order
        self._keeps_types = keeps_types
        self._items: Items[_Given | _Copied] = Items()
        self._base: Metadata | None = None  # what the file has that is being changed, and its keys
        self._base_keys: list[str] = []
        self._is_settled = False

    def settle(self) -> None:
        """Refuse all changes from here on."""
        self._is_settled = True

    def __getitem__(self, key: str) -> Any:
        return self._item(key).value

    def __contains__(self, key: object) -> bool:
        return canonical(key) in self._items

    def __setitem__(self, key: str, value: Any) -> None:
        self._check_open()
        key = checked_name(key, "a key")
        is_kept = self._keeps_types and key in self._items
        with _named(key):
            known = {"kept": self._items[key].type} if is_kept else {"standard": _standard_type(key)}
            self._items[key] = self._given(value, **known)

    def __delitem__(self, key: str) -> None:
        self._check_open()
        self._item(key)
        del self._items[canonical(key)]

    def clear(self) -> None:
        self._check_open()
        self._items.clear()

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        shown = ", ".join(quoted(key) for key in islice(self, 3))
        more = ", …" if len(self) > 3 else ""
        return f"<{'; '.join([f'{len(self)} keys: {shown}{more}', *self.changes()])}>"

    def changes(self) -> list[str]:
        """How many keys changed since a file was opened: `["1 set", "2 removed"]`; a renamed one is both."""
        if self._base is None:
            return []
        kept = sum(
            isinstance(item, _Copied) and item.source is self._base and item.key == key
            for key, item in self._items.items()
        )
        counts = {"set": len(self) - kept, "removed": sum(key not in self._items for key in self._base_keys)}
        return [f"{count} {what}" for what, count in counts.items() if count]

    def type(self, key: str) -> KeyType:
        """The type that a value will have in the file, and that of its elements."""
        return self._item(key).type

    _type_of = type

    def expected_type(self, key: str) -> KeyType | None:
        """The type that a value without a type of its own will get for a key; None if that is up to the value."""
        if self._keeps_types and key in self:
            return self.type(key)
        return _standard_type(key)

    def update(self, other: Any = (), /, **values: Any) -> None:
        """As dict's, but the metadata of an open file keep their types, and their bytes where they can."""
        if isinstance(other, Metadata):
            for key in other:
                self.copy(other, key)
            other = ()
        super().update(other, **values)

    def copy(self, source: Metadata, key: str) -> None:
        """Take over a key-value of an open file as it is there."""
        self._check_open()
        source.entry(key)  # or there is none
        self._items[canonical(key)] = _Copied(source, key)

    def rebase(self, source: Metadata) -> None:
        """Start again with the key-values of an open file."""
        self.clear()
        self.update(source)
        self._base, self._base_keys = source, list(source)

    def adopt(self, other: "WritableMetadata") -> None:
        """Take over the key-values of a file of the same layout as they are."""
        assert (other._version, other._byte_order) == (self._version, self._byte_order)
        self._items.update(other._items)

    def rename(self, old: str, new: str) -> None:
        """Give a key another name; the value stays at its place, and as it is."""
        self._check_open()
        item = self._item(old)
        old, new = canonical(old), checked_name(new, "a key")
        if new in self._items and new != old:
            raise WriteError(f"key {old!r}: there is a key {new!r} already")
        self._items[old] = self._detached(item)
        self._items.rename(old, new)

    def retype(self, key: str, type: ValueType | str | int) -> None:
        """Give a value, or the elements of an array, another type, if that can hold them: as `Typed` takes types."""
        self._check_open()
        value = self._item(key).value
        with _named(key):
            known = value_type(type)
            self._items[canonical(key)] = self._given(Typed(retyped(value, known), known))

    def key_values(self) -> list[Buffer]:
        """All of them as they are written."""
        return [self._bytes(key, item) for key, item in self._items.items()]

    def _check_open(self) -> None:
        if self._is_settled:
            raise WriteError("metadata are set before the first data is written")

    def _item(self, key: str) -> _Given | _Copied:
        try:
            return self._items[canonical(key)]
        except KeyError:
            raise KeyNotFound(f"no key {key!r} in the metadata") from None

    def _given(self, value: Any, kept: KeyType | None = None, standard: KeyType | None = None) -> _Given:
        item = encoded(value, self._byte_order, kept=kept, standard=standard)
        type = KeyType(ValueType.ARRAY, item.element_type) if isinstance(item, ArrayItem) else KeyType(item.type)
        return _Given(type, _snapshot(value), self._serializer.value(item))

    def _detached(self, item: _Given | _Copied) -> _Given:
        """A value without the key that it had."""
        if isinstance(item, _Given):
            return item
        type, reader = item.type, item.source.reader
        if self._is_like_ours(reader):
            start, end = item.source.entry(item.key).span
            start += len(self._serializer.key_value(encode(item.key), type.value_type, b""))
            return _Given(type, item.value, bytes(memoryview(reader.buf)[start:end]))
        return _Given(type, item.value, self._serializer.value(self._converted(item)))

    def _converted(self, item: _Copied) -> Scalar | ArrayItem:
        """A value of a file with another layout."""
        type = item.type.value_type
        dtype = value_dtype(type, "big" if item.source.reader.is_big_endian else "little")
        if dtype is None:
            return encoded(Typed(item.value, type) if type is ValueType.STRING else item.value, self._byte_order)
        # By its bytes, since a float that isn't a number may not survive being one of Python's.
        number = np.frombuffer(item.source.raw(item.key), dtype)
        return Scalar(type, number.astype(value_dtype(type, self._byte_order)).tobytes())

    def _bytes(self, key: str, item: _Given | _Copied) -> Buffer:
        if isinstance(item, _Copied):
            reader = item.source.reader
            if self._is_like_ours(reader):
                start, end = item.source.entry(item.key).span
                return memoryview(reader.buf)[start:end]
        with _named(key):
            given = self._detached(item)
            return self._serializer.key_value(encode(key), given.type.value_type, given.data)

    def _is_like_ours(self, reader: Reader) -> bool:
        """Whether a key-value of a file has the same bytes here."""
        byte_order = "big" if reader.is_big_endian else "little"
        return byte_order == self._byte_order and (reader.version == 1) == (self._version == 1)


def alignment_of(metadata: WritableMetadata) -> int:
    """What tensors are aligned to by the metadata, in bytes. Raises `WriteError` if it can't be that."""
    if ALIGNMENT_KEY not in metadata:
        return DEFAULT_ALIGNMENT
    value = metadata[ALIGNMENT_KEY]
    breach = alignment_breach(metadata.type(ALIGNMENT_KEY).value_type, value)
    if breach:
        raise WriteError(breach[1])
    return int(value)


def _snapshot(value: Any) -> Any:
    """A value that stays what was written, whatever becomes of the one that was given."""
    if isinstance(value, Typed):
        return _snapshot(value.value)
    if isinstance(value, list | tuple):
        return type(value)(map(_snapshot, value)) if type(value) in (list, tuple) else list(map(_snapshot, value))
    if isinstance(value, np.ndarray):
        return value.copy()
    return bytes(value) if isinstance(value, bytearray | memoryview) else value


def _standard_type(key: str) -> KeyType | None:
    # What is before the first point is an architecture, unless it is something else that is known.
    types = standard_types(key) or standard_types(key, key.partition(".")[0])
    return types[0] if types else None


@contextmanager
def _named(key: str) -> Iterator[None]:
    """Name the key in errors."""
    try:
        yield
    except (WriteError, TypeError) as error:
        kind = WriteError if isinstance(error, WriteError) else TypeError
        raise kind(f"key {key!r}: {error}") from None
