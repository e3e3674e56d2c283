"""Tensors as gguf-py has them."""

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.gguf_py.enums import tensor_type
from kaitai_gguf.gguf_py.fields import ReaderField
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, is_quantized, plain_dtype, type_size

__all__ = ["ReaderTensor", "tensor_of"]

_KNOWN = {type.value: type for type in GGMLType}


class ReaderTensor(NamedTuple):
    """A tensor. As in gguf-py it can be unpacked."""

    name: str
    tensor_type: Any
    """A member of `GGMLQuantizationType`; an `UnknownTensorType`, which is an int, for a type that is not known."""
    shape: NDArray[np.uint64]
    """The dims in ggml order: `shape[0]` is the length of a row. `data.shape` is in numpy's order."""
    n_elements: int
    n_bytes: int
    """The size of the data; 0 if the type is not known."""
    data_offset: int
    """Where the data starts, in bytes from the start of the file."""
    data: NDArray[Any]
    """A view of the file: elements of F16, F32, F64 and the integers, else rows of blocks as uint8, BF16 included."""
    field: ReaderField


def tensor_of(file: NDArray[np.uint8], byte_order: ByteOrder, start: int, field: ReaderField) -> ReaderTensor:
    """Return the tensor of a tensor info; the data of all tensors starts at a position."""
    dims, type_id, offset = field.parts[3], int(field.parts[4][0]), int(field.parts[5][0])
    data_offset = start + offset
    shape = tuple(dims.tolist()[::-1])
    type = _KNOWN.get(type_id)
    if type is None:
        data, n_bytes = file[:0], 0
    else:
        data, n_bytes = _data(file, byte_order, data_offset, shape, type)
    return ReaderTensor(
        field.name,
        tensor_type(type_id),
        dims if dims.itemsize == 8 else dims.astype(np.uint64),  # version 1 has dims of 32 bits
        prod(shape),
        n_bytes,
        data_offset,
        data,
        field,
    )


def _data(
    file: NDArray[np.uint8], byte_order: ByteOrder, start: int, shape: tuple[int, ...], type: GGMLType
) -> tuple[NDArray[Any], int]:
    n_bytes = prod(shape) // block_size(type) * type_size(type)
    data = file[start : start + n_bytes]
    if is_quantized(type) or type is GGMLType.BF16:
        return data.reshape(*shape[:-1], shape[-1] // block_size(type) * type_size(type)), n_bytes
    dtype = np.dtype(plain_dtype(type, byte_order).str)  # which has the byte order "=" if that is what it is
    return data.view(dtype).reshape(shape), n_bytes
