"""Write headers with the read-write classes that the official compiler generates.

Tensor infos are packed by functions that the skip compiler generates from the same schema, since creating objects for
them takes many times as long. Items that are copied from another file or were written before are inserted as bytes.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from io import RawIOBase
from typing import Any

from kaitai_gguf_schema.packing import PACKERS, Unfit
from kaitai_gguf_schema.read_write.gguf import Gguf
from kaitai_gguf_schema.types import ELEMENT_CLASSES, MAGIC, VALUE_CLASSES, ValueType
from kaitaistruct import KaitaiStream, ValidationGreaterThanError

from kaitai_gguf.errors import WriteError
from kaitai_gguf.schema.scanner import Buffer

__all__ = ["ArrayItem", "Scalar", "Serializer"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value that is not an array. A number may be bytes, in the byte order of the file."""

    type: ValueType
    value: int | float | bytes


@dataclass(frozen=True, slots=True)
class ArrayItem:
    """An array.

    `elements` are the bytes of all numbers, in the byte order of the file; a list of `bytes` for strings; a list of
    `ArrayItem` for arrays.
    """

    element_type: ValueType
    num_elements: int
    elements: Any


class Serializer:
    """Writes headers of one version and byte order. Raises `WriteError` for values that the schema forbids."""

    def __init__(self, version: int, is_big_endian: bool) -> None:
        self._is_le = not is_big_endian
        self._root = Gguf()
        # Set here, or they would be read from the file. Not written, since the body has the version too.
        self._root._m_version = version
        self._root._m_is_be = is_big_endian
        self._root.version_le__enabled = self._root.version_be__enabled = False
        self._sink = _Sink()
        self._stream = KaitaiStream(self._sink)
        self._packer = PACKERS[version](">" if is_big_endian else "<")

    def value(self, value: Scalar | ArrayItem) -> bytes:
        """Return the bytes of a value, without the value type before it."""
        return self._written(self._array(None, value) if isinstance(value, ArrayItem) else self._scalar(None, value))

    def key_value(self, key: bytes, value_type: ValueType, value: Buffer) -> bytes:
        """Return the bytes of a key-value, given the bytes of its value."""
        item = self._new(Gguf.KeyValue)
        item.key = self._string(item, key)
        item.value_type = Gguf.ValueType(value_type)
        item.value = _Written(value, item, self._root)
        return self._written(item)

    def tensor_info(self, name: bytes, dims: Sequence[int], type_id: int, offset: int) -> bytes:
        """Return the bytes of a tensor info. `dims` are in ggml order, `offset` is in bytes in the tensor data."""
        try:
            return self._packer.tensor_info(name, dims, type_id, offset)
        except Unfit as unfit:
            raise WriteError(str(unfit)) from None
        except struct.error:
            largest = max(dims, default=0)
            if self._root.version == 1 and largest >= 1 << 32:
                raise WriteError(f"the dim {largest} does not fit in the 32 bits of version 1") from None
            raise

    def header(self, key_values: Sequence[Buffer], tensor_infos: Sequence[Buffer]) -> list[Buffer]:
        """Return the whole header in chunks, given the bytes of the key-values and tensor infos."""
        body = self._new(Gguf.GgufBody, self._root)
        body.version = self._root.version
        body.num_tensors = self._length(body, len(tensor_infos))
        body.num_metadata = self._length(body, len(key_values))
        body.metadata = _AllWritten(key_values, body, self._root)
        body.tensors = _AllWritten(tensor_infos, body, self._root)
        _check(body)
        self._root.magic = MAGIC
        self._root.body = body
        chunks = self._chunks(self._root)
        # The objects refer to each other, and would keep the buffers alive until garbage collection.
        body.metadata = body.tensors = self._root.body = None
        return chunks

    def _new(self, kind: Any, parent: Any = None, **fields: Any) -> Any:
        """Return an object of a generated class. If fields are given, it is checked."""
        item = kind(None, parent, self._root)
        item._is_le = self._is_le
        for name, value in fields.items():
            setattr(item, name, value)
        if fields:
            _check(item)
        return item

    def _length(self, parent: Any, number: int) -> Any:
        return self._new(Gguf.Length, parent, value_u4=number, value_u8=number)  # the version decides which is written

    def _string(self, parent: Any, data: bytes) -> Any:
        item = self._new(Gguf.GgufString, parent)
        item.len_data = self._length(item, len(data))
        item.data = data
        _check(item)
        return item

    def _scalar(self, parent: Any, scalar: Scalar) -> Any:
        if scalar.type is ValueType.STRING:
            assert isinstance(scalar.value, bytes)
            return self._string(parent, scalar.value)
        if isinstance(scalar.value, bytes):
            return _Written(scalar.value, parent, self._root)
        return self._new(getattr(Gguf, VALUE_CLASSES[scalar.type]), parent, value=scalar.value)

    def _array(self, parent: Any, array: ArrayItem) -> Any:
        item = self._new(Gguf.GgufArray, parent)
        item.element_type = Gguf.ValueType(array.element_type)
        item.num_elements = self._length(item, array.num_elements)
        item.elements = self._elements(item, array)
        _check(item)
        return item

    def _elements(self, parent: Any, array: ArrayItem) -> Any:
        if array.element_type is ValueType.STRING:
            return _Written(self._strings(array.elements), parent, self._root)
        kind = getattr(Gguf, ELEMENT_CLASSES[array.element_type])
        if array.element_type is not ValueType.ARRAY:
            return self._new(kind, parent, data=array.elements)
        item = self._new(kind, parent)
        item.items = [self._array(item, element) for element in array.elements]
        _check(item)
        return item

    def _strings(self, strings: Any) -> bytes:
        """Write all strings of an array at once: objects for the 800,000 of a vocabulary would take a minute."""
        lengths = {number: self._written(self._length(None, number)) for number in set(map(len, strings))}
        parts = [b""] * (2 * len(strings))
        parts[0::2] = [lengths[len(each)] for each in strings]
        parts[1::2] = strings
        return b"".join(parts)

    def _written(self, item: Any) -> bytes:
        return b"".join(self._chunks(item))

    def _chunks(self, item: Any) -> list[Buffer]:
        _check(item)
        self._sink.chunks = []
        item._write__seq(self._stream)
        chunks, self._sink.chunks = self._sink.chunks, []
        return chunks


