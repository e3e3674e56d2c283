"""The other byte order for tensor data: `byteswap(raw, type)`.

Each field of a block that has more than one byte is turned around where it is, by the widths that `ggml_block.ksy`
gives; the types that aren't quantized are blocks of one field. What has no such field is the same in both orders.
"""

from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import GGUFError
from kaitai_gguf.types import MASKED, GGMLType, block_dtype, ggml_type, is_masked

__all__ = ["byteswap"]

_FEW = 8  # fields side by side: fewer are swapped column by column, since numpy is slow with short rows


class _Run(NamedTuple):
    """Numbers of one width that follow each other in a block."""

    start: int
    width: int
    number: int


def byteswap(
    raw: NDArray[np.uint8], type: GGMLType | str | int, *, out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """The bytes of whole blocks in the other byte order, from either: an array of the shape of `raw`.

    raw   uint8, contiguous; the last axis holds whole blocks.
    type  the type of the blocks, its name or its number.
    out   uint8, contiguous, of the shape of `raw` and nowhere in its memory: filled and returned.

    Raises UnknownTypeError for a type that isn't known, GGUFError for bytes that are not whole blocks or an `out`
    that doesn't fit, TypeError for what is no such array at all.
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
        raise GGUFError(f"rows of {width} bytes are not whole blocks of {known}, {size} each")
    if raw.size:
        # As plain arrays: a matrix, for one, stays two-dimensional whatever shape it is given.
        _swap(raw.view(np.ndarray).reshape(-1), out.view(np.ndarray).reshape(-1), size, runs)
    return out


def _swap(raw: NDArray[np.uint8], out: NDArray[np.uint8], size: int, runs: list[_Run]) -> None:
    if len(runs) == 1 and runs[0].width * runs[0].number == size:
        # Every byte belongs to a number of the same width: blocks make no difference.
        np.copyto(out.view(f"<u{runs[0].width}"), raw.view(f">u{runs[0].width}"))
        return
    np.copyto(out, raw)
    rows = len(raw) // size
    for start, width, number in runs:
        columns = [(start, number)] if number >= _FEW else [(start + width * i, 1) for i in range(number)]
        for place, wide in columns:
            shape, strides = (rows, wide), (size, width)
            theirs: NDArray[Any] = np.ndarray(shape, f">u{width}", raw.data, place, strides)
            # Unsigned, whatever the field is: a float might not keep the bits of a NaN.
            np.copyto(np.ndarray(shape, f"<u{width}", out.data, place, strides), theirs)


@cache
def _layout(type: GGMLType) -> tuple[int, list[_Run]]:
    """The size of a block in bytes, and its numbers of more than one byte."""
    dtype = block_dtype(type)
    fields = []
    for name in dtype.names or ():
        field, start = dtype.fields[name][:2]  # type: ignore[index]  # it has fields, since it has names
        fields.append(_Run(start, field.base.itemsize, field.itemsize // field.base.itemsize))
    # Neighbours of one width start at the same distance from all the bytes that went before them.
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
