"""The K-quants: 256 elements in a block, sub-blocks of 16 or 32 elements with small integer scales, a half d over all.

| type | sub-blocks | element |
|---|---|---|
| Q2_K | 16 of 16 | (d × sc) × q - (dmin × m), q in 2 bits, sc and m in 4 |
| Q3_K | 16 of 16 | (d × (sc - 32)) × (q - 4), q in 3 bits, sc in 6 |
| Q4_K | 8 of 32 | (d × sc) × q - (dmin × m), q in 4 bits, sc and m in 6 |
| Q5_K | 8 of 32 | (d × sc) × q - (dmin × m), q in 5 bits, sc and m in 6 |
| Q6_K | 16 of 16 | (d × sc) × (q - 32), q in 6 bits, sc an int8 |

Products are rounded to float32 in the order of the parentheses. The bits of q lie in groups of bytes, see
`scaling.Packed`: 2-bit parts and single bits in groups of 32 bytes, nibbles in groups of 32 (Q6_K: 64).
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scaling import Packed, Scales, scale
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather

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
    scales, shifts = _scales_and_shifts(blocks, (low, packed))
    scale(Packed(blocks["qs"], 2, 32), scales, out, scratch, shifts=shifts)


def q3_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The third bit of q comes from hmask, bit k of hmask[i] for element 32 k + i."""
    scales = _six_bit_scales(blocks["scales"], scratch).view(np.int8)
    np.subtract(scales, 32, out=scales)
    low, third_bit = Packed(blocks["qs"], 2, 32), Packed(blocks["hmask"], 1, 32)
    scale(low, Scales(blocks["d"], scales), out, scratch, high=third_bit, minus=4)


def q4_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """See the module's docstring and `_six_bit_pairs`."""
    scales, shifts = _scales_and_shifts(blocks, _six_bit_pairs(blocks["scales"], scratch))
    scale(Packed(blocks["qs"], 4, 32), scales, out, scratch, shifts=shifts)


def q5_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The fifth bit of q comes from qh, bit k of qh[i] for element 32 k + i."""
    low, fifth_bit = Packed(blocks["qs"], 4, 32), Packed(blocks["qh"], 1, 32)
    scales, shifts = _scales_and_shifts(blocks, _six_bit_pairs(blocks["scales"], scratch))
    scale(low, scales, out, scratch, high=fifth_bit, shifts=shifts)


def q6_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bits 0-3 of q come from ql, bits 4 and 5 from qh."""
    low, high = Packed(blocks["ql"], 4, 64), Packed(blocks["qh"], 2, 32)
    scale(low, Scales(blocks["d"], blocks["scales"]), out, scratch, high=high, minus=32)


def _scales_and_shifts(blocks: Blocks, integers: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> tuple[Scales, Scales]:
    """d × sc, and -(dmin × m): `integers` are sc and m, (n, sub-blocks)."""
    sc, m = integers
    return Scales(blocks["d"], sc), Scales(blocks["dmin"], m, -1)


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
    words = scratch.array("words", (3, len(field)), np.uint32)  # numpy is faster where a, b and c are contiguous
    np.copyto(words, field.view(np.uint32).T)
    a, b, c = words
    scales = scratch.array("sc", (len(field), 8), np.uint8)
    mins = scratch.array("m", (len(field), 8), np.uint8)
    for target, word, low in ((scales.view(np.uint32), a, c), (mins.view(np.uint32), b, c >> 4)):
        np.bitwise_and(word, _LOW_6, out=target[:, 0])
        np.bitwise_or(low & _LOW_4, ((word >> 6) & _LOW_2) << 4, out=target[:, 1])
    return scales, mins
