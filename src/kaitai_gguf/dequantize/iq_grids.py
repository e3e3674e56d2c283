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

IQ1's grid has -1, 0 and 1. A fourth bit in qh, above those of the index, says whether 1/8 is added (0) or subtracted
(1): the table has 4096 rows, by 12 bits, which hold the shift already. Results are as exact as the formula, whose
products need few bits.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import rows, signs_of_7_bits
from kaitai_gguf.dequantize.scaling import Packed, Scales, scale_rows
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up

__all__ = ["iq1_m", "iq1_s", "iq2_s", "iq2_xs", "iq2_xxs", "iq3_s", "iq3_xxs"]


def iq1_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A 16-bit number of qh, for 32 elements: 3 index bits for each of 4 rows, then sc, then the shift."""
    words = gather(blocks["qh"], scratch, "qh")
    high = look_up(_iq1_s_high_bits(), words, scratch, "high").view(np.uint8)
    sc = _odd(words >> 12 & 7)
    scale_rows(_shifted_grid(), Packed(blocks["qs"]), Scales(blocks["d"], sc, 1 / 8), out, scratch, high=Packed(high))


def iq1_m(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A nibble of qh belongs to a row: 3 index bits, then the shift.

    The 8 bytes of scales are four little-endian 16-bit numbers in files of either byte order. Each has four sc, the
    first in the lowest bits, and on top a nibble of d: the lowest nibble is in the first number.
    """
    words = gather(blocks["scales"], scratch, "packed scales").view("<u2").astype(np.uint16, copy=False)
    d = words[:, 0] >> 12 | words[:, 1] >> 8 & 0xF0 | words[:, 2] >> 4 & 0xF00 | words[:, 3] & 0xF000
    sc = look_up(_iq1_m_scales(), words, scratch, "sc").view(np.uint8)
    scales = Scales(d.view(np.float16), sc, 1 / 8)
    scale_rows(_shifted_grid(), Packed(blocks["qs"]), scales, out, scratch, high=Packed(blocks["qh"], 4))


def iq2_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 32 elements have 8 bytes: 4 indices; then a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    qs = gather(blocks["qs"], scratch, "qs")
    indices = scratch.array("indices", (len(blocks), 8), np.uint32)
    np.copyto(indices, qs.view(np.uint32)[:, ::2])
    words = scratch.array("words", (len(blocks), 8), np.uint32)
    np.copyto(words, qs.view("<u4")[:, 1::2])
    scales, signs = Scales(blocks["d"], _odd(words >> 28), 1 / 8), _seven_bits(words)
    codes = Packed(indices.view(np.uint8))
    scale_rows(rows("iq2xxs_grid"), codes, scales, out, scratch, signs=signs, flips=signs_of_7_bits())


def iq2_xs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 16-bit number of qs has an index in its 9 low bits, 7 sign bits above."""
    words = gather(blocks["qs"], scratch, "qs")
    signs = scratch.array("signs", words.shape, np.uint8)
    np.right_shift(words, 9, out=signs, casting="unsafe")
    scales = Scales(blocks["d"], _odd_nibbles(blocks["scales"], scratch), 1 / 8)
    scale_rows(rows("iq2xs_grid"), Packed(words, 16), scales, out, scratch, signs=signs, flips=signs_of_7_bits())


def iq2_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 32 bytes of indices, then 32 bytes of signs; bits 2 i and 2 i + 1 of qh[j] belong to index 4 j + i."""
    low, high, signs = Packed(blocks["qs"][:, :32]), Packed(blocks["qh"], 2), blocks["qs"][:, 32:]
    scales = Scales(blocks["d"], _odd_nibbles(blocks["scales"], scratch), 1 / 8)
    scale_rows(rows("iq2s_grid"), low, scales, out, scratch, high=high, signs=signs)


def iq3_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 64 bytes of indices, then, for each 32 elements, a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    words = gather(blocks["qs"][:, 64:], scratch, "words").view("<u4")
    scales, signs = Scales(blocks["d"], _odd(words >> 28), 1 / 4), _seven_bits(words)
    codes = Packed(blocks["qs"][:, :64])
    scale_rows(rows("iq3xxs_grid"), codes, scales, out, scratch, signs=signs, flips=signs_of_7_bits())


def iq3_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bit i of qh[j] belongs to index 8 j + i."""
    low, high = Packed(blocks["qs"]), Packed(blocks["qh"], 1)
    scales = Scales(blocks["d"], _odd_nibbles(blocks["scales"], scratch))
    scale_rows(rows("iq3s_grid"), low, scales, out, scratch, high=high, signs=blocks["signs"])


@cache
def _shifted_grid() -> NDArray[np.int8]:
    """8 × the grid + 1, then 8 × the grid - 1."""
    eighths = 8 * rows("iq1s_grid")
    return np.concatenate((eighths + 1, eighths - 1))


@cache
def _iq1_s_high_bits() -> NDArray[np.uint32]:
    """For each number of qh, the bits above the 8 low ones of four indices, in a byte each."""
    qh = np.arange(1 << 16)[:, None]
    high: NDArray[np.uint32] = (qh >> np.arange(0, 12, 3) & 7 | qh >> 15 << 3).astype(np.uint8).view(np.uint32)[:, 0]
    return high


@cache
def _iq1_m_scales() -> NDArray[np.uint32]:
    """For each of the numbers in `scales`, 2 sc + 1 for its four sc, in a byte each."""
    word = np.arange(1 << 16)[:, None]
    scales: NDArray[np.uint32] = (2 * (word >> np.arange(0, 12, 3) & 7) + 1).astype(np.uint8).view(np.uint32)[:, 0]
    return scales


def _seven_bits(words: NDArray[Any]) -> NDArray[np.uint8]:
    """The four 7-bit numbers in the low bits of each 32-bit number (n, 8), as bytes (n, 32)."""
    spread = words & 0x7F
    for i in range(1, 4):
        spread |= words << i & 0x7F << 8 * i
    return spread.astype("<u4", copy=False).view(np.uint8)


def _odd(sc: NDArray[Any]) -> NDArray[np.uint8]:
    """2 sc + 1"""
    return (sc << 1 | 1).astype(np.uint8)


@cache
def _odd_pairs() -> NDArray[np.uint16]:
    """2 sc + 1 for both nibbles of each byte."""
    byte = np.arange(256, dtype=np.uint8)[:, None]
    pairs: NDArray[np.uint16] = (2 * (byte >> np.array([0, 4], np.uint8) & 0x0F) + 1).view(np.uint16)[:, 0]
    return pairs


def _odd_nibbles(field: NDArray[np.uint8], scratch: Scratch) -> NDArray[np.uint8]:
    """2 sc + 1 for the nibbles of bytes (n, k): (n, 2 k), the low one first."""
    return look_up(_odd_pairs(), gather(field, scratch, "packed scales"), scratch, "sc").view(np.uint8)
