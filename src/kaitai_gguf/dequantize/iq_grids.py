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

from kaitai_gguf.dequantize.codebooks import SIGNS, grid, signs_of_7_bits
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up, scale, to_float

__all__ = ["iq1_m", "iq1_s", "iq2_s", "iq2_xs", "iq2_xxs", "iq3_s", "iq3_xxs"]


def iq1_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A 16-bit number of qh, for 32 elements: 3 index bits for each of 4 rows, then sc, then the shift."""
    qh = gather(blocks["qh"], scratch, "qh")
    indices = scratch.array("indices", (len(blocks), 8, 4), np.uint16)
    np.copyto(indices.reshape(len(blocks), 32), gather(blocks["qs"], scratch, "qs"))
    shift = qh >> 15 << 11
    for i in range(4):
        np.bitwise_or(indices[..., i], (qh >> (3 * i) & 7) << 8 | shift, out=indices[..., i])
    _scale_shifted(indices, qh >> 12 & 7, blocks["d"], out, scratch)


def iq1_m(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A nibble of qh belongs to a row: 3 index bits, then the shift.

    The 8 bytes of scales are four little-endian 16-bit numbers in files of either byte order. Each has four sc, the
    first in the lowest bits, and on top a nibble of d: the lowest nibble is in the first number.
    """
    indices = _add_high_bits(blocks["qs"], blocks["qh"], 4, scratch)
    words = gather(blocks["scales"], scratch, "packed scales").view("<u2").astype(np.uint16)
    nibbles = words >> 12
    d = nibbles[:, 0] | nibbles[:, 1] << 4 | nibbles[:, 2] << 8 | nibbles[:, 3] << 12
    sc = words[:, :, None] >> np.arange(0, 12, 3, dtype=np.uint16) & 7
    _scale_shifted(indices, sc, d.view(np.float16), out, scratch)


def iq2_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 32 elements have 8 bytes: 4 indices; then a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    qs = gather(blocks["qs"], scratch, "qs")
    indices = scratch.array("indices", (len(blocks) * 8, 1), np.uint32)
    np.copyto(indices, qs.view(np.uint32).reshape(-1, 2)[:, :1])
    words = qs.view("<u4")[:, 1::2]
    signs = _seven_bits(words, scratch)
    numbers = _signed(grid("iq2xxs_grid"), indices.view(np.uint8), signs_of_7_bits(), signs, scratch)
    scale(numbers, _scales(words >> 28, 0.5, 0.25, blocks["d"], scratch), out)


def iq2_xs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Each 16-bit number of qs has an index in its 9 low bits, 7 sign bits above."""
    words = gather(blocks["qs"], scratch, "qs")
    numbers = _signed(grid("iq2xs_grid"), words & 0x1FF, signs_of_7_bits(), words >> 9, scratch)
    scale(numbers, _scales(_nibbles(blocks["scales"]), 0.5, 0.25, blocks["d"], scratch), out)


def iq2_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 32 bytes of indices, then 32 bytes of signs; bits 2 i and 2 i + 1 of qh[j] belong to index 4 j + i."""
    indices = _add_high_bits(blocks["qs"][:, :32], blocks["qh"], 2, scratch)
    signs = gather(blocks["qs"][:, 32:], scratch, "signs")
    numbers = _signed(grid("iq2s_grid"), indices, SIGNS, signs, scratch)
    scale(numbers, _scales(_nibbles(blocks["scales"]), 0.5, 0.25, blocks["d"], scratch), out)


def iq3_xxs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """qs has 64 bytes of indices, then, for each 32 elements, a 32-bit number of 4 × 7 sign bits and, on top, sc."""
    indices = gather(blocks["qs"][:, :64], scratch, "indices")
    words = gather(blocks["qs"][:, 64:], scratch, "words").view("<u4")
    signs = _seven_bits(words, scratch)
    numbers = _signed(grid("iq3xxs_grid"), indices, signs_of_7_bits(), signs, scratch)
    scale(numbers, _scales(words >> 28, 0.5, 0.5, blocks["d"], scratch), out)


