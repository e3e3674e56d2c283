"""Types of one and two bits, with a half d for a block.

| type | block | element i |
|---|---|---|
| Q1_0 | 128 | d if bit i % 8 of qs[i / 8] is set, else -d |
| Q2_0 | 64 | d × (q - 1), q in bits 2 (i % 4) and above of qs[i / 4] |

Bits are in the order of the elements, so that a table turns a byte into its eight or four factors at once.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up, scale, to_float

__all__ = ["q1_0", "q2_0"]


def _factors(bits: int, step: int) -> NDArray[np.int8]:
    """For each byte, its 8 / bits numbers q as the factors step × q - 1: (256, 8 / bits)."""
    q = np.arange(256)[:, None] >> np.arange(0, 8, bits) & (1 << bits) - 1
    return (step * q - 1).astype(np.int8)


# A row of factors is packed in one number, as `look_up` wants it.
_SIGNS = _factors(1, 2).view(np.uint64)[:, 0]
_FACTORS = _factors(2, 1).view(np.uint32)[:, 0]


def q1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = ± d"""
    factors = look_up(_SIGNS, gather(blocks["qs"], scratch, "qs"), scratch)
    scale(factors.view(np.int8), to_float(blocks["d"], scratch), out)


def q2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = d × (q - 1)"""
    factors = look_up(_FACTORS, gather(blocks["qs"], scratch, "qs"), scratch)
    scale(factors.view(np.int8), to_float(blocks["d"], scratch), out)
