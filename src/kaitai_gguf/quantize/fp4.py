"""MXFP4, 32 elements in a block: a power of two as scale, and the nearest of the 16 numbers of e2m1.

e = floor(log2 of the greatest magnitude) - 2 + 127, so that it lies between 4 and 8 times the scale 2^(e - 127), and
e2m1 goes up to 6. For a block of zeros e = 0. The logarithm is rounded to float32 before the floor, as in ggml.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.quantize.legacy import pack_nibbles

__all__ = ["mxfp4"]

# The magnitudes of e2m1, doubled, in the order of their codes.
_MAGNITUDES = np.array([0, 1, 2, 3, 4, 6, 8, 12], np.float32)
_MIDDLES = (_MAGNITUDES[1:] + _MAGNITUDES[:-1]) / 2
_MINUS = 8


def mxfp4(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    magnitudes = np.abs(numbers)
    exponents = _exponents(magnitudes.max(axis=1))
    half_scales = np.ldexp(np.float32(1), exponents.astype(np.int32) - 128)[:, None]
    codes = np.zeros(numbers.shape, np.uint8)
    for upper, middle in zip(_MAGNITUDES[1:], _MIDDLES, strict=True):
        # In the middle between two numbers the smaller one wins; one that overflows float32 never does.
        reachable = np.isfinite(upper * half_scales)
        codes += (magnitudes > middle * half_scales) & reachable
    codes[(numbers < 0) & (codes > 0)] += _MINUS
    blocks["e"].view(np.uint8)[...] = exponents
    blocks["qs"] = pack_nibbles(codes)


def _exponents(greatest: NDArray[np.float32]) -> NDArray[np.uint8]:
    """e of blocks whose greatest magnitudes these are. Below 2^-125 it wraps around to 255 and less, as in ggml."""
    logarithms = np.log2(greatest, dtype=np.float64, where=greatest > 0, out=np.zeros(greatest.shape))
    exponents = np.floor(logarithms.astype(np.float32)).astype(np.int32) + 125
    return np.where(greatest > 0, exponents, 0).astype(np.uint8)
