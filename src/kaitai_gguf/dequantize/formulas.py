"""The formula of each type, in numpy: the reference for the compiled kernels, and what runs without a compiler.

A formula takes n blocks, a 1-D structured array of `types.block_dtype` in either byte order, and returns their elements
in order, n rows of any shape. Its docstring gives the formula of an element and the layout of the fields of
`ggml_block.ksy`; d, dmin and m are float16 unless it gives another type. Products are rounded to float32 in the order
of the parentheses, as in ggml.

ggml interleaves numbers of 1, 2 or 4 bits by groups of bytes: a group of 16 bytes holds, in its lowest bits, the first
16 numbers, in the next bits the 16 numbers after those, and so on. With a group of 1, the numbers are in order, the
first in the lowest bits.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import codebooks
from kaitai_gguf.types import GGMLType

Blocks = NDArray[np.void]
Numbers = NDArray[Any]
Floats = NDArray[np.float32]


def _unpack(field: Numbers, bits: int, group: int) -> NDArray[np.int8]:
    """Return the numbers (n, k × 8 / bits) that are interleaved by groups in bytes (n, k)."""
    groups = field.reshape(len(field), -1, group)
    planes = [groups >> shift & (1 << bits) - 1 for shift in range(0, 8, bits)]
    return np.stack(planes, axis=2).reshape(len(field), -1).view(np.int8)


def _bits(field: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the bits (n, 8 k) of bytes (n, k), in order."""
    return np.unpackbits(field, axis=1, bitorder="little").view(np.int8)


def _scaled(d: Numbers, integers: Numbers) -> Floats:
    """Return d × integers, the scales (n, s, 1) of the sub-blocks, for d (n) and integers (n, s)."""
    return (d.astype(np.float32)[:, None] * integers.astype(np.float32))[:, :, None]


def _per_block(d: Numbers) -> Floats:
    return d.astype(np.float32)[:, None]


