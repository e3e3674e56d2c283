"""The metadata of a file that is being written or edited."""

import sys
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from kaitai_gguf.errors import KeyNotFound, TensorNotFound, WriteError
from kaitai_gguf.layout_rules import (
    ALIGNMENT_KEY,
    CURRENT_QUANTIZATION,
    DEFAULT_ALIGNMENT,
    QUANTIZATION_VERSION,
    alignment_breach,
    lacks_quantization_version,
)
from kaitai_gguf.llama_cpp import architecture_of, standard_key
from kaitai_gguf.reading.header import Header
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.opening import open
from kaitai_gguf.reading.typed_access import TypedAccess
from kaitai_gguf.schema import Buffer, ValueType
from kaitai_gguf.schema.writing import ArrayItem, Scalar, Serializer
from kaitai_gguf.suggestions import suggested_key
from kaitai_gguf.text import canonical, checked_name, encode, quoted
from kaitai_gguf.types import KeyType, value_dtype, value_type
from kaitai_gguf.writing.values import Typed, encoded, retyped

T = TypeVar("T")


class Items(MutableMapping[str, Any], Generic[T]):
    """A mapping by key or by tensor name, in the order of the file. It stores an item for each value."""

    _what: ClassVar[str]  # "key" or "tensor"
    _missing: ClassVar[type[KeyNotFound | TensorNotFound]]

    def __init__(self) -> None:
        self.revision = 0
        """A number that grows with each change."""
        self._places: dict[str, int] = {}
        self._items: dict[int, tuple[str, T]] = {}  # names and items by place; the last one has the highest
        self._next = count()

    @abstractmethod
    def changes(self) -> list[str]:
        """Return how many items of each kind changed since the file was opened."""

    def _change(self) -> None:
        self.revision += 1

    def __contains__(self, name: object) -> bool:
        return canonical(name) in self._places

    def __delitem__(self, name: str) -> None:
        self._change()
        self._item(name)
        del self._items[self._places.pop(canonical(name))]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def clear(self) -> None:  # the inherited method pops the first item repeatedly, in O(n) each
        self._change()
        self._places.clear()
        self._items.clear()

    def rename(self, old: str, new: str) -> None:
        """Rename a key or tensor, which keeps its value and its place.

        Raises `KeyNotFound` or `TensorNotFound`, or `WriteError` if another one has the new name.
        """
        self._change()
        item = self._item(old)
        old, new = canonical(old), self._checked(new)
        if new in self and new != old:
            raise WriteError(f"{self._what} {old!r}: {self._what} {new!r} already exists")
        place = self._places[new] = self._places.pop(old)  # O(1)
        self._items[place] = new, item

    def __repr__(self) -> str:
        shown = ", ".join(quoted(name) for name in islice(self, 3))
        more = ", …" if len(self) > 3 else ""
        return f"<{'; '.join([f'{len(self)} {self._what}s: {shown}{more}', *self.changes()])}>"

    def _checked(self, name: Any) -> str:
        return checked_name(name, "a key" if self._what == "key" else "the name of a tensor")

    def _item(self, name: str) -> T:
        try:
            return self._items[self._places[canonical(name)]][1]
        except KeyError:
            where = "metadata" if self._what == "key" else "file"
            raise self._missing(f"no {self._what} {name!r} in the {where}") from None

    def _set(self, name: str, item: T) -> None:
        """Set the item of a canonical name."""
        self._items[self._places.setdefault(name, next(self._next))] = name, item


class _Given(NamedTuple):
    """A value that was set: the value itself, and its bytes in the file."""

    type: KeyType
    value: Any
    data: bytes


@dataclass(frozen=True, slots=True)
class _Copied:
    """A key-value of a header in memory, or of a file that is open, where it may have another key."""

    source: Metadata
    key: str

    @property
    def type(self) -> KeyType:
        entry = self.source.entry(self.key)
        return KeyType(entry.value_type, entry.element_type)

    @property
    def value(self) -> Any:
        return self.source[self.key]


