"""The ternary types, 256 elements in a block: d = the greatest magnitude, t = y / d, rounded, plus 1.

How t is packed, `kaitai_gguf.dequantize.ternary` says.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.quantize.rounding import inverse, round_half_away

__all__ = ["tq1_0", "tq2_0"]


def tq1_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """Five ternary digits in a byte, four in those of qh."""
    digits = _digits(numbers, blocks)
    blocks["qs"][:, :32] = _pack_digits(digits[:, :160].reshape(-1, 5, 32))
    blocks["qs"][:, 32:] = _pack_digits(digits[:, 160:240].reshape(-1, 5, 16))
    blocks["qh"] = _pack_digits(digits[:, 240:].reshape(-1, 4, 4))


def tq2_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """Four 2-bit numbers in a byte."""
    digits = _digits(numbers, blocks).reshape(-1, 2, 4, 32)
    shifted = digits << np.arange(0, 8, 2, dtype=np.uint8)[:, None]
    blocks["qs"] = np.bitwise_or.reduce(shifted, axis=2).reshape(-1, 64)


def _digits(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Set d; give t."""
    d = np.abs(numbers).max(axis=1)
    blocks["d"] = d
    return (round_half_away(numbers * inverse(d)[:, None]) + 1).astype(np.uint8)


def _pack_digits(digits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes (n, k) of digits (n, 4 or 5, k), the first one the most significant of five."""
    weights = 3 ** np.arange(4, 4 - digits.shape[1], -1)
    values: NDArray[np.intp] = (digits * weights[:, None]).sum(axis=1)
    return ((values * 256 + 242) // 243).astype(np.uint8)
