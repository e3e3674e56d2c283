"""The shortest decimals of float32: the fewest digits that read back as the same number, and of these the nearest."""

from typing import Any

import numpy as np

__all__ = ["all_shortest", "shortest"]

_POWERS = 10.0 ** np.arange(23)  # all that float64 has exactly

_ALMOST_HALF = 0.499999


def shortest(value: Any) -> float:
    """Return the float whose repr is the shortest decimal that reads back as the same float32."""
    return float(str(np.float32(value)))


def all_shortest(values: np.ndarray[Any, np.dtype[Any]]) -> list[float]:
    """Return `shortest` of each number of a float32 array."""
    # Rounded to 6, 7, 8 and 9 digits in float64, which has digits to spare. Numbers that are not certain are left to
    # numpy, which takes five times as long: very large or small ones, and those that are about halfway between others.
    with np.errstate(invalid="ignore"):  # signaling NaNs
        result = values.astype(np.float64)
    rows = np.flatnonzero(np.isfinite(result) & (result != 0))
    # The logarithm of a power of ten may be a bit too low. No float32 is so close below one.
    exponents = np.floor(np.log10(np.abs(result[rows])) + 1e-9)
    is_usual = (exponents >= -14) & (exponents <= 27)  # then all of these are in _POWERS
    uncertain, rows, exponents = [rows[~is_usual]], rows[is_usual], exponents[is_usual].astype(np.int64)
    for num_digits in range(6, 10):
        power, exact = num_digits - 1 - exponents, result[rows]
        up, down = _POWERS[np.maximum(power, 0)], _POWERS[np.maximum(-power, 0)]
        scaled = exact * up / down
        digits = np.rint(scaled)
        rounded = digits * down / up
        is_same = rounded.astype(np.float32) == exact
        is_certain = (np.abs(scaled - digits) < _ALMOST_HALF) & (rounded.view(np.int64) & 0x1FFFFFFF != 0x10000000)
        if num_digits > 6:  # the neighbors of a power of two are not equally far away
            is_certain &= np.abs(np.frexp(exact)[0]) != 0.5
        uncertain.append(rows[~is_certain])
        result[rows[is_certain & is_same]] = rounded[is_certain & is_same]
        rows, exponents = rows[is_certain & ~is_same], exponents[is_certain & ~is_same]
    rows = np.concatenate([*uncertain, rows])
    result[rows] = list(map(float, map(str, values[rows])))  # `shortest` of each, only faster
    decimals: list[float] = result.tolist()
    return decimals
