"""The K-quants: 256 elements in a block, sub-blocks of 16 or 32 elements with small integer scales, a half d over all.

| type | sub-blocks | element |
|---|---|---|
| Q2_K | 16 of 16 | (d × sc) × q - (dmin × m), q in 2 bits, sc and m in 4 |
| Q3_K | 16 of 16 | (d × (sc - 32)) × (q - 4), q in 3 bits, sc in 6 |
| Q4_K | 8 of 32 | (d × sc) × q - (dmin × m), q in 4 bits, sc and m in 6 |
| Q5_K | 8 of 32 | (d × sc) × q - (dmin × m), q in 5 bits, sc and m in 6 |
| Q6_K | 16 of 16 | (d × sc) × (q - 32), q in 6 bits, sc an int8 |

Products are rounded to float32 in the order of the parentheses. The bits of q lie in groups of bytes, see
`scratch.unpack`: 2-bit parts and single bits in groups of 32 bytes, nibbles in groups of 32 (Q6_K: 64).
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, or_into, scale, times_d, unpack

__all__ = ["q2_k", "q3_k", "q4_k", "q5_k", "q6_k"]

# Masks of four bytes at once.
_LOW_2 = 0x0303_0303
_LOW_4 = 0x0F0F_0F0F
_LOW_6 = 0x3F3F_3F3F


def q2_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A byte of scales holds sc in its low nibble and m in its high one."""
    packed = gather(blocks["scales"], scratch, "scales")
    low = scratch.array("low", packed.shape, np.uint8)
    np.bitwise_and(packed, 0x0F, out=low)
    np.right_shift(packed, 4, out=packed)
    _scale_and_shift(unpack(blocks["qs"], 2, 32, scratch), (low, packed), blocks, out, scratch)


def q3_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The third bit of q comes from hmask, bit k of hmask[i] for element 32 k + i."""
    q = unpack(blocks["qs"], 2, 32, scratch)
    or_into(q, unpack(blocks["hmask"], 1, 32, scratch, at=2, name="third bit"))
    signed = q.view(np.int8)
    np.subtract(signed, 4, out=signed)
    scales = _six_bit_scales(blocks["scales"], scratch).view(np.int8)
    np.subtract(scales, 32, out=scales)
    scale(signed, times_d(scales, blocks["d"], "d", scratch), out)


def q4_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """See the module's docstring and `_six_bit_pairs`."""
    q = unpack(blocks["qs"], 4, 32, scratch)
    _scale_and_shift(q, _six_bit_pairs(blocks["scales"], scratch), blocks, out, scratch)


def q5_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The fifth bit of q comes from qh, bit k of qh[i] for element 32 k + i."""
    q = unpack(blocks["qs"], 4, 32, scratch)
    or_into(q, unpack(blocks["qh"], 1, 32, scratch, at=4, name="fifth bit"))
    _scale_and_shift(q, _six_bit_pairs(blocks["scales"], scratch), blocks, out, scratch)


def q6_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bits 0-3 of q come from ql, bits 4 and 5 from qh."""
    q = unpack(blocks["ql"], 4, 64, scratch)
    or_into(q, unpack(blocks["qh"], 2, 32, scratch, at=4, name="high bits"))
    signed = q.view(np.int8)
    np.subtract(signed, 32, out=signed)
    scale(signed, times_d(blocks["scales"], blocks["d"], "d", scratch), out)


def _scale_and_shift(
    q: NDArray[np.uint8],
    pairs: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    blocks: Blocks,
    out: NDArray[np.float32],
    scratch: Scratch,
) -> None:
    """out = (d × scales) × q - (dmin × mins), with the two arrays of `pairs` (n, sub-blocks)"""
    scales, mins = pairs
    shifts = times_d(mins, blocks["dmin"], "dmin", scratch)
    np.negative(shifts, out=shifts)
    scale(q, times_d(scales, blocks["d"], "d", scratch), out, shifts)


def _six_bit_scales(field: NDArray[np.uint8], scratch: Scratch) -> NDArray[np.uint8]:
    """Sixteen 6-bit numbers from the 12 bytes of Q3_K, read as the words a, b, c of four bytes each.

    Numbers 0-3 and 8-11 have their 4 low bits in the low and high nibbles of a, 4-7 and 12-15 in those of b. Each
    byte of c has the 2 high bits of four of them, of numbers 0-3 in the lowest bits, then 4-7, and so on.
    """
    words = gather(field, scratch, "scales").view(np.uint32)
    numbers = scratch.array("six bits", (len(field), 16), np.uint8)
    target = numbers.view(np.uint32)
    high = words[:, 2]
    for i in range(4):
        low = (words[:, i % 2] >> (i // 2 * 4)) & _LOW_4
        np.bitwise_or(low, ((high >> (2 * i)) & _LOW_2) << 4, out=target[:, i])
    return numbers


def _six_bit_pairs(field: NDArray[np.uint8], scratch: Scratch) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Eight 6-bit scales and eight 6-bit minimums from the 12 bytes of Q4_K and Q5_K, read as words a, b, c.

    Scales 0-3 are the 6 low bits of a's bytes, minimums 0-3 those of b's. Numbers 4-7 have their 4 low bits in c
    (scales in the low nibbles, minimums in the high ones) and their 2 high bits in the top of a and b.
    """
    words = gather(field, scratch, "scales").view(np.uint32)
    a, b, c = words[:, 0], words[:, 1], words[:, 2]
    scales = scratch.array("sc", (len(field), 8), np.uint8)
    mins = scratch.array("m", (len(field), 8), np.uint8)
    for target, word, low in ((scales.view(np.uint32), a, c), (mins.view(np.uint32), b, c >> 4)):
        np.bitwise_and(word, _LOW_6, out=target[:, 0])
        np.bitwise_or(low & _LOW_4, ((word >> 6) & _LOW_2) << 4, out=target[:, 1])
    return scales, mins