class WritableMetadata(Items[_Given | _Copied], TypedAccess[Sequence[str]]):
    """The key-values of a file that is being written or edited: a mutable mapping, in the order of the file.

    The value of a documented key gets a documented type: 4096, 4096.0 and numpy.int64(4096) become a uint32 where the
    key is one. A value of another kind is refused. `Typed` writes any type.

    For other keys, numpy scalars and arrays are written with their own types, an int gets the first of uint32, int32,
    uint64 and int64 that holds it, and a float becomes float32. Lists become arrays of one type that holds all
    elements.

    In an edited file, a value without its own type gets the type of the value that it replaces, and a new key that is
    similar to a documented one causes a `UserWarning`.

    Setting a value raises `WriteError` if it is of the wrong kind or its type can't hold it, TypeError if GGUF can't
    store it.
    """

    _what = "key"
    _missing = KeyNotFound

    def __init__(self, serializer: Serializer, keeps_types: bool = False) -> None:
        super().__init__()
        self._serializer = serializer
        self._keeps_types = keeps_types
        self._base: Metadata | None = None  # the metadata of the file that is edited
        self._base_keys: list[str] = []
        self._is_settled = False

    def settle(self) -> None:
        """Refuse all changes from here on."""
        self._is_settled = True

    def __getitem__(self, key: str) -> Any:
        return self._item(key).value

    def __setitem__(self, key: str, value: Any) -> None:
        self._change()
        key = self._checked(key)
        is_known, standard = key in self, _standard_types(key)
        kept = self.type(key) if self._keeps_types and is_known else None
        with _named(key):
            given = self._given(value, kept, standard)
        if self._keeps_types and not is_known and not standard:
            self._warn_if_misspelled(key)
        self._set(key, given)

    def changes(self) -> list[str]:
        """Return how many keys changed since the file was opened: `["1 set", "2 removed"]`. Renaming counts as both."""
        if self._base is None:
            return []
        items = self._items.values()
        kept = sum(isinstance(item, _Copied) and item.source is self._base and item.key == key for key, item in items)
        counts = {"set": len(self) - kept, "removed": sum(key not in self for key in self._base_keys)}
        return [f"{count} {what}" for what, count in counts.items() if count]

    def is_changed(self) -> bool:
        """Return whether the bytes of the key-values differ from those in the file that is edited."""
        assert self._base is not None
        return b"".join(self.key_values()) != b"".join(_stored(self._base.header))

    def type(self, key: str) -> KeyType:
        """Return the type that a value will have in the file, and its element type. Raises `KeyNotFound`."""
        return self._item(key).type

    _type_of = type

    def expected_type(self, key: str) -> KeyType | None:
        """Return the type that a value without its own type gets for a key; None if the value decides."""
        if self._keeps_types and key in self:
            return self.type(key)
        return next(iter(_standard_types(key)), None)

    def update(self, other: Any = (), /, **values: Any) -> None:
        """Set several keys, like `dict.update`.

        Metadata of a file, a writer or an editor keeps its types, and if possible its bytes. It is copied, so that the
        other file can be closed.
        """
        if isinstance(other, WritableMetadata):
            self.borrow(_read(other._serializer, other.key_values()))
            other = ()
        elif isinstance(other, Metadata):
            self.borrow(_read(other.header, _stored(other.header)))
            other = ()
        super().update(other, **values)

    def borrow(self, source: Metadata) -> None:
        """Set the key-values of a file that stays open until they are written: `update` without a copy."""
        self._change()
        for key in source:
            self._set(key, _Copied(source, key))

    def copy(self, source: Metadata, key: str) -> None:
        """Copy a key-value from an open file, type included. Raises `KeyNotFound`."""
        self._change()
        start, end = source.entry(key).span
        stored = _read(source.header, [memoryview(source.header.buf)[start:end]])
        self._set(canonical(key), _Copied(stored, key))

    def rebase(self, source: Metadata) -> None:
        """Start over with the key-values of an open file."""
        self.clear()
        self.borrow(source)
        self._base, self._base_keys = source, list(source)

    def adopt(self, other: "WritableMetadata") -> None:
        """Add the key-values of a file with the same version and byte order, unchanged."""
        assert self._serializer.has_layout_of(other._serializer.version, other._serializer.byte_order)
        for key, item in other._items.values():
            self._set(key, item)

    def retype(self, key: str, type: ValueType | str | int) -> None:
        """Change the type of a value, or of the elements of an array. `type` is given as for `Typed`.

        Raises `KeyNotFound`, or `WriteError` if the type can't hold the value.
        """
        self._change()
        value = self._item(key).value
        with _named(key):
            known = value_type(type)
            self._set(canonical(key), self._given(Typed(retyped(value, known), known)))

    def key_values(self, required: Iterable[tuple[str, Any]] = ()) -> list[Buffer]:
        """Return the bytes of all key-values, followed by those of other values, which must have types of their own."""
        others = {key: self._given(value) for key, value in required}
        return [self._bytes(key, item) for key, item in (*self._items.values(), *others.items())]

    def _change(self) -> None:
        if self._is_settled:
            raise WriteError("metadata can't be changed once tensor data has been written")
        super()._change()

    def _warn_if_misspelled(self, key: str) -> None:
        """Warn about a new key of an edited file that is similar to a documented one."""
        suggestion = suggested_key(key, architecture_of(self))
        if suggestion:
            frame, level = sys._getframe(1), 2
            while frame.f_back is not None and frame.f_globals["__name__"] in (__name__, "collections.abc"):
                frame, level = frame.f_back, level + 1
            warnings.warn(f"the key {quoted(key)} is not documented{suggestion}", UserWarning, stacklevel=level)

    def _given(self, value: Any, kept: KeyType | None = None, standard: Sequence[KeyType] = ()) -> _Given:
        item = encoded(value, self._serializer.byte_order, kept=kept, standard=standard)
        type = KeyType(ValueType.ARRAY, item.element_type) if isinstance(item, ArrayItem) else KeyType(item.type)
        if isinstance(value, float | np.floating) and type.value_type not in (ValueType.FLOAT32, ValueType.FLOAT64):
            value = int(value)
        return _Given(type, _snapshot(value), self._serializer.value(item))

    def _converted(self, item: _Copied) -> Scalar | ArrayItem:
        """Return a value from a file with another version or byte order."""
        type = item.type.value_type
        dtype = value_dtype(type, item.source.header.byte_order)
        if dtype is None:
            value = Typed(item.value, type) if type is ValueType.STRING else item.value
            return encoded(value, self._serializer.byte_order)
        # Converted as bytes, since a NaN may change its bits as a Python float.
        number = np.frombuffer(item.source.raw(item.key), dtype)
        return Scalar(type, number.astype(value_dtype(type, self._serializer.byte_order)).tobytes())

    def _bytes(self, key: str, item: _Given | _Copied) -> Buffer:
        with _named(key):
            if isinstance(item, _Given):
                data: Buffer = item.data
            elif not self._serializer.has_layout_of(item.source.header.version, item.source.header.byte_order):
                data = self._serializer.value(self._converted(item))
            else:
                start, end = item.source.entry(item.key).span
                stored = memoryview(item.source.header.buf)[start:end]
                if key == item.key:
                    return stored
                head = self._serializer.key_value(encode(item.key), item.type.value_type, b"")
                data = bytes(stored[len(head) :])  # with the length of a string or an array
            return self._serializer.key_value(encode(key), item.type.value_type, data)


