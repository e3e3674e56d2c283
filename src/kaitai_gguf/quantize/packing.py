"""Packing of codes into the bytes of blocks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(codes: NDArray[Any], bits: int, group: int) -> NDArray[np.uint8]:
    """Interleave codes (n, k × 8 / bits), of which only the lowest bits count, by groups of bytes (n, k).

    A group of 16 bytes holds the first 16 codes in its lowest bits, the 16 codes after those in the next bits, and so
    on.
    """
    groups = (codes & (1 << bits) - 1).astype(np.uint8).reshape(len(codes), -1, 8 // bits, group)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)[:, None]
    packed: NDArray[np.uint8] = np.bitwise_or.reduce(groups << shifts, axis=2)
    return packed.reshape(len(codes), -1)


def pack_4_or_5_bits(codes: NDArray[Any], blocks: NDArray[Any]) -> None:
    """Set qs of Q4_0 and Q4_1, and also qh of Q5_0 and Q5_1."""
    blocks["qs"] = pack(codes, 4, 16)
    if "qh" in (blocks.dtype.names or ()):
        blocks["qh"] = pack(codes >> 4, 1, 1)


def pack_digits(digits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pack ternary digits (n, 4 or 5, k) into bytes (n, k), the first of five as the most significant."""
    weights = 3 ** np.arange(4, 4 - digits.shape[1], -1)
    return np.asarray(((digits * weights[:, None]).sum(axis=1) * 256 + 242) // 243, np.uint8)
