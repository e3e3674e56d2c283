"""Byte-swapping of tensor data: `byteswap(raw, type)`.

Every number of more than one byte in a block is reversed in place, at the positions and widths that `ggml_block.ksy`
gives. A type that isn't quantized is a block with one field. Blocks of single bytes are the same in both byte orders.
"""

from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import GGUFError
from kaitai_gguf.types import MASKED, GGMLType, block_dtype, ggml_type, is_masked

_FEW = 8  # fewer adjacent fields than this are swapped column by column, since numpy is slow with short rows


class _Run(NamedTuple):
    """Adjacent numbers of the same width in a block: start and width in bytes, and how many."""

    start: int
    width: int
    number: int


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
    size, runs = _layout(known)
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
        _swap(raw.view(np.ndarray).reshape(-1), out.view(np.ndarray).reshape(-1), size, runs)
    return out


def _swap(raw: NDArray[np.uint8], out: NDArray[np.uint8], size: int, runs: list[_Run]) -> None:
    if len(runs) == 1 and runs[0].width * runs[0].number == size:
        # All bytes belong to numbers of one width, so block boundaries don't matter.
        np.copyto(out.view(f"<u{runs[0].width}"), raw.view(f">u{runs[0].width}"))
        return
    np.copyto(out, raw)
    rows = len(raw) // size
    for start, width, number in runs:
        columns = [(start, number)] if number >= _FEW else [(start + width * i, 1) for i in range(number)]
        for first, count in columns:
            shape, strides = (rows, count), (size, width)
            numbers: NDArray[Any] = np.ndarray(shape, f">u{width}", raw.data, first, strides)
            # Unsigned, even for floats: copying a float may change the bits of a NaN.
            np.copyto(np.ndarray(shape, f"<u{width}", out.data, first, strides), numbers)


@cache
def _layout(type: GGMLType) -> tuple[int, list[_Run]]:
    """Return the size of a block in bytes, and the runs of numbers of more than one byte in it."""
    dtype = block_dtype(type)
    fields = []
    for name in dtype.names or ():
        field, start = dtype.fields[name][:2]  # type: ignore[index]  # a dtype with names has fields
        fields.append(_Run(start, field.base.itemsize, field.itemsize // field.base.itemsize))
    # Adjacent fields of one width form a run.
    runs = []
    for width, group in groupby(fields, key=lambda run: run.width):
        if width > 1:
            same = list(group)
            runs.append(_Run(same[0].start, width, sum(run.number for run in same)))
    return dtype.itemsize, runs


def _check(array: NDArray[np.uint8], name: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        given = array.dtype if isinstance(array, np.ndarray) else array.__class__.__name__
        raise TypeError(f"{name} must be an array of uint8, not {given}")
    if is_masked(array):
        raise TypeError(f"{name} {MASKED}")
    if not array.flags.c_contiguous:
        raise GGUFError(f"{name} must be contiguous in memory")