def _words(field: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return bytes (n, 4 k) as 32-bit numbers (n, k), which are little-endian in files of either byte order."""
    return np.ascontiguousarray(field).view("<u4").astype(np.uint32, copy=False)


# Types that are not quantized


def number(blocks: Blocks) -> Numbers:
    """F32, F16, F64, I8, I16, I32, I64: y = value."""
    return blocks["value"]


def bf16(blocks: Blocks) -> Floats:
    """BF16: y = the float32 whose upper 16 bits are the value."""
    value = blocks["value"]
    words = value.view(np.dtype("u2").newbyteorder(value.dtype.byteorder))  # ml_dtypes ignores the byte order
    return (words.astype(np.uint32) << 16).view(np.float32)


# The first quantized types: 32 elements. q is interleaved in qs by groups of 16 bytes; bit i % 8 of qh[i / 8] is the
# fifth bit of q[i].


def _5_bits(blocks: Blocks) -> NDArray[np.int8]:
    return _unpack(blocks["qs"], 4, 16) | _bits(blocks["qh"]) << 4


def q4_0(blocks: Blocks) -> Floats:
    """Q4_0: y = d × (q - 8), q in 4 bits."""
    return _per_block(blocks["d"]) * (_unpack(blocks["qs"], 4, 16) - 8)


def q4_1(blocks: Blocks) -> Floats:
    """Q4_1: y = (d × q) + m, q in 4 bits."""
    return _per_block(blocks["d"]) * _unpack(blocks["qs"], 4, 16) + _per_block(blocks["m"])


def q5_0(blocks: Blocks) -> Floats:
    """Q5_0: y = d × (q - 16), q in 5 bits."""
    return _per_block(blocks["d"]) * (_5_bits(blocks) - 16)


def q5_1(blocks: Blocks) -> Floats:
    """Q5_1: y = (d × q) + m, q in 5 bits."""
    return _per_block(blocks["d"]) * _5_bits(blocks) + _per_block(blocks["m"])


def q8(blocks: Blocks) -> Floats:
    """Q8_0, Q8_1, and Q8_K of 256 elements: y = d × qs[i].

    d of Q8_K is a float32. s of Q8_1 and bsums of Q8_K are sums of the block, for dot products.
    """
    qs: NDArray[np.int8] = blocks["qs"]
    return _per_block(blocks["d"]) * qs


# K-quants: 256 elements, sub-blocks of 16 or 32 elements with integer scales sc and minimums m.


def q2_k(blocks: Blocks) -> Floats:
    """Q2_K: y = ((d × sc) × q) - (dmin × m) for 16 sub-blocks, q in 2 bits.

    q is interleaved in qs by groups of 32 bytes. A byte of scales holds sc in its low nibble and m in its high one.
    """
    scales, minimums = q2_k_scales(blocks)
    return scales * _unpack(blocks["qs"], 2, 32).reshape(-1, 16, 16) - minimums


def q2_k_scales(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return d × sc and dmin × m of Q2_K."""
    return _scaled(blocks["d"], blocks["scales"] & 15), _scaled(blocks["dmin"], blocks["scales"] >> 4)


def q3_k(blocks: Blocks) -> Floats:
    """Q3_K: y = (d × (sc - 32)) × (q - 4) for 16 sub-blocks, q in 3 bits, sc in 6 bits.

    The low 2 bits of q are interleaved in qs, the third one in hmask, by groups of 32 bytes. The low 4 bits of sc are
    interleaved in bytes 0 to 7 of scales, the high 2 bits in bytes 8 to 11, one group each.
    """
    q = _unpack(blocks["qs"], 2, 32) | _unpack(blocks["hmask"], 1, 32) << 2
    return q3_k_scales(blocks) * (q - 4).reshape(-1, 16, 16)


def q3_k_scales(blocks: Blocks) -> Floats:
    """Return d × (sc - 32) of Q3_K."""
    scales = blocks["scales"]
    sc = _unpack(scales[:, :8], 4, 8) | _unpack(scales[:, 8:], 2, 4) << 4
    return _scaled(blocks["d"], sc - 32)


def q4_k_scales(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return d × sc and dmin × m of Q4_K and Q5_K: 8 sub-blocks, sc and m in 6 bits.

    sc and m of sub-blocks 0 to 3 are the low 6 bits of bytes 0 to 3 (sc) and 4 to 7 (m) of scales. Those of sub-blocks
    4 to 7 have their low 4 bits in bytes 8 to 11, sc in the low and m in the high nibble, and their high 2 bits in the
    high bits of bytes 0 to 3 (sc) and 4 to 7 (m).
    """
    first, second, third = blocks["scales"].reshape(-1, 3, 4).swapaxes(0, 1)
    sc = np.concatenate([first & 63, third & 15 | first >> 6 << 4], axis=1)
    m = np.concatenate([second & 63, third >> 4 | second >> 6 << 4], axis=1)
    return _scaled(blocks["d"], sc), _scaled(blocks["dmin"], m)


def q4_k(blocks: Blocks) -> Floats:
    """Q4_K: y = ((d × sc) × q) - (dmin × m), q in 4 bits, interleaved in qs by groups of 32 bytes."""
    scales, minimums = q4_k_scales(blocks)
    return scales * _unpack(blocks["qs"], 4, 32).reshape(-1, 8, 32) - minimums


def q5_k(blocks: Blocks) -> Floats:
    """Q5_K: as Q4_K; the fifth bit of q is interleaved in qh, 32 bytes."""
    scales, minimums = q4_k_scales(blocks)
    q = _unpack(blocks["qs"], 4, 32) | _unpack(blocks["qh"], 1, 32) << 4
    return scales * q.reshape(-1, 8, 32) - minimums


def q6_k(blocks: Blocks) -> Floats:
    """Q6_K: y = (d × sc) × (q - 32) for 16 sub-blocks, q in 6 bits, sc an int8 of scales.

    The low 4 bits of q are interleaved in ql by groups of 64 bytes, the high 2 bits in qh by groups of 32 bytes.
    """
    q = _unpack(blocks["ql"], 4, 64) | _unpack(blocks["qh"], 2, 32) << 4
    return q6_k_scales(blocks) * (q - 32).reshape(-1, 16, 16)


def q6_k_scales(blocks: Blocks) -> Floats:
    """Return d × sc of Q6_K."""
    return _scaled(blocks["d"], blocks["scales"])


# IQ types of 1 to 3 bits: 256 elements, in rows of 8 or 4 from a grid. A set bit of a sign byte is a minus. Codes of
# 7 bits select sign bytes with an even number of minuses. sc has 4 bits, in order, unless the formula says otherwise.


def _iq1(scales: Floats, index: Numbers, is_minus: Numbers) -> Floats:
    """Return scales × (grid[index] ± 1/8)."""
    shifts = np.where(is_minus, np.float32(-0.125), np.float32(0.125))[..., None]
    return scales * (codebooks.rows("iq1s_grid").take(index, axis=0) + shifts).reshape(*scales.shape[:2], -1)


def iq1_s(blocks: Blocks) -> Floats:
    """IQ1_S: y = (d × (2 sc + 1)) × (grid[index] ± 1/8) for 8 sub-blocks, sc in 3 bits.

    qs has the low 8 bits of the 32 indices. Each 16-bit number of qh belongs to a sub-block. From its lowest bit on, it
    has the high 3 bits of each of four indices, sc, and a bit that is set for -1/8.
    """
    qh = blocks["qh"]
    high = (qh[:, :, None] >> np.arange(0, 12, 3, dtype=np.uint16) & 7).reshape(-1, 32)
    scales = _scaled(blocks["d"], 2 * (qh >> 12 & 7) + 1)
    return _iq1(scales, blocks["qs"] | high << 8, np.repeat(qh >> 15, 4, axis=1))


def iq1_m_scale(blocks: Blocks) -> NDArray[np.float16]:
    """Return d of IQ1_M: its nibbles, the lowest first, are the high nibbles of the four 16-bit numbers of scales."""
    nibbles = _iq1_m_words(blocks) >> 12
    d: NDArray[np.uint16] = np.bitwise_or.reduce(nibbles << np.arange(0, 16, 4, dtype=np.uint16), axis=1)
    return d.view(np.float16)


def _iq1_m_words(blocks: Blocks) -> NDArray[np.uint16]:
    """Return the 8 bytes of scales as 16-bit numbers, which are little-endian in files of either byte order."""
    return np.ascontiguousarray(blocks["scales"]).view("<u2").astype(np.uint16, copy=False)


def iq1_m(blocks: Blocks) -> Floats:
    """IQ1_M: y = (d × (2 sc + 1)) × (grid[index] ± 1/8) for 16 sub-blocks, sc in 3 bits.

    qs has the low 8 bits of the 32 indices. Each nibble of qh has the high 3 bits of an index, and a bit that is set
    for -1/8. Each 16-bit number of scales has four sc in its low 12 bits, and a nibble of d: see `iq1_m_scale`.
    """
    sc = (_iq1_m_words(blocks)[:, :, None] >> np.arange(0, 12, 3, dtype=np.uint16) & 7).reshape(-1, 16)
    qh = _unpack(blocks["qh"], 4, 1).astype(np.uint16)
    return _iq1(_scaled(iq1_m_scale(blocks), 2 * sc + 1), blocks["qs"] | (qh & 7) << 8, qh >> 3)


def _iq2_or_3(scales: Floats, grid: str, index: Numbers, signs: NDArray[np.uint8]) -> Floats:
    """Return scales × (± grid[index]), where each byte of signs belongs to 8 elements."""
    magnitudes = codebooks.rows(grid).take(index, axis=0).reshape(len(index), -1)
    return scales * (magnitudes * (1 - 2 * _bits(signs))).reshape(*scales.shape[:2], -1)


def _signs_and_scales(words: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], Numbers]:
    """Return the bytes of signs and sc of 32-bit numbers: four codes of 7 bits, from the lowest bit on, then sc."""
    codes = words[:, :, None] >> np.arange(0, 28, 7, dtype=np.uint32) & 127
    return codebooks.signs_of_7_bits().take(codes).reshape(len(words), -1), words >> 28


def iq2_xxs(blocks: Blocks) -> Floats:
    """IQ2_XXS: y = (d × (sc + 1/2) / 4) × (± grid[index]) for 8 sub-blocks.

    Each sub-block has 8 bytes of qs: four indices, and a 32-bit number with four codes of signs and sc.
    """
    qs = np.ascontiguousarray(blocks["qs"], "<u2").view(np.uint8).reshape(-1, 8, 8)
    signs, sc = _signs_and_scales(_words(qs[:, :, 4:])[:, :, 0])
    return _iq2_or_3(_scaled(blocks["d"], (sc + 0.5) / 4), "iq2xxs_grid", qs[:, :, :4].reshape(-1, 32), signs)


def iq2_xs(blocks: Blocks) -> Floats:
    """IQ2_XS: y = (d × (sc + 1/2) / 4) × (± grid[index]) for 16 sub-blocks.

    Each 16-bit number of qs has an index in its low 9 bits, and a code of signs above.
    """
    qs = blocks["qs"]
    scales = _scaled(blocks["d"], (_unpack(blocks["scales"], 4, 1) + 0.5) / 4)
    return _iq2_or_3(scales, "iq2xs_grid", qs & 511, codebooks.signs_of_7_bits().take(qs >> 9))


def iq2_s(blocks: Blocks) -> Floats:
    """IQ2_S: y = (d × (sc + 1/2) / 4) × (± grid[index]) for 16 sub-blocks.

    qs has the low 8 bits of the 32 indices, then 32 bytes of signs; qh has the high 2 bits of the indices, in order.
    """
    index = blocks["qs"][:, :32] | _unpack(blocks["qh"], 2, 1).astype(np.uint16) << 8
    scales = _scaled(blocks["d"], (_unpack(blocks["scales"], 4, 1) + 0.5) / 4)
    return _iq2_or_3(scales, "iq2s_grid", index, blocks["qs"][:, 32:])


def iq3_xxs(blocks: Blocks) -> Floats:
    """IQ3_XXS: y = (d × (sc + 1/2) / 2) × (± grid[index]) for 8 sub-blocks.

    qs has 64 indices, then, for each sub-block, a 32-bit number with four codes of signs and sc.
    """
    signs, sc = _signs_and_scales(_words(blocks["qs"][:, 64:]))
    return _iq2_or_3(_scaled(blocks["d"], (sc + 0.5) / 2), "iq3xxs_grid", blocks["qs"][:, :64], signs)


def iq3_s(blocks: Blocks) -> Floats:
    """IQ3_S: y = (d × (2 sc + 1)) × (± grid[index]) for 8 sub-blocks.

    qs has the low 8 bits of the 64 indices, qh the ninth, in order. The bytes of signs are in a field of their own.
    """
    index = blocks["qs"] | _bits(blocks["qh"]).astype(np.uint16) << 8
    scales = _scaled(blocks["d"], 2 * _unpack(blocks["scales"], 4, 1) + 1)
    return _iq2_or_3(scales, "iq3s_grid", index, blocks["signs"])


# Types whose nibbles select one of the 16 unevenly spaced values v of a codebook


def iq4_nl(blocks: Blocks) -> Floats:
    """IQ4_NL, 32 elements: y = d × v, nibbles interleaved in qs, 16 bytes."""
    return _per_block(blocks["d"]) * codebooks.values("kvalues_iq4nl").take(_unpack(blocks["qs"], 4, 16))


def iq4_xs(blocks: Blocks) -> Floats:
    """IQ4_XS, 256 elements: y = (d × (sc - 32)) × v for 8 sub-blocks, sc in 6 bits.

    Nibbles are interleaved in qs by groups of 16 bytes. scales_l has the low 4 bits of sc in order, scales_h, a 16-bit
    number, the high 2 bits.
    """
    high = blocks["scales_h"][:, None] >> np.arange(0, 16, 2, dtype=np.uint16) & 3
    sc = _unpack(blocks["scales_l"], 4, 1) | (high << 4).astype(np.int8)
    v = codebooks.values("kvalues_iq4nl").take(_unpack(blocks["qs"], 4, 16))
    return _scaled(blocks["d"], sc - 32) * v.reshape(-1, 8, 32)


def mxfp4(blocks: Blocks) -> Floats:
    """MXFP4, 32 elements: y = (2^(e - 127) / 2) × v, v doubled; nibbles interleaved in qs, 16 bytes."""
    scales = codebooks.e8m0()[blocks["e"].view(np.uint8)]
    return scales[:, None] * codebooks.values("kvalues_fp4").take(_unpack(blocks["qs"], 4, 16))


def nvfp4(blocks: Blocks) -> Floats:
    """NVFP4, 64 elements: y = (ue4m3(d) / 2) × v, v doubled, for 4 sub-blocks; nibbles by groups of 8 bytes."""
    scales = codebooks.ue4m3()[blocks["d"].view(np.uint8)]
    v = codebooks.values("kvalues_fp4").take(_unpack(blocks["qs"], 4, 8))
    return scales[:, :, None] * v.reshape(-1, 4, 16)


# Types of one and two bits


def q1_0(blocks: Blocks) -> Floats:
    """Q1_0, 128 elements: y = d if bit i % 8 of qs[i / 8] is set, else -d."""
    return _per_block(blocks["d"]) * (2 * _bits(blocks["qs"]) - 1)


def q2_0(blocks: Blocks) -> Floats:
    """Q2_0, 64 elements: y = d × (q - 1), q in 2 bits of qs, in order."""
    return _per_block(blocks["d"]) * (_unpack(blocks["qs"], 2, 1) - 1)


def tq1_0(blocks: Blocks) -> Floats:
    """TQ1_0, 256 elements: y = d × (t - 1), t a ternary digit.

    A byte is ceil(v × 256 / 243), where v has five ternary digits, the most significant first. It is therefore a
    fraction in 8 bits: digit k is floor((byte × 3^k mod 256) × 3 / 256). Digits are interleaved like bits: in the
    first 32 bytes of qs, in the other 16, and in the 4 bytes of qh, which have four digits each.
    """

    def digits(field: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
        fractions = field[:, None, :] * (3 ** np.arange(count)).astype(np.uint8)[:, None]
        return (fractions.astype(np.uint16) * 3 >> 8).astype(np.uint8).reshape(len(field), -1)

    qs, qh = blocks["qs"], blocks["qh"]
    t = np.concatenate([digits(qs[:, :32], 5), digits(qs[:, 32:], 5), digits(qh, 4)], axis=1)
    return _per_block(blocks["d"]) * (t.view(np.int8) - 1)


def tq2_0(blocks: Blocks) -> Floats:
    """TQ2_0, 256 elements: y = d × (t - 1), t in 2 bits, interleaved in qs by groups of 32 bytes."""
    return _per_block(blocks["d"]) * (_unpack(blocks["qs"], 2, 32) - 1)


FORMULAS: dict[GGMLType, Callable[[Blocks], Numbers]] = {
    **dict.fromkeys((GGMLType.F32, GGMLType.F16, GGMLType.F64), number),
    **dict.fromkeys((GGMLType.I8, GGMLType.I16, GGMLType.I32, GGMLType.I64), number),
    **dict.fromkeys((GGMLType.Q8_0, GGMLType.Q8_1, GGMLType.Q8_K), q8),
    **{
        GGMLType[formula.__name__.upper()]: formula
        for formula in (
            *(bf16, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k),
            *(iq1_s, iq1_m, iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq4_nl, iq4_xs),
            *(mxfp4, nvfp4, q1_0, q2_0, tq1_0, tq2_0),
        )
    },
}
"""The formula of each type."""
