"""Kernels whose scales are searched: the K-quants, and Q4_0 to Q5_1 with an importance matrix.

Each takes numbers of shape (n, block size) and sets all fields of n structured blocks. Those of `K_QUANTS` may get the
importance of each number, those of `BY_ROW` get its weight, see `importance_of`.

The K-quants first search a scale, and for Q2_K, Q4_K and Q5_K a minimum, for each sub-block, then scales d and dmin for
these scales and minimums. The codes are then rounded again for the scales that were stored; a sub-block whose scale is
stored as 0 keeps the codes of the search.

With an importance matrix, a number x counts importance × sqrt(s + x²), where s is the mean of the squares of the row
(Q4_0 to Q5_1) or block, or twice that (Q3_K, Q4_K, Q5_K); in Q6_K it counts its importance. Without one, it counts its
magnitude (Q2_K), plus the root of the mean square of the sub-block (Q4_K, Q5_K), or its square (Q3_K, Q6_K).
`kaitai_gguf.dequantize` documents how scales, minimums and codes are packed.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.formulas import q2_k_scales, q3_k_scales, q4_k_scales, q6_k_scales
from kaitai_gguf.quantize.packing import pack, pack_4_or_5_bits
from kaitai_gguf.quantize.search import (
    LEAST,
    NEGLIGIBLE,
    Floats,
    columns,
    extreme,
    nearest,
    scale,
    scale_and_minimum,
    scale_by_squares,
    scale_of_positive,
    total,
)
from kaitai_gguf.types import GGMLType

_WITH_IMPORTANCE = -0.9, 0.05, 37  # the candidates of `scale_and_minimum`


def mean_square(numbers: Floats, factor: int = 1) -> Floats:
    """Return the mean of the squares of each row (n, elements), times a factor."""
    turned = np.ascontiguousarray(numbers.T)
    return np.float32(factor) * total(turned * turned) / np.float32(len(turned))


def importance_of(numbers: Floats, importance: Floats, squares: Floats) -> Floats:
    """Return the weights of numbers (n, elements), given the importance of each and the s (n) of its row or block."""
    return importance * np.sqrt(squares[:, None] + numbers * numbers)


def k_from_minimum(
    numbers: Floats,
    blocks: NDArray[Any],
    importance: Floats | None = None,
    *,
    size: int,
    bits: int,
    candidates: tuple[float, float, int],
) -> None:
    """Q2_K, Q4_K and Q5_K. `size` is that of a sub-block."""
    top, count, is_q2_k = (1 << bits) - 1, 256 // size, bits == 2
    top_scale = 15 if is_q2_k else 63
    x = columns(numbers, size)
    if importance is None:
        magnitudes = np.abs(x)
        weights = magnitudes if is_q2_k else np.sqrt(total(x * x) / np.float32(size)) + magnitudes
        d, m, codes = scale_and_minimum(x, weights, top, candidates, is_absolute=is_q2_k)
        blocks["d"], scales = _by_greatest(columns(d, count), top_scale)
        blocks["dmin"], minimums = _by_greatest(columns(m, count), top_scale)
    else:
        squares = mean_square(numbers, 1 if is_q2_k else 2)
        weights = columns(importance_of(numbers, importance, squares), size)
        d, m, codes = scale_and_minimum(x, weights, top, _WITH_IMPORTANCE)
        sums = columns(total(weights), count)
        blocks["d"], scales = scale_of_positive(columns(d, count), sums, top_scale)
        blocks["dmin"], minimums = scale_of_positive(columns(m, count), sums, top_scale)
    if not is_q2_k and (bits == 5 or importance is None):  # in Q2_K they wrap around, as in ggml
        scales, minimums = np.minimum(scales, 63), np.minimum(minimums, 63)
    if is_q2_k:
        blocks["scales"] = (scales | minimums << 4).T.astype(np.uint8)
        sub_d, sub_m = q2_k_scales(blocks)
    else:
        first, second = (each[:4] | each[4:] >> 4 << 6 for each in (scales, minimums))
        blocks["scales"] = np.concatenate((first, second, scales[4:] & 15 | minimums[4:] << 4)).T.astype(np.uint8)
        sub_d, sub_m = q4_k_scales(blocks)
    q = _rounded_again(x, codes, sub_d, low=0, top=top, m=sub_m)
    blocks["qs"] = pack(q, 2 if is_q2_k else 4, 32)
    if bits == 5:
        blocks["qh"] = pack(q >> 4, 1, 32)


def q3_k(numbers: Floats, blocks: NDArray[Any], importance: Floats | None = None) -> None:
    """Q3_K: scales from -32 to 31, codes from -4 to 3."""
    x = columns(numbers, 16)
    if importance is None:
        d, codes = scale_by_squares(x, 4)
        d = columns(d, 16)
        most = extreme(d)
        inverse = np.float32(-32) / most
        scales = nearest(d * inverse, LEAST, -LEAST).astype(np.int8).clip(-32, 31) + 32
        is_zero = most == 0
        blocks["d"] = np.where(is_zero, np.float32(0), 1 / inverse)
        scales[:, is_zero] = 0
    else:
        weights = columns(importance_of(numbers, importance, mean_square(numbers, 2)), 16)
        d, codes = scale(x, weights, 4)
        blocks["d"], scales = scale(columns(d, 16), columns(total(weights), 16), 32)
    scales = scales.T
    blocks["scales"] = np.concatenate((pack(scales, 4, 8), pack(scales >> 4, 2, 4)), axis=1)
    q = _rounded_again(x, codes, q3_k_scales(blocks), low=-4, top=3)
    blocks["qs"] = pack(q, 2, 32)
    blocks["hmask"] = pack(q >> 2, 1, 32)


def q6_k(numbers: Floats, blocks: NDArray[Any], importance: Floats | None = None) -> None:
    """Q6_K: scales from -128 to 127, codes from -32 to 31."""
    x = columns(numbers, 16)
    d, codes = scale(x, x * x if importance is None else columns(importance, 16), 32)
    d = columns(d, 16)
    most = extreme(d)
    inverse = np.float32(-128) / most
    blocks["d"] = 1 / inverse
    blocks["scales"] = nearest(d * inverse, LEAST, 127).T.astype(np.int8)
    q = _rounded_again(x, codes, q6_k_scales(blocks), low=-32, top=31)
    blocks["ql"] = pack(q, 4, 64)
    blocks["qh"] = pack(q >> 4, 2, 32)
    blocks[~(np.abs(most) >= NEGLIGIBLE)] = np.zeros((), blocks.dtype)


def around_zero(numbers: Floats, blocks: NDArray[Any], weights: Floats, *, middle: int) -> None:
    """Q4_0 and Q5_0. `middle` is the q of zero."""
    blocks["d"], codes = scale(columns(numbers, 32), columns(weights, 32), middle)
    pack_4_or_5_bits(codes.T, blocks)


def from_minimum(numbers: Floats, blocks: NDArray[Any], weights: Floats, *, top: int) -> None:
    """Q4_1 and Q5_1. q ranges from 0 to `top`."""
    blocks["d"], m, codes = scale_and_minimum(columns(numbers, 32), columns(weights, 32), top, _WITH_IMPORTANCE)
    blocks["m"] = -m
    pack_4_or_5_bits(codes.T, blocks)


def _by_greatest(numbers: Floats, top: int) -> tuple[Floats, NDArray[np.int32]]:
    """Return scales and codes of numbers that are not negative: the greatest gets the code `top`.

    As in ggml, codes of other numbers wrap around to 255 and less.
    """
    most = np.fmax.reduce(numbers, axis=0, initial=np.float32(0)) + np.float32(0)  # no -0
    inverse = np.where(most > 0, np.float32(top) / most, np.float32(0))
    return most / np.float32(top), nearest(numbers * inverse, LEAST, -LEAST).astype(np.uint8).astype(np.int32)


def _rounded_again(
    x: Floats, codes: NDArray[np.int32], d: Floats, *, low: int, top: int, m: Floats | None = None
) -> NDArray[np.int32]:
    """Return codes (n, 256), 0 for `low`, for the scales that were stored; the given codes where d is 0."""
    numbers = x if m is None else x + m.reshape(-1)
    d = d.reshape(-1)
    again = np.where(d == 0, codes, nearest(numbers / d, low, top) - low)
    return again.T.reshape(-1, 256)


K_QUANTS: dict[GGMLType, Callable[..., None]] = {
    GGMLType.Q2_K: partial(k_from_minimum, size=16, bits=2, candidates=(-0.5, 0.1, 16)),
    GGMLType.Q3_K: q3_k,
    GGMLType.Q4_K: partial(k_from_minimum, size=32, bits=4, candidates=(-1, 0.1, 21)),
    GGMLType.Q5_K: partial(k_from_minimum, size=32, bits=5, candidates=(-0.5, 0.1, 16)),
    GGMLType.Q6_K: q6_k,
}
BY_ROW: dict[GGMLType, Callable[..., None]] = {
    GGMLType.Q4_0: partial(around_zero, middle=8),
    GGMLType.Q4_1: partial(from_minimum, top=15),
    GGMLType.Q5_0: partial(around_zero, middle=16),
    GGMLType.Q5_1: partial(from_minimum, top=31),
}
