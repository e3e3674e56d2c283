"""The data of a tensor a piece at a time, so that a tensor of any size takes the same few megabytes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kaitai_gguf import Tensor, dequantize

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIECE = 1 << 17  # elements: 1 MiB of float64, of which a few are alive at a time


def is_quantized(tensor: Tensor) -> bool:
    """Whether `data` is blocks: no type that isn't quantized has elements of uint8."""
    return tensor.data.dtype == np.uint8


def blocks(tensor: Tensor) -> "Iterator[NDArray[Any]]":
    """Views of the blocks, in file order and without regard to rows: one row may be as large as a tensor gets."""
    flat = tensor.blocks.reshape(-1)
    per_block = tensor.n_elements // max(1, len(flat))
    step = max(1, PIECE // max(1, per_block))
    for start in range(0, len(flat), step):
        yield flat[start : start + step]


def numbers(tensor: Tensor, dtype: "np.dtype[Any]") -> "Iterator[NDArray[Any]]":
    """The values as floats, as `tensor.dequantize(dtype)` has them, in one dimension."""
    assert tensor.type is not None
    for piece in blocks(tensor):
        yield dequantize(piece, tensor.type, dtype=dtype, threads=1)


def exact(tensor: Tensor) -> "Iterator[NDArray[Any]]":
    """The values in a type that holds them all: integers as they are, others as floats."""
    data = tensor.data
    if data.dtype.kind == "i":
        flat = data.reshape(-1)
        yield from (flat[start : start + PIECE] for start in range(0, len(flat), PIECE))
        return
    is_double = data.dtype.kind == "f" and data.dtype.itemsize == 8
    yield from numbers(tensor, np.dtype(np.float64 if is_double else np.float32))
