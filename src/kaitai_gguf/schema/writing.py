"""Write headers with functions that the skip compiler generates from the schema.

The classes that the official compiler generates write the same bytes, but create an object for each number.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kaitai_gguf_schema.packing import PACKERS, Unfit
from kaitai_gguf_schema.types import ValueType

from kaitai_gguf.errors import WriteError
from kaitai_gguf.schema.scanner import Buffer, ByteOrder


class Scalar(NamedTuple):
    """A value that is not an array. A number is given as its bytes, in the byte order of the file."""

    type: ValueType
    value: bytes


class ArrayItem(NamedTuple):
    """An array.

    `elements` are the bytes of all numbers, in the byte order of the file; a list of `bytes` for strings; a list of
    `ArrayItem` for arrays.
    """

    element_type: ValueType
    num_elements: int
    elements: Any


class Serializer:
    """Writes headers of one version and byte order. Raises `WriteError` for lengths that the schema forbids."""

    def __init__(self, version: int, byte_order: ByteOrder) -> None:
        self.version = version
        self.byte_order: ByteOrder = byte_order
        self._packer = PACKERS[version](">" if byte_order == "big" else "<")

    def has_layout_of(self, version: int, byte_order: ByteOrder) -> bool:
        """Return whether key-values and tensor infos have the same bytes in a file of this version and byte order."""
        return self.byte_order == byte_order and (self.version == 1) == (version == 1)

    def value(self, value: Scalar | ArrayItem) -> bytes:
        """Return the bytes of a value, without the value type before it."""
        if isinstance(value, ArrayItem):
            return self._array(value)
        if value.type is ValueType.STRING:
            return _packed(self._packer.gguf_string, value.value)
        return value.value

    def key_value(self, key: bytes, value_type: ValueType, value: Buffer) -> bytes:
        """Return the bytes of a key-value, given the bytes of its value."""
        head = _packed(self._packer.key_value, key, value_type)
        return b"".join((head, value))

    def tensor_info(self, name: bytes, dims: Sequence[int], type_id: int, offset: int) -> bytes:
        """Return the bytes of a tensor info. `dims` are in ggml order, `offset` is in bytes in the tensor data."""
        try:
            return self._packer.tensor_info(name, dims, type_id, offset)
        except Unfit as unfit:
            raise WriteError(str(unfit)) from None
        except struct.error:
            largest = max(dims, default=0)
            if self.version == 1 and largest >= 1 << 32:
                raise WriteError(f"the dim {largest} does not fit in the 32 bits of version 1") from None
            raise

    def header(self, key_values: Sequence[Buffer], tensor_infos: Sequence[Buffer]) -> list[Buffer]:
        """Return the whole header in chunks, given the bytes of the key-values and tensor infos."""
        head = _packed(self._packer.gguf, self.version, len(tensor_infos), len(key_values))
        return [head, *key_values, b"".join(tensor_infos)]

    def _array(self, array: ArrayItem) -> bytes:
        elements = array.elements
        if array.element_type is ValueType.STRING:
            elements = self._strings(elements)
        elif array.element_type is ValueType.ARRAY:
            elements = b"".join(map(self._array, elements))
        head = _packed(self._packer.gguf_array, array.element_type, array.num_elements)
        return b"".join((head, elements))

    def _strings(self, strings: Sequence[bytes]) -> bytes:
        """Return the strings of an array. What comes before a string depends only on its length."""
        examples = {len(each): each for each in strings}
        heads = {n: _packed(self._packer.gguf_string, each)[: -n or None] for n, each in examples.items()}
        parts = [b""] * (2 * len(strings))
        parts[0::2] = [heads[len(each)] for each in strings]
        parts[1::2] = strings
        return b"".join(parts)


def _packed(pack: Callable[..., bytes], *fields: Any) -> bytes:
    try:
        return pack(*fields)
    except Unfit as unfit:
        raise WriteError(str(unfit)) from None