def iq3_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Bit i of qh[j] belongs to index 8 j + i."""
    indices = _add_high_bits(blocks["qs"], blocks["qh"], 1, scratch)
    signs = gather(blocks["signs"], scratch, "signs")
    numbers = _signed(grid("iq3s_grid"), indices, SIGNS, signs, scratch)
    scale(numbers, _scales(_nibbles(blocks["scales"]), 0.5, 2, blocks["d"], scratch), out)


@cache
def _shifted_grid() -> NDArray[np.uint64]:
    """8 × the grid + 1, then 8 × the grid - 1: rows of 8 int8, packed in a uint64."""
    eighths = 8 * grid("iq1s_grid").view(np.int8)
    return np.concatenate((eighths + 1, eighths - 1)).view(np.uint64)


def _scale_shifted(
    indices: NDArray[np.uint16], sc: NDArray[Any], d: NDArray[np.float16], out: NDArray[np.float32], scratch: Scratch
) -> None:
    """out = (d / 8 × (2 sc + 1)) × the rows of 8 times IQ1's grid at `indices`."""
    numbers = look_up(_shifted_grid(), indices, scratch)
    scale(numbers.view(np.int8), _scales(sc, 0.5, 0.25, d, scratch), out)


def _seven_bits(words: NDArray[Any], scratch: Scratch) -> NDArray[np.uint8]:
    """The four 7-bit numbers in the low bits of each 32-bit number: (n, 8) gives (n, 8, 4)."""
    numbers = scratch.array("sign codes", (*words.shape, 4), np.uint8)
    for i in range(4):
        np.copyto(numbers[..., i], words >> (7 * i) & 0x7F, casting="unsafe")
    return numbers


def _add_high_bits(
    low: NDArray[np.uint8], packed: NDArray[np.uint8], bits: int, scratch: Scratch
) -> NDArray[np.uint16]:
    """The numbers whose 8 low bits are the bytes (n, k), and whose high ones are in `packed`, lowest bits first."""
    per_byte = 8 // bits
    numbers = scratch.array("indices", low.shape, np.uint16)
    np.copyto(numbers, low)
    high = packed.astype(np.uint16) << 8
    target = numbers.reshape(*high.shape, per_byte)
    for i in range(per_byte):
        np.bitwise_or(target[..., i], high >> (i * bits) & ((1 << bits) - 1) << 8, out=target[..., i])
    return numbers


def _nibbles(field: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, k) bytes as (n, k, 2) nibbles, the low one first."""
    return np.stack((field & 0x0F, field >> 4), axis=-1)


def _scales(
    sc: NDArray[Any], offset: float, factor: float, d: NDArray[np.float16], scratch: Scratch
) -> NDArray[np.float32]:
    """d × (sc + offset) × factor, (n, sub-blocks): the product is exact, so that its order is of no account."""
    n = len(d)
    scales = scratch.array("scales", (n, sc.size // n), np.float32)
    np.copyto(scales.reshape(sc.shape), sc)
    np.add(scales, offset, out=scales)
    np.multiply(scales, factor, out=scales)
    np.multiply(scales, to_float(d, scratch)[:, None], out=scales)
    return scales


def _signed(
    rows: NDArray[Any], indices: NDArray[Any], signs: NDArray[Any], sign_codes: NDArray[Any], scratch: Scratch
) -> NDArray[np.int8]:
    """The rows at `indices`, negative where the row of `signs` at `sign_codes` has a byte of 255."""
    numbers = look_up(rows, indices, scratch).reshape(-1).view(np.uint64)
    flips = look_up(signs, sign_codes, scratch, "flips").reshape(-1)
    # In two's complement, -v is (v ^ -1) - (-1).
    np.bitwise_xor(numbers, flips, out=numbers)
    signed = numbers.view(np.int8)
    np.subtract(signed, flips.view(np.int8), out=signed)
    return signed
