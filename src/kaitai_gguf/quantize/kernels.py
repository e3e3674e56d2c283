"""The kernels. Each takes numbers of shape (n, block size) and sets all fields of n structured blocks.

| type | block | d | m | q |
|---|---|---|---|---|
| Q4_0 | 32 | x / -8, x of the greatest magnitude | | floor(y / d + 8.5), at most 15 |
| Q5_0 | 32 | x / -16, x of the greatest magnitude | | floor(y / d + 16.5), at most 31 |
| Q4_1 | 32 | (max - min) / 15 | min | floor((y - m) / d + 0.5) |
| Q5_1 | 32 | (max - min) / 31 | min | floor((y - m) / d + 0.5) |
| Q8_0 | 32 | the greatest magnitude / 127 | | y / d, rounded |
| TQ1_0, TQ2_0 | 256 | the greatest magnitude | | y / d, rounded, plus 1: from 0 to 2 |
| Q1_0 | 128 | the mean of the magnitudes | | 1 if y >= 0 |
| Q2_0 | 64 | the greatest magnitude | | y / d, rounded, plus 1: the fourth code, 2 d, is not used |

F32 is stored unchanged. F16 and BF16 are rounded to nearest, ties to even. `mxfp4` and `nvfp4` document these types,
`k_quants` the K-quants. d is rounded to a half only when stored: q is computed from the float32 d, multiplying by
1 / d. `kaitai_gguf.dequantize` documents how q is packed.

Rounding follows ggml's C code. For blocks of numbers near zero, 1 / d overflows. C leaves the conversion of infinity
and NaN to integers undefined; x86 yields 0 in the widths that ggml uses, and so do these kernels.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import codebooks
from kaitai_gguf.quantize.k_quants import K_QUANTS
from kaitai_gguf.quantize.packing import pack, pack_4_or_5_bits, pack_digits
from kaitai_gguf.quantize.search import total
from kaitai_gguf.types import GGMLType

# The greatest float32 below 1/2: adding 1/2 itself would round 0.49999997 up to 1.
_ALMOST_HALF = np.nextafter(np.float32(0.5), np.float32(0))


def number(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """F32 and F16. A number too large for F16 becomes infinity."""
    blocks["value"] = numbers[:, 0]


def bf16(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """BF16: the upper 16 bits of a float32, rounded to nearest, ties to even."""
    bits = numbers.view(np.uint32)[:, 0]
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    value = blocks["value"]
    value.view(np.dtype(np.uint16).newbyteorder(value.dtype.byteorder))[...] = rounded


def around_zero(numbers: NDArray[np.float32], blocks: NDArray[Any], *, middle: int) -> None:
    """Q4_0 and Q5_0. `middle` is the q of zero."""
    extreme = np.abs(numbers).argmax(axis=1)
    # ggml's maximum starts at 0, which no zero of a block exceeds: adding 0 turns -0 into that 0.
    d = (numbers[np.arange(len(numbers)), extreme] + 0) / np.float32(-middle)
    blocks["d"] = d
    q = truncate(numbers * inverse(d)[:, None] + np.float32(middle + 0.5))
    pack_4_or_5_bits(np.minimum(q, 2 * middle - 1).astype(np.uint8), blocks)


def from_minimum(numbers: NDArray[np.float32], blocks: NDArray[Any], *, top: int) -> None:
    """Q4_1 and Q5_1. q ranges from 0, for the minimum, to `top`, for the maximum."""
    # The first of equal numbers, as in ggml: numpy's min() may return either of 0 and -0, and m keeps the sign.
    low, high = (numbers[np.arange(len(numbers)), at(axis=1)] for at in (numbers.argmin, numbers.argmax))
    d = (high - low) / np.float32(top)
    blocks["d"] = d
    blocks["m"] = low
    q = truncate((numbers - low[:, None]) * inverse(d)[:, None] + np.float32(0.5))
    pack_4_or_5_bits(np.minimum(q, top).astype(np.uint8), blocks)


def q8_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    blocks["d"] = d = np.abs(numbers).max(axis=1) / np.float32(127)
    blocks["qs"] = round_half_away(numbers * inverse(d)[:, None])


def tq1_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """TQ1_0: five ternary digits in a byte, four in each byte of qh."""
    digits = _ternary_digits(numbers, blocks)
    blocks["qs"][:, :32] = pack_digits(digits[:, :160].reshape(-1, 5, 32))
    blocks["qs"][:, 32:] = pack_digits(digits[:, 160:240].reshape(-1, 5, 16))
    blocks["qh"] = pack_digits(digits[:, 240:].reshape(-1, 4, 4))


def tq2_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    blocks["qs"] = pack(_ternary_digits(numbers, blocks), 2, 32)


def q1_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """Q1_0. As in ggml, the mean is that of a float32 sum in element order; numpy's sum() adds in another order."""
    blocks["d"] = total(np.ascontiguousarray(np.abs(numbers).T)) / np.float32(numbers.shape[1])
    blocks["qs"] = pack(numbers >= 0, 1, 1)


