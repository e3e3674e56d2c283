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
from kaitai_gguf.dequantize.scratch import Blocks, Scratch

__all__ = ["q2_k", "q3_k", "q4_k", "q5_k", "q6_k"]


def q2_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A byte of scales holds sc in its low nibble and m in its high one."""
    sc, m = (Packed(blocks["scales"], 4, positions=_bytes(0, 16, bit)) for bit in (0, 4))
    scales, shifts = Scales(blocks["d"], (sc,)), Scales(blocks["dmin"], (m,), -1)
    scale((Packed(blocks["qs"], 2, 32),), scales, out, scratch, shifts=shifts)


def q3_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The third bit of q comes from hmask, bit k of hmask[i] for element 32 k + i.

    The 4 low bits of the 16 sc are the nibbles of the first 8 bytes of scales: first all low ones, then all high ones.
    The 2 high bits of sc k are bits 2 (k / 4) and 2 (k / 4) + 1 of byte 8 + k % 4.
    """
    codes = Packed(blocks["qs"], 2, 32), Packed(blocks["hmask"], 1, 32)
    sc = Packed(blocks["scales"][:, :8], 4, 8), Packed(blocks["scales"][:, 8:], 2, 4)
    scale(codes, Scales(blocks["d"], sc, plus=-32), out, scratch, minus=4)


def q4_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """See the module's docstring and `_scales_and_shifts`."""
    scales, shifts = _scales_and_shifts(blocks)
    scale((Packed(blocks["qs"], 4, 32),), scales, out, scratch, shifts=shifts)


def q5_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """The fifth bit of q comes from qh, bit k of qh[i] for element 32 k + i."""
    codes = Packed(blocks["qs"], 4, 32), Packed(blocks["qh"], 1, 32)
    scales, shifts = _scales_and_shifts(blocks)
    scale(codes, scales, out, scratch, shifts=shifts)


def q6_k(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bits 0-3 of q come from ql, bits 4 and 5 from qh."""
    codes = Packed(blocks["ql"], 4, 64), Packed(blocks["qh"], 2, 32)
    scale(codes, Scales(blocks["d"], (Packed(blocks["scales"]),)), out, scratch, minus=32)


def _bytes(first: int, count: int, bit: int) -> tuple[int, ...]:
    """The positions of numbers that start at the same bit of consecutive bytes."""
    return tuple(range(8 * first + bit, 8 * (first + count) + bit, 8))


# Where Q4_K and Q5_K have the 4 low and the 2 high bits of sc and of m, in the 12 bytes of scales: those of numbers 0-3
# are the 6 low bits of bytes 0-3 (sc) and 4-7 (m). Numbers 4-7 have their 4 low bits in bytes 8-11, sc in the low and m
# in the high nibbles, and their 2 high bits in the top of bytes 0-3 and 4-7.
_SC_LOW, _SC_HIGH = _bytes(0, 4, 0) + _bytes(8, 4, 0), _bytes(0, 4, 4) + _bytes(0, 4, 6)
_M_LOW, _M_HIGH = _bytes(4, 4, 0) + _bytes(8, 4, 4), _bytes(4, 4, 4) + _bytes(4, 4, 6)


def _scales_and_shifts(blocks: Blocks) -> tuple[Scales, Scales]:
    """d × sc and -(dmin × m) of Q4_K and Q5_K."""
    field = blocks["scales"]
    sc = Packed(field, 4, positions=_SC_LOW), Packed(field, 2, positions=_SC_HIGH)
    m = Packed(field, 4, positions=_M_LOW), Packed(field, 2, positions=_M_HIGH)
    return Scales(blocks["d"], sc), Scales(blocks["dmin"], m, -1)
