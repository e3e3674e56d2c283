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

from kaitai_gguf.dequantize.codebooks import spread_bits
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up, or_into, scale, to_float, unpack

__all__ = ["q4_0", "q4_1", "q5_0", "q5_1", "q8"]


# In two's complement, q | 0xF0 is q - 16 for q < 16.
_PLUS_16 = spread_bits(0x10, 0)
_MINUS_16 = spread_bits(0, 0xF0)


def q4_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    q = unpack(blocks["qs"], 4, 16, scratch).view(np.int8)
    np.subtract(q, 8, out=q)
    scale(q, to_float(blocks["d"], scratch), out)


def q4_1(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    q = unpack(blocks["qs"], 4, 16, scratch)
    scale(q, to_float(blocks["d"], scratch), out, to_float(blocks["m"], scratch, "m"))


def q5_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    q = _five_bits(blocks, _MINUS_16, scratch).view(np.int8)
    scale(q, to_float(blocks["d"], scratch), out)


def q5_1(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    q = _five_bits(blocks, _PLUS_16, scratch)
    scale(q, to_float(blocks["d"], scratch), out, to_float(blocks["m"], scratch, "m"))


def q8(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Q8_0, Q8_1, Q8_K: y = d × q"""
    scale(gather(blocks["qs"], scratch, "q"), to_float(blocks["d"], scratch), out)


def _five_bits(blocks: Blocks, fifth: NDArray[np.uint64], scratch: Scratch) -> NDArray[np.uint8]:
    """The low nibbles, each or-ed with the byte that `fifth` has for its fifth bit."""
    q = unpack(blocks["qs"], 4, 16, scratch)
    high = look_up(fifth, gather(blocks["qh"], scratch, "qh"), scratch, "high")
    or_into(q, high)
    return q