def _check(item: Any) -> None:
    try:
        item._check()
    except ValidationGreaterThanError as error:
        raise WriteError(f"a count of {error.actual} is more than the limit of {error.max}") from None


class _Written:
    """The bytes of an item, in place of its object."""

    def __init__(self, data: Buffer, parent: Any, root: Any) -> None:
        self._data = data
        self._parent = parent
        self._root = root

    def _check(self) -> None:
        pass

    def _write__seq(self, stream: KaitaiStream) -> None:
        stream.write_bytes(self._data)


class _AllWritten(Sequence[_Written]):
    """The bytes of the items of a list. Objects are created one at a time, since a file may have a million items."""

    def __init__(self, items: Sequence[Buffer], parent: Any, root: Any) -> None:
        self._items = items
        self._parent = parent
        self._root = root

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return _Written(self._items[index], self._parent, self._root)


class _Sink(RawIOBase):
    """A file that keeps the chunks that are written to it."""

    def __init__(self) -> None:
        self.chunks: list[Buffer] = []
        self._position = 0

    def write(self, data: Any) -> int:
        self.chunks.append(data)
        self._position += len(data)
        return len(data)

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = 0) -> int:
        # kaitaistruct seeks to the end to find out how much can be written.
        self._position = 1 << 62 if whence == 2 else offset
        return self._position

    def seekable(self) -> bool:
        return True