def q2_0(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    blocks["d"] = d = np.abs(numbers).max(axis=1)
    factors = inverse(d)[:, None]
    q = round_half_away(numbers * factors) + 1
    # Where 1 / d overflows, x86 converts to the least int, which ggml then clamps to 0.
    codes = np.where(np.isfinite(factors), q, 0).astype(np.uint8)
    blocks["qs"] = pack(codes, 2, 1)


def mxfp4(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """MXFP4: 32 elements with a power of two as their scale, each rounded to the nearest of the 16 numbers of e2m1.

    e = floor(log2 of the greatest magnitude) - 2 + 127. The greatest magnitude is then between 4 and 8 times the scale
    2^(e - 127); e2m1 ends at 6. A block of zeros has e = 0. The logarithm is rounded to float32 before the floor, as in
    ggml.
    """
    exponents = _exponents(np.abs(numbers).max(axis=1))
    blocks["e"].view(np.uint8)[...] = exponents
    blocks["qs"] = pack(_e2m1_codes(numbers, codebooks.e8m0()[exponents]), 4, 16)


def nvfp4(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> None:
    """NVFP4: 64 elements in sub-blocks of 16, rounded as in MXFP4; the scale is ue4m3.

    It is the greatest magnitude / 6, rounded half up, at most 448, and 0 below 2^-10.
    """
    numbers = numbers.reshape(-1, 16)
    scales = np.minimum(np.abs(numbers).max(axis=1) / np.float32(6), np.float32(448))
    normal = (scales.view(np.uint32) + (1 << 19) >> 20).astype(np.int32) - (120 << 3)  # 120 is the other bias
    subnormal = np.minimum(scales * np.float32(512) + np.float32(0.5), 7)
    codes = np.where(scales < np.float32(2**-6), subnormal, np.where(normal < 120, normal, 126)).astype(np.uint8)
    blocks["d"].view(np.uint8)[...] = codes.reshape(-1, 4)
    blocks["qs"] = pack(_e2m1_codes(numbers, codebooks.ue4m3()[codes]), 4, 8).reshape(-1, 32)


def _e2m1_codes(numbers: NDArray[np.float32], half_scales: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the code of the nearest number for each of (n, elements); the smaller one of those equally near."""
    magnitudes, codes = np.abs(numbers), np.zeros(numbers.shape, np.uint8)
    least = magnitudes.copy()
    for code, value in enumerate(codebooks.values("kvalues_fp4")[:8].astype(np.float32)):
        errors = np.abs((value * half_scales)[:, None] - magnitudes)
        np.copyto(codes, np.uint8(code), where=errors < least)
        np.minimum(errors, least, out=least)
    codes[(numbers < 0) & (codes > 0)] += 8  # the sign
    return codes


def _exponents(greatest: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return e for the greatest magnitude of each block. Below 2^-125 it wraps around to 255 and less, as in ggml."""
    logarithms = np.log2(greatest, dtype=np.float64, where=greatest > 0, out=np.zeros(greatest.shape))
    exponents = np.floor(logarithms.astype(np.float32)).astype(np.int32) + 125
    return np.where(greatest > 0, exponents, 0).astype(np.uint8)


def _ternary_digits(numbers: NDArray[np.float32], blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Set d and return q."""
    blocks["d"] = d = np.abs(numbers).max(axis=1)
    return (round_half_away(numbers * inverse(d)[:, None]) + 1).astype(np.uint8)


def inverse(d: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 / d, and 0 for 0."""
    return np.divide(np.float32(1), d, out=np.zeros_like(d), where=d != 0)


def truncate(numbers: NDArray[np.float32]) -> NDArray[np.int32]:
    """Round toward zero, as a cast in C does; 0 for NaN and infinities."""
    return np.where(np.isfinite(numbers), numbers, np.float32(0)).astype(np.int32)


def round_half_away(numbers: NDArray[np.float32]) -> NDArray[np.int32]:
    """Round to the nearest integer, ties away from zero, as C's roundf() does; 0 for NaN and infinities."""
    return truncate(numbers + np.copysign(_ALMOST_HALF, numbers))


KERNELS: dict[GGMLType, Callable[..., None]] = {
    GGMLType.F32: number,
    GGMLType.F16: number,
    GGMLType.BF16: bf16,
    GGMLType.Q4_0: partial(around_zero, middle=8),
    GGMLType.Q4_1: partial(from_minimum, top=15),
    GGMLType.Q5_0: partial(around_zero, middle=16),
    GGMLType.Q5_1: partial(from_minimum, top=31),
    **{GGMLType[each.__name__.upper()]: each for each in (q8_0, tq1_0, tq2_0, mxfp4, nvfp4, q1_0, q2_0)},
    **K_QUANTS,
}