def alignment_of(metadata: WritableMetadata) -> int:
    """Return the alignment of tensor data in bytes, by the metadata. Raises `WriteError` if it is not valid."""
    if ALIGNMENT_KEY not in metadata:
        return DEFAULT_ALIGNMENT
    value = metadata[ALIGNMENT_KEY]
    if breach := alignment_breach(metadata.type(ALIGNMENT_KEY).value_type, value):
        raise WriteError(breach[1])
    return int(value)


def required_keys(
    metadata: Mapping[str, Any], type_ids: Iterable[int], alignment: int = DEFAULT_ALIGNMENT
) -> dict[str, Any]:
    """Return the key-values that a file must have in addition to its metadata.

    type_ids   the types of its tensors.
    alignment  of tensor data, in bytes.
    """
    required: dict[str, Any] = {}
    if alignment != DEFAULT_ALIGNMENT and ALIGNMENT_KEY not in metadata:
        required[ALIGNMENT_KEY] = np.uint32(alignment)
    if lacks_quantization_version(metadata.get, type_ids):
        required[QUANTIZATION_VERSION] = np.uint32(CURRENT_QUANTIZATION)
    return required


def _stored(header: Header) -> list[Buffer]:
    """Return the bytes of the key-values of a file."""
    table, buf = header.key_values, memoryview(header.buf)
    return [buf[start:end] for start, end in zip(table.position.tolist(), table.end.tolist(), strict=True)]


def _read(like: Header | Serializer, key_values: Sequence[Buffer]) -> Metadata:
    """Return key-values as metadata that needs no file. `like` has the version and byte order of their bytes."""
    return open(b"".join(Serializer(like.version, like.byte_order).header(key_values, []))).metadata


def _snapshot(value: Any) -> Any:
    """Return a copy of a value, so that later changes to the original don't matter."""
    if isinstance(value, Typed):
        return _snapshot(value.value)
    if isinstance(value, list | tuple):
        return type(value)(map(_snapshot, value)) if type(value) in (list, tuple) else list(map(_snapshot, value))
    if isinstance(value, np.ndarray):
        return value.copy()
    return bytes(value) if isinstance(value, bytearray | memoryview) else value


@contextmanager
def _named(key: str) -> Iterator[None]:
    """Add the key to errors."""
    try:
        yield
    except (WriteError, TypeError) as error:
        named = WriteError if isinstance(error, WriteError) else TypeError
        raise named(f"key {key!r}: {error}") from None


def _standard_types(key: str) -> Sequence[KeyType]:
    known = standard_key(key)
    return () if known is None else known.types
