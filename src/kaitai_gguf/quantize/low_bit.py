"""Types of one and two bits.

| type | block | d | bits of an element |
|---|---|---|---|
| Q1_0 | 128 | the mean of the magnitudes | 1 if y >= 0 |
| Q2_0 | 64 | the greatest magnitude | y / d, rounded, plus 1: from 0 to 2 |

As d is the greatest magnitude, Q2_0's fourth number, 2 d, is not used.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.quantize.rounding import inverse, round_half_away

__all__ = ["q1_0", "q2_0"]


def q1_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """The mean is that of a float32 sum from the first element to the last: numpy's sum() has another order."""
    total = np.zeros(len(numbers), np.float32)
    for column in np.abs(numbers).T:
        total += column
    blocks["d"] = total / np.float32(numbers.shape[1])
    blocks["qs"] = np.packbits(numbers >= 0, axis=1, bitorder="little")


def q2_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    d = np.abs(numbers).max(axis=1)
    blocks["d"] = d
    factors = inverse(d)[:, None]
    q = round_half_away(numbers * factors) + 1
    # Where 1 / d overflows, ggml's clamp to 0 comes after that of the integer to the least int.
    codes = np.where(np.isfinite(factors), q, 0).astype(np.uint8).reshape(len(numbers), 16, 4)
    blocks["qs"] = np.bitwise_or.reduce(codes << np.arange(0, 8, 2, dtype=np.uint8), axis=2)
