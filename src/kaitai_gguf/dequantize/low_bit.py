"""Types of one and two bits, with a half d for a block.

| type | block | element i |
|---|---|---|
| Q1_0 | 128 | d if bit i % 8 of qs[i / 8] is set, else -d |
| Q2_0 | 64 | d × (q - 1), q in bits 2 (i % 4) and above of qs[i / 4] |

Bits are in the order of the elements, so that a table turns a byte into its eight or four factors at once.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, scale, to_float

__all__ = ["q1_0", "q2_0"]


def _factors(bits: int, step: int) -> NDArray[np.float32]:
    """For each byte, its 8 / bits numbers q as the factors step × q - 1: (256, 8 / bits)."""
    q = np.arange(256)[:, None] >> np.arange(0, 8, bits) & (1 << bits) - 1
    return (step * q - 1).astype(np.float32)


_SIGNS = _factors(1, 2)
_FACTORS = _factors(2, 1)


def q1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = ± d"""
    _look_up(_SIGNS, blocks, out, scratch)


def q2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = d × (q - 1)"""
    _look_up(_FACTORS, blocks, out, scratch)


def _look_up(table: NDArray[np.float32], blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    index = scratch.array("index", (len(blocks), 16), np.intp)
    np.copyto(index, gather(blocks["qs"], scratch, "qs"))
    np.take(table, index, axis=0, out=out.reshape(*index.shape, -1), mode="clip")
    scale(out, to_float(blocks["d"], scratch), out)
