"""The IQ types of 1 to 3 bits: 256 elements in a block, which come in rows of 8 or 4 from a codebook, a grid.

| type | row | its index | signs | sub-block | its scale s | element |
|---|---|---|---|---|---|---|
| IQ1_S, IQ1_M | 8 | a byte of qs, 3 bits of qh | | 32, 16 | 2 sc + 1, sc in 3 bits | (d × s) × (v ± 1/8) |
| IQ2_XXS | 8 | a byte | 7 bits | 32 | (sc + 1/2) / 4 | (d × s) × v |
| IQ2_XS | 8 | 9 bits | 7 bits | 16 | (sc + 1/2) / 4 | (d × s) × v |
| IQ2_S | 8 | a byte of qs, 2 bits of qh | a byte | 16 | (sc + 1/2) / 4 | (d × s) × v |
| IQ3_XXS | 4 | a byte | 7 bits for 2 rows | 32 | (sc + 1/2) / 2 | (d × s) × v |
| IQ3_S | 4 | a byte of qs, 1 bit of qh | a byte for 2 rows | 32 | 2 sc + 1 | (d × s) × v |

v is the value in the grid, with minus if its sign bit is set. Of seven sign bits the eighth follows: see `codebooks`.
sc has 4 bits if nothing else is said. Where it is a nibble of `scales`, the low one belongs to the earlier sub-block.

IQ1's grid has -1, 0 and 1. A fourth bit in qh, above those of the index, is 0 if 1/8 is added and 1 if it is
subtracted: the table has 4096 rows, selected by 12 bits, which include the shift. Products need few bits, so that they
are exact.

Numbers that cross bytes are at the positions that `scaling.Packed` explains; scales are d × factor × (sc + 1/2).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import rows, signs_of_7_bits
from kaitai_gguf.dequantize.scaling import Packed, Scales, scale_rows
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, little_endian_bytes

__all__ = ["iq1_m", "iq1_s", "iq2_s", "iq2_xs", "iq2_xxs", "iq3_s", "iq3_xxs"]


def _in_words(bits: int, count: int, first: int = 0, step: int = 0, each: int = 1) -> tuple[int, ...]:
    """The positions of numbers in `count` words of `bits` bits: `each` per word, `step` bits apart."""
    return tuple(bits * word + first + step * i for word in range(count) for i in range(each))


def iq1_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A 16-bit number of qh, for 32 elements: 3 index bits for each of 4 rows, then sc, then the shift."""
    qh = little_endian_bytes(blocks["qh"], scratch, "qh")
    high, shift = (Packed(qh, 3, positions=_IQ1_S_HIGH), Packed(qh, 1, positions=_IQ1_S_SHIFT))
    scales = Scales(blocks["d"], (Packed(qh, 3, positions=_IQ1_S_SCALES),), 1 / 4, 1 / 2)
    scale_rows(_shifted_grid(), (Packed(blocks["qs"]), high, shift), scales, out, scratch)


_IQ1_S_HIGH = _in_words(16, 8, 0, 3, 4)
_IQ1_S_SHIFT = _in_words(16, 8, 15, 0, 4)
_IQ1_S_SCALES = _in_words(16, 8, 12)


def iq1_m(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A nibble of qh belongs to a row: 3 index bits, then the shift.

    The 8 bytes of scales are four little-endian 16-bit numbers in files of either byte order. Each has four sc, the
    first in the lowest bits, and on top a nibble of d: the lowest nibble is in the first number.
    """
    words = gather(blocks["scales"], scratch, "packed scales").view("<u2").astype(np.uint16, copy=False)
    d = words[:, 0] >> 12 | words[:, 1] >> 8 & 0xF0 | words[:, 2] >> 4 & 0xF00 | words[:, 3] & 0xF000
    scales = Scales(d.view(np.float16), (Packed(blocks["scales"], 3, positions=_IQ1_M_SCALES),), 1 / 4, 1 / 2)
    scale_rows(_shifted_grid(), (Packed(blocks["qs"]), Packed(blocks["qh"], 4)), scales, out, scratch)


_IQ1_M_SCALES = _in_words(16, 4, 0, 3, 4)


def iq2_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 32 elements have 8 bytes: 4 indices; then a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    qs = little_endian_bytes(blocks["qs"], scratch, "qs")
    codes, signs, sc = (
        Packed(qs, bits, positions=positions)
        for bits, positions in ((8, _IQ2_XXS_CODES), (7, _IQ2_XXS_SIGNS), (4, _IQ2_XXS_SCALES))
    )
    scales = Scales(blocks["d"], (sc,), 1 / 4, 1 / 2)
    scale_rows(rows("iq2xxs_grid"), (codes,), scales, out, scratch, signs=signs, flips=signs_of_7_bits())


_IQ2_XXS_CODES = _in_words(64, 8, 0, 8, 4)
_IQ2_XXS_SIGNS = _in_words(64, 8, 32, 7, 4)
_IQ2_XXS_SCALES = _in_words(64, 8, 60)


def iq2_xs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 16-bit number of qs has an index in its 9 low bits, 7 sign bits above."""
    qs = little_endian_bytes(blocks["qs"], scratch, "qs")
    codes, signs = Packed(qs, 9, positions=_in_words(16, 32)), Packed(qs, 7, positions=_in_words(16, 32, 9))
    scales = Scales(blocks["d"], (Packed(blocks["scales"], 4),), 1 / 4, 1 / 2)
    scale_rows(rows("iq2xs_grid"), (codes,), scales, out, scratch, signs=signs, flips=signs_of_7_bits())


def iq2_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 32 bytes of indices, then 32 bytes of signs; bits 2 i and 2 i + 1 of qh[j] belong to index 4 j + i."""
    codes, signs = (Packed(blocks["qs"][:, :32]), Packed(blocks["qh"], 2)), Packed(blocks["qs"][:, 32:])
    scales = Scales(blocks["d"], (Packed(blocks["scales"], 4),), 1 / 4, 1 / 2)
    scale_rows(rows("iq2s_grid"), codes, scales, out, scratch, signs=signs)


def iq3_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 64 bytes of indices, then, for each 32 elements, a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    codes, words = Packed(blocks["qs"][:, :64]), blocks["qs"][:, 64:]
    signs = Packed(words, 7, positions=_in_words(32, 8, 0, 7, 4))
    scales = Scales(blocks["d"], (Packed(words, 4, positions=_in_words(32, 8, 28)),), 1 / 2, 1 / 2)
    scale_rows(rows("iq3xxs_grid"), (codes,), scales, out, scratch, signs=signs, flips=signs_of_7_bits())


def iq3_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bit i of qh[j] belongs to index 8 j + i."""
    codes, signs = (Packed(blocks["qs"]), Packed(blocks["qh"], 1)), Packed(blocks["signs"])
    scales = Scales(blocks["d"], (Packed(blocks["scales"], 4),), 2, 1 / 2)
    scale_rows(rows("iq3s_grid"), codes, scales, out, scratch, signs=signs)


@cache
def _shifted_grid() -> NDArray[np.int8]:
    """8 × the grid + 1, then 8 × the grid - 1."""
    eighths = 8 * rows("iq1s_grid")
    return np.concatenate((eighths + 1, eighths - 1))
