"""Byte-swapping of tensor data: `byteswap(raw, type)`.

Every number of more than one byte in a block is reversed in place, at the positions and widths that `ggml_block.ksy`
gives. A type that isn't quantized is a block with one field. Blocks of single bytes are the same in both byte orders.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import GGUFError
from kaitai_gguf.types import MASKED, GGMLType, block_dtype, ggml_type, is_masked, type_size


def byteswap(
    raw: NDArray[np.uint8], type: GGMLType | str | int, *, out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return the bytes of whole blocks byte-swapped: big-endian from little-endian, and the reverse.

    raw   contiguous array of uint8 whose last axis holds whole blocks.
    type  the tensor type: a GGMLType, its name or its number.
    out   contiguous array of uint8 with the shape of `raw`, sharing no memory with it: filled and returned. Without
          it the result is a new array.

    Raises `UnknownTypeError` for an unknown type, `GGUFError` if the last axis is not made of whole blocks or `out`
    doesn't fit, TypeError for anything but an array of uint8.
    """
    known = ggml_type(type)
    size = type_size(known)
    _check(raw, "raw")
    if out is None:
        out = np.empty_like(raw, subok=False)
    else:
        _check(out, "out")
        if out.shape != raw.shape:
            raise GGUFError(f"out has shape {out.shape}, but raw has {raw.shape}")
        if np.may_share_memory(out, raw):
            raise GGUFError("out shares memory with raw")
    if (raw.shape[-1] if raw.ndim else 1) % size:
        width = raw.shape[-1] if raw.ndim else 1
        raise GGUFError(f"rows of {width} bytes are not made of whole {known} blocks of {size} bytes")
    if raw.size:
        # As plain arrays: some subclasses, such as numpy.matrix, can't be reshaped to one dimension.
        source, target = (each.view(np.ndarray).reshape(-1) for each in (raw, out))
        wide = _wide_fields(known, "<")
        if wide.names != block_dtype(known).names:
            np.copyto(target, source)
        source, target = source.view(_wide_fields(known, ">")), target.view(wide)
        for name in wide.names or ():
            target[name] = source[name]
    return out


@cache
def _wide_fields(type: GGMLType, order: str) -> np.dtype[Any]:
    """Return the dtype of a block with only its numbers of more than one byte, in a byte order: "<" or ">".

    They are unsigned, even the floats: copying a float may change the bits of a NaN.
    """
    block = block_dtype(type)
    fields = {name: field for name, field in (block.fields or {}).items() if field[0].base.itemsize > 1}
    formats = [np.dtype((f"{order}u{dtype.base.itemsize}", dtype.shape)) for dtype, *_ in fields.values()]
    offsets = [start for _, start, *_ in fields.values()]
    return np.dtype({"names": [*fields], "formats": formats, "offsets": offsets, "itemsize": block.itemsize})


def _check(array: NDArray[np.uint8], name: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        given = array.dtype if isinstance(array, np.ndarray) else array.__class__.__name__
        raise TypeError(f"{name} must be an array of uint8, not {given}")
    if is_masked(array):
        raise TypeError(f"{name} {MASKED}")
    if not array.flags.c_contiguous:
        raise GGUFError(f"{name} must be contiguous in memory")
