"""`quantize`: check the arguments and run the type's kernel on one chunk of blocks after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.arguments import check_byte_order
from kaitai_gguf.errors import GGUFError
from kaitai_gguf.layout_rules import row_blocks
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import MASKED, ByteOrder, GGMLType, block_dtype, block_size, ggml_type, is_masked

__all__ = ["fill", "quantize", "unsupported"]

_CHUNK = 1 << 18  # elements to quantize at a time, to bound the memory of a kernel


def quantize(array: NDArray[Any], type: GGMLType | str | int, byte_order: ByteOrder) -> NDArray[np.uint8]:
    """Do what the package's `quantize` documents."""
    type = ggml_type(type)
    message = unsupported(type)
    if message:
        raise GGUFError(message)
    _check_array(array, type)
    check_byte_order(byte_order)
    columns, size = array.shape[-1], block_size(type)
    numbers = array.view(np.ndarray).reshape(array.size // size, size)
    blocks = np.empty(len(numbers), block_dtype(type, byte_order))
    step = _CHUNK // size
    for start in range(0, len(numbers), step):
        fill(blocks[start : start + step], numbers[start : start + step], type, start, columns)
    return blocks.view(np.uint8).reshape(*array.shape[:-1], columns // size * blocks.dtype.itemsize)


def unsupported(type: GGMLType) -> str | None:
    """Return why numbers can't be quantized to a type, as a message; None if they can."""
    if type in KERNELS:
        return None
    names = ", ".join(map(str, KERNELS))
    return f"can't quantize to {type}, only to {names}; llama.cpp's llama-quantize supports the other types"


def fill(blocks: NDArray[Any], numbers: NDArray[Any], type: GGMLType, first: int, columns: int) -> None:
    """Quantize floats of shape (blocks, elements of a block) into structured blocks.

    first    the number of the first block in an array with rows of `columns` elements, for errors.

    Raises `GGUFError` for a number that is not finite.
    """
    with np.errstate(all="ignore"):
        chunk = numbers.astype(np.float32, order="C", copy=False)
        _check_finite(chunk, first, columns)
        KERNELS[type](chunk, blocks)


def _check_array(array: NDArray[Any], type: GGMLType) -> None:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"array must be a numpy array, not {array.__class__.__name__}")
    if is_masked(array):
        raise TypeError(f"array {MASKED}")
    if not np.issubdtype(array.dtype, np.floating) and array.dtype.name != "bfloat16":
        raise TypeError(f"array must be of floats, not {array.dtype}")
    if array.ndim == 0:
        raise GGUFError("array must have at least one axis: the row")
    message = row_blocks(array.shape[::-1], type)
    if message:
        raise GGUFError(message)


def _check_finite(chunk: NDArray[np.float32], start: int, columns: int) -> None:
    """Raise `GGUFError` for a number that is not finite. `start` and `columns` are as for `fill`."""
    wrong = ~np.isfinite(chunk)
    if wrong.any():
        block, index = np.argwhere(wrong)[0]
        row, column = divmod((start + int(block)) * chunk.shape[1] + int(index), columns)
        raise GGUFError(f"{chunk[block, index]} at row {row}, column {column}: only finite numbers can be quantized")
