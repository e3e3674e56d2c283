"""The plain types: F32 as it is, F16 and BF16 rounded to nearest, halves to even."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["bf16", "number"]


def number(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """F32, F16: value = y; what is too large for a half becomes infinity."""
    blocks["value"] = numbers[:, 0]


def bf16(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """BF16: value = the upper 16 bits of y as float32, rounded."""
    bits = numbers.view(np.uint32)[:, 0]
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    value = blocks["value"]
    value.view(np.dtype(np.uint16).newbyteorder(value.dtype.byteorder))[...] = rounded
