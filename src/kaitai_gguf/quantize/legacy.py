"""The first quantized types, 32 elements in a block.

| type | d | m | q |
|---|---|---|---|
| Q4_0 | x / -8, x of the greatest magnitude | | floor(y / d + 8.5), at most 15 |
| Q5_0 | x / -16, x of the greatest magnitude | | floor(y / d + 16.5), at most 31 |
| Q4_1 | (max - min) / 15 | min | floor((y - m) / d + 0.5) |
| Q5_1 | (max - min) / 31 | min | floor((y - m) / d + 0.5) |
| Q8_0 | max of magnitudes / 127 | | y / d, rounded |

So the number of the greatest magnitude is exact up to the rounding of d to a half, which comes last: q is made with
the float32 d, by multiplication with 1 / d. How q is packed, `kaitai_gguf.dequantize.legacy` says.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.quantize.rounding import inverse, round_half_away, truncate

__all__ = ["pack_nibbles", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0"]


def q4_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    blocks["qs"] = pack_nibbles(_around_zero(numbers, 8, blocks))


def q5_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    _pack_five_bits(_around_zero(numbers, 16, blocks), blocks)


def q4_1(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    blocks["qs"] = pack_nibbles(_from_minimum(numbers, 15, blocks))


def q5_1(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    _pack_five_bits(_from_minimum(numbers, 31, blocks), blocks)


def q8_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """See the module's docstring."""
    d = np.abs(numbers).max(axis=1) / np.float32(127)
    blocks["d"] = d
    blocks["qs"] = round_half_away(numbers * inverse(d)[:, None])


def _around_zero(numbers: NDArray[np.float32], middle: int, blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Set d; give q, whose `middle` stands for zero."""
    extreme = np.abs(numbers).argmax(axis=1)
    # Of a block of zeros ggml keeps none: adding 0 makes -0 the 0 that it starts with.
    d = (numbers[np.arange(len(numbers)), extreme] + 0) / np.float32(-middle)
    blocks["d"] = d
    q = truncate(numbers * inverse(d)[:, None] + np.float32(middle + 0.5))
    return np.minimum(q, 2 * middle - 1).astype(np.uint8)


def _from_minimum(numbers: NDArray[np.float32], top: int, blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Set d and m; give q, from 0 for the minimum to `top` for the maximum."""
    # The first of equal numbers, as in ggml: numpy's min() takes any of 0 and -0, and m keeps the sign.
    low, high = (numbers[np.arange(len(numbers)), at(axis=1)] for at in (numbers.argmin, numbers.argmax))
    d = (high - low) / np.float32(top)
    blocks["d"] = d
    blocks["m"] = low
    q = truncate((numbers - low[:, None]) * inverse(d)[:, None] + np.float32(0.5))
    return np.minimum(q, top).astype(np.uint8)


def pack_nibbles(q: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The low 4 bits of 32 numbers in 16 bytes: the first half in the low nibbles, the second in the high ones."""
    return q[:, :16] & np.uint8(0x0F) | q[:, 16:] << np.uint8(4)


def _pack_five_bits(q: NDArray[np.uint8], blocks: NDArray[Any]) -> None:
    blocks["qs"] = pack_nibbles(q)
    blocks["qh"] = np.packbits(q >> 4, axis=1, bitorder="little")
