"""The rounding that ggml's C code does, spelled out for numpy.

A block's scale d is a float32 with 1 / d beside it. For blocks of numbers near zero 1 / d overflows; C leaves open what
infinity and NaN become as integers, x86 makes them 0 in the widths that ggml uses, and so does this.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["inverse", "round_half_away", "truncate"]

# The greatest float32 below 1/2: adding 1/2 itself would round 0.49999997 up to 1.
_ALMOST_HALF = np.nextafter(np.float32(0.5), np.float32(0))


def inverse(d: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 / d, and 0 for 0."""
    return np.divide(np.float32(1), d, out=np.zeros_like(d), where=d != 0)


def truncate(numbers: NDArray[np.float32]) -> NDArray[np.int32]:
    """Toward zero, as a cast in C; 0 for what is not finite."""
    return np.where(np.isfinite(numbers), numbers, np.float32(0)).astype(np.int32)


def round_half_away(numbers: NDArray[np.float32]) -> NDArray[np.int32]:
    """To the nearest integer, halves away from zero, as roundf() in C; 0 for what is not finite."""
    return truncate(numbers + np.copysign(_ALMOST_HALF, numbers))
