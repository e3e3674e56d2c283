"""The first quantized types, 32 elements in a block: one scale d, in some a minimum m, both halves.

| type | element i |
|---|---|
| Q4_0 | d × (q - 8), q in 4 bits |
| Q4_1 | d × q + m, q in 4 bits |
| Q5_0 | d × (q - 16), q in 5 bits |
| Q5_1 | d × q + m, q in 5 bits |
| Q8_0 | d × qs[i] |
| Q8_1 | d × qs[i]; s, the sum of the block, is there for dot products |
| Q8_K | d × qs[i], 256 elements, d a float32; bsums are there for dot products |

The 4 low bits of element i are the low nibble of qs[i] for i < 16 and the high nibble of qs[i - 16] above. The fifth
bit is bit i % 8 of qh[i / 8].
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scaling import Packed, Scales, scale
from kaitai_gguf.dequantize.scratch import Blocks, Scratch

__all__ = ["q4_0", "q4_1", "q5_0", "q5_1", "q8"]


def q4_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale((Packed(blocks["qs"], 4, 16),), Scales(blocks["d"]), out, scratch, minus=8)


def q4_1(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale((Packed(blocks["qs"], 4, 16),), Scales(blocks["d"]), out, scratch, shifts=Scales(blocks["m"]))


def q5_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    codes = Packed(blocks["qs"], 4, 16), Packed(blocks["qh"], 1)
    scale(codes, Scales(blocks["d"]), out, scratch, minus=16)


def q5_1(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    codes = Packed(blocks["qs"], 4, 16), Packed(blocks["qh"], 1)
    scale(codes, Scales(blocks["d"]), out, scratch, shifts=Scales(blocks["m"]))


def q8(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Q8_0, Q8_1, Q8_K: y = d × q"""
    d = blocks["d"] if blocks["d"].itemsize == 2 else blocks["d"][:, None]
    scale((Packed(blocks["qs"].view(np.uint8)),), Scales(d), out, scratch)
