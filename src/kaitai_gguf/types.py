"""Value types and tensor types: their ids, names, block sizes and numpy dtypes, all read from the schema."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.errors import UnknownTypeError
from kaitai_gguf.schema import BLOCKS, REMOVED_TYPES, ByteOrder, GGMLType, ValueType

__all__ = ["ByteOrder", "GGMLType", "ValueType"]  # of the schema, but imported from here

Progress = Callable[[int], None]
"""A callback that is given the number of bytes processed since the last call."""

MASKED = "is a masked array: array.filled(value) gives the masked elements a value, array.compressed() leaves them out"
"""The message for a masked array, after the name of the argument."""


class KeyType(NamedTuple):
    """A value type and, for an array, the type of its elements."""

    value_type: ValueType
    element_type: ValueType | None = None

    def __str__(self) -> str:
        if self.element_type is None:
            return self.value_type.name.lower()
        return f"array of {self.element_type.name.lower()}"


def block_size(type: GGMLType) -> int:
    """Return the number of elements in a block of this type: 1 for types that are not quantized."""
    return BLOCKS[type].num_elements


def type_size(type: GGMLType) -> int:
    """Return the size of a block of this type in bytes. The name is ggml's."""
    return BLOCKS[type].size


def is_quantized(type: GGMLType) -> bool:
    """Return whether the type packs several elements into a block."""
    return BLOCKS[type].num_elements > 1


_TYPE_NAMES = {type_id: GGMLType(type_id).name for type_id in BLOCKS} | REMOVED_TYPES


def type_name(type_id: int) -> str:
    """Return ggml's name of a tensor type in upper case, even if ggml has removed it; `type 77` for an unknown id."""
    return _TYPE_NAMES.get(type_id) or f"type {type_id}"


def ggml_type(type: Any) -> GGMLType:
    """Return the tensor type for a GGMLType, its name in any case, or its number.

    Integer enums of other packages count as numbers. Raises `UnknownTypeError` for an unknown name or number, TypeError
    for anything else.
    """
    if isinstance(type, str):
        if type.upper() not in GGMLType.__members__:
            if re.fullmatch(r"(Q\d_K|IQ\d)_[A-Z]+", type.upper()):
                raise UnknownTypeError(f"{type} is a mix of types, not a tensor type")
            raise UnknownTypeError(f"unknown type {type!r}; the types are {', '.join(GGMLType.__members__)}")
        return GGMLType[type.upper()]
    if not is_integer(type):
        raise TypeError(f"expected a GGMLType, or the name or number of one, not {type!r}")
    if type not in BLOCKS:
        removed = REMOVED_TYPES.get(int(type))
        reason = f"{removed}, which ggml has removed" if removed else "unknown to this version"
        raise UnknownTypeError(f"type {int(type)} is {reason}")
    return GGMLType(int(type))


def value_type(type: Any) -> ValueType:
    """Return the value type for a ValueType, its name in any case, or its number.

    Raises TypeError for anything else.
    """
    if isinstance(type, str) and type.upper() in ValueType.__members__:
        return ValueType[type.upper()]
    if is_integer(type) and type in ValueType.__members__.values():
        return ValueType(int(type))
    names = ", ".join(map(str, ValueType))
    raise TypeError(f"expected a ValueType, or the name or number of one ({names}), not {type!r}")


@cache
def block_dtype(type: GGMLType, byte_order: ByteOrder = "little") -> np.dtype[Any]:
    """Return the structured dtype of one block. Its fields are those of `ggml_block.ksy`."""
    fields = [
        (field.name, _dtype(field.dtype, byte_order), () if field.repeat is None else (field.repeat,))
        for field in BLOCKS[type].fields
    ]
    return np.dtype(fields)


@cache
def plain_dtype(type: GGMLType, byte_order: ByteOrder = "little") -> np.dtype[Any]:
    """Return the dtype of the elements of a type that isn't quantized."""
    (field,) = BLOCKS[type].fields
    return _dtype(field.dtype, byte_order)


@cache
def stored_rows(type: GGMLType, byte_order: ByteOrder = "little") -> tuple[np.dtype[Any], int, int]:
    """Return the dtype of the rows of a tensor as they are stored, and how many elements take how many items of it.

    Rows of a quantized type are bytes, those of any other type are its elements.
    """
    if is_quantized(type):
        return np.dtype(np.uint8), block_size(type), type_size(type)
    return plain_dtype(type, byte_order), 1, 1


@cache
def value_dtype(type: ValueType, byte_order: ByteOrder = "little") -> np.dtype[Any] | None:
    """Return the dtype of a metadata value or array element; None for strings and arrays."""
    if type in (ValueType.STRING, ValueType.ARRAY):
        return None
    return _dtype(type.name.lower(), byte_order)


def is_masked(array: object) -> bool:
    """Return whether this is a masked array. Copying its bytes would expose the values under the mask."""
    # numpy imports numpy.ma on first use: ask only if the array is of a subclass.
    is_special = isinstance(array, np.ndarray) and type(array) is not np.ndarray
    return is_special and isinstance(array, np.ma.MaskedArray)


def is_native(dtype: np.dtype[Any]) -> bool:
    """Return whether numpy handles the byte order of a dtype correctly. The dtype must not have fields.

    numpy can byte-swap the dtypes of ml_dtypes, but then ignores the byte order in tolist, sort and assignments.
    """
    return dtype.isnative or dtype.kind != "V" or dtype.itemsize == 1


def as_native(array: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the array itself if its dtype `is_native`, else a read-only copy in the machine's byte order."""
    if is_native(array.dtype):
        return array
    swapped = array.view(f"u{array.itemsize}").byteswap().view(array.dtype.newbyteorder("="))
    swapped.flags.writeable = False
    return swapped


def _dtype(name: str, byte_order: ByteOrder) -> np.dtype[Any]:
    if name not in np.sctypeDict:
        import ml_dtypes  # slow to import, and most files have none of its types

        name = getattr(ml_dtypes, name)
    dtype = np.dtype(name)
    return dtype.newbyteorder(">" if byte_order == "big" else "<")
