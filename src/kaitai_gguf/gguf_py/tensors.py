"""Tensors in gguf-py's form."""

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import MissingDataError
from kaitai_gguf.gguf_py.enums import tensor_type
from kaitai_gguf.gguf_py.fields import ReaderField
from kaitai_gguf.text import quoted
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, is_quantized, plain_dtype, type_size

__all__ = ["ReaderTensor", "tensor_of"]

_KNOWN = {type.value: type for type in GGMLType}


class ReaderTensor(NamedTuple):
    """A tensor. A named tuple, as in gguf-py."""

    name: str
    tensor_type: Any
    """A member of `GGMLQuantizationType`; an `UnknownTensorType`, which is an int, for an unknown type."""
    shape: NDArray[np.uint64]
    """The dims in ggml order: `shape[0]` is the row length. `data.shape` is in numpy's order."""
    n_elements: int
    n_bytes: int
    """The size of the data in bytes; 0 if the type is unknown."""
    data_offset: int
    """Where the data starts, in bytes from the start of the file."""
    data: NDArray[Any]
    """A view of the file: elements for F16, F32, F64 and integers; rows of bytes as uint8 for all other types."""
    field: ReaderField


def tensor_of(file: NDArray[np.uint8], byte_order: ByteOrder, start: int, field: ReaderField) -> ReaderTensor:
    """Return the tensor that a tensor info describes. `start` is where the data of all tensors starts, in bytes.

    Raises `MissingDataError` if the file ends before the tensor's data does.
    """
    dims, type_id, offset = field.parts[3], int(field.parts[4][0]), int(field.parts[5][0])
    type, shape = _KNOWN.get(type_id), tuple(dims.tolist()[::-1])
    n_bytes = 0 if type is None else prod(shape) // block_size(type) * type_size(type)
    raw = file[start + offset : start + offset + n_bytes]
    if len(raw) < n_bytes:
        message = f"expected {n_bytes} bytes at {start + offset:#x}, but the file has {len(raw)} there"
        raise MissingDataError(f"tensor {quoted(field.name)}: its data is cut off: {message}")
    return ReaderTensor(
        field.name,
        tensor_type(type_id),
        dims if dims.itemsize == 8 else dims.astype(np.uint64),  # version 1 has dims of 32 bits
        prod(shape),
        n_bytes,
        start + offset,
        raw if type is None else _shaped(raw, type, shape, byte_order),
        field,
    )


def _shaped(raw: NDArray[np.uint8], type: GGMLType, shape: tuple[int, ...], byte_order: ByteOrder) -> NDArray[Any]:
    if is_quantized(type) or type is GGMLType.BF16:
        *outer, row = shape or (1,)
        return raw.reshape(*outer, row // block_size(type) * type_size(type))
    dtype = np.dtype(plain_dtype(type, byte_order).str)  # normalizes the machine's own byte order to "=", as in gguf-py
    return raw.view(dtype).reshape(shape)
