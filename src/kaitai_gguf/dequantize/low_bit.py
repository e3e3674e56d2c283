"""The types of one and two bits, and the ternary ones of BitNet and TriLM, with a half d for a block.

| type | block | element |
|---|---|---|
| Q1_0 | 128 | d if bit i % 8 of qs[i / 8] is set, else -d |
| Q2_0 | 64 | d × (q - 1), q in bits 2 (i % 4) and above of qs[i / 4] |
| TQ1_0 | 256 | d × (t - 1), t a digit in base 3: five to a byte |
| TQ2_0 | 256 | d × (t - 1), t in two bits, in groups of 32 bytes (see `scaling.Packed`) |

The bits of Q1_0 and Q2_0 are in the order of the elements, so that a table turns a byte into its factors at once.

`scaling.TERNARY` explains the bytes of TQ1_0. Element 32 k + i is digit k of qs[i], i < 32; element 160 + 16 k + i is
digit k of qs[32 + i], i < 16; element 240 + 4 k + i is digit k of qh[i], which has four.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import spread_bits
from kaitai_gguf.dequantize.scaling import TERNARY, Packed, Scales, scale, scale_rows
from kaitai_gguf.dequantize.scratch import Blocks, Scratch

__all__ = ["q1_0", "q2_0", "tq1_0", "tq2_0"]

_SIGNS = spread_bits(1, 0xFF).view(np.int8).reshape(256, 8)  # 1 and -1
_FACTORS = ((np.arange(256)[:, None] >> np.arange(0, 8, 2) & 3) - 1).astype(np.int8)

_DIGITS = tuple(
    8 * byte + digit
    for first, size, count in ((0, 32, 5), (32, 16, 5), (48, 4, 4))
    for digit in range(count)
    for byte in range(first, first + size)
)


def q1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale_rows(_SIGNS, (Packed(blocks["qs"]),), Scales(blocks["d"]), out, scratch)


def q2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale_rows(_FACTORS, (Packed(blocks["qs"]),), Scales(blocks["d"]), out, scratch)


def tq1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A block starts with qs, which qh follows as bytes 48 to 51."""
    whole = blocks.view([("bytes", np.uint8, (blocks.itemsize,))])["bytes"]
    scale((Packed(whole, TERNARY, positions=_DIGITS),), Scales(blocks["d"]), out, scratch, minus=1)


def tq2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale((Packed(blocks["qs"], 2, 32),), Scales(blocks["d"]), out, scratch, minus=1)
