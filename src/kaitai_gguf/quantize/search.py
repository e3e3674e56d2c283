"""Searches for the scale of a group of numbers: of several candidates, the one with the smallest weighted error.

The candidates, and the order of all operations, are those of ggml's C code, so the results are equal bit for bit. A
group is a column: numbers have the shape (elements, groups), and each operation works on all groups at once. Sums add
the rows one after the other, as C does; every product and sum is rounded to float32.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

_ROUNDING = np.float32(3 << 22)  # float32 numbers from 2^23 to 2^24 are integers
_TENTH = np.float32(0.1)
LEAST = -0x400000  # the least result of `nearest`
NEGLIGIBLE = np.float32(1e-15)  # groups whose greatest magnitude is smaller become zeros


def columns(numbers: NDArray[Any], size: int) -> NDArray[Any]:
    """Return numbers as columns of `size` elements."""
    return np.ascontiguousarray(numbers.reshape(-1, size).T)


def total(terms: NDArray[Any], start: float = 0) -> Floats:
    """Return the sum of each column, starting from `start`: -0.0 if C starts from the first term instead."""
    if terms.shape[1] == 1:  # numpy adds pairs of elements that are adjacent in memory
        last: Floats = np.add.accumulate(terms, axis=0)[-1]
        return last + np.float32(start)
    result: Floats = np.add.reduce(terms, axis=0, initial=np.float32(start))
    return result


def nearest(numbers: Floats, low: int, high: int) -> Integers:
    """Round to the nearest integer, ties to even, from low to high.

    As in ggml, the integer is the mantissa after adding 3 × 2^22: numbers beyond ±2^22 and NaN wrap around.
    """
    mantissas = (numbers + _ROUNDING).view(np.int32)
    mantissas &= 0x7FFFFF
    mantissas -= 0x400000
    np.maximum(mantissas, low, out=mantissas)
    np.minimum(mantissas, high, out=mantissas)
    return mantissas


def extreme(numbers: Floats) -> Floats:
    """Return the number of the greatest magnitude in each column, the first of equal ones; NaN counts as 0."""
    magnitudes = np.abs(numbers)
    index = np.where(np.isnan(magnitudes), np.float32(-1), magnitudes).argmax(axis=0)
    most = numbers[index, np.arange(numbers.shape[1])]
    return np.where(np.isnan(most), np.float32(0), most)


def scale_and_minimum(
    numbers: Floats, weights: Floats, top: int, candidates: tuple[float, float, int], *, is_absolute: bool = False
) -> tuple[Floats, Floats, Integers]:
    """Return scales, minimums m and codes from 0 to `top`, for numbers that are about scale × code - m.

    Candidate i takes codes for an inverse scale of (top + first + step × i) / (maximum - minimum), and then the best
    scale and minimum for these codes by least squares. m is never negative.

    candidates   first, step, and the number of candidates.
    is_absolute  whether the error is the sum of absolute differences instead of squares.
    """
    (first, step, count), every = candidates, np.arange(numbers.shape[1])
    low, high = numbers[numbers.argmin(axis=0), every], numbers[numbers.argmax(axis=0), every]
    sum_w, sum_x = total(weights, -0.0), total(weights * numbers, -0.0)
    low = np.where(low > 0, np.float32(0), low)

    def error_of(codes: Floats, d: NDArray[Any], m: NDArray[Any]) -> Floats:
        differences = d * codes
        differences += m
        differences -= numbers
        np.absolute(differences, out=differences) if is_absolute else np.square(differences, out=differences)
        differences *= weights
        return total(differences)

    def codes_of(inverse: Floats, m: Floats) -> Integers:
        distances = numbers - m
        distances *= inverse
        return nearest(distances, 0, top)

    m, inverse = low, np.float32(top) / (high - low)
    d, chosen = 1 / inverse, (inverse, m)
    best = error_of(codes_of(*chosen).astype(np.float32), d, m)
    for i in range(count):
        inverse = (np.float32(first) + np.float32(step) * np.float32(i) + np.float32(top)) / (high - m)
        codes = codes_of(inverse, m).astype(np.float32)
        terms = weights * codes
        sum_l, sum_l2 = total(terms), total(terms * codes)
        terms *= numbers
        sum_xl = total(terms)
        determinant = sum_w * sum_l2 - sum_l * sum_l
        new_d = (sum_w * sum_xl - sum_x * sum_l) / determinant
        new_m = (sum_l2 * sum_x - sum_l * sum_xl) / determinant
        is_above = new_m > 0
        new_d = np.where(is_above, sum_xl / sum_l2, new_d)
        new_m = np.where(is_above, np.float32(0), new_m)
        error = error_of(codes, new_d, new_m)
        better = (determinant > 0) & (error < best)
        chosen = np.where(better, inverse, chosen[0]), np.where(better, m, chosen[1])
        best, d, m = np.where(better, error, best), np.where(better, new_d, d), np.where(better, new_m, m)
    flat = high == low
    q = codes_of(*chosen)
    q[:, flat] = 0
    return np.where(flat, np.float32(0), d), -np.where(flat, low, m), q


def scale(numbers: Floats, weights: Floats, middle: int) -> tuple[Floats, Integers]:
    """Return scales and codes from 0 to 2 × middle - 1, for numbers that are about scale × (code - middle).

    Candidates take codes for inverse scales near -middle / (the number of the greatest magnitude), and then the best
    scale for these codes by least squares.
    """
    most = extreme(numbers)
    weighted = weights * numbers
    d = best = chosen = np.zeros(numbers.shape[1], np.float32)
    for i in (0, *range(-9, 0), *range(1, 10)):
        inverse = -(np.float32(middle) + _TENTH * np.float32(i)) / most
        codes = nearest(numbers * inverse, -middle, middle - 1).astype(np.float32)
        sum_lx = total(weighted * codes)
        codes_2 = weights * codes
        codes_2 *= codes
        sum_l2 = total(codes_2)
        better = (sum_l2 > 0) & (sum_lx * sum_lx > best * sum_l2)
        if i == 0:
            better, chosen = sum_l2 != 0, inverse
        d = np.where(better, sum_lx / sum_l2, d)
        best = np.where(better, d * sum_lx, best)
        chosen = np.where(better, inverse, chosen)
    q = nearest(numbers * chosen, -middle, middle - 1) + middle
    negligible = np.abs(most) < NEGLIGIBLE
    q[:, negligible] = 0
    return np.where(negligible, np.float32(0), d), q


def scale_by_squares(numbers: Floats, middle: int) -> tuple[Floats, Integers]:
    """Do what `scale` does with squares as weights, by `_descend` instead of candidates."""
    most = extreme(numbers)
    inverse = np.float32(-middle) / most
    first = nearest(numbers * inverse, -middle, middle - 1)
    d, codes = _descend(numbers, numbers * numbers, first, -middle, middle - 1, is_signed=True)
    negligible = np.abs(most) < NEGLIGIBLE
    codes[:, negligible] = -middle
    return np.where(negligible, np.float32(0), d), codes + middle


def scale_of_positive(numbers: Floats, weights: Floats, top: int) -> tuple[Floats, Integers]:
    """Return scales and codes from 0 to `top`, for numbers that are about scale × code and not negative.

    As in ggml, the codes of negative numbers, which are rare, wrap around to 255 and less.
    """
    most = np.zeros(numbers.shape[1], np.float32)
    for row in numbers:
        most = np.where(most > row, most, row)  # NaN counts until the next row, as in ggml

    def codes_of(inverse: Floats) -> Integers:
        return nearest(numbers * inverse, LEAST, top)

    def error_of(codes: NDArray[Any], inverse: Floats) -> Floats:
        differences: NDArray[Any] = numbers - (1 / inverse) * codes.astype(np.float32)
        return total(weights * differences * differences)

    inverse = chosen = np.float32(top) / most
    best = error_of(nearest(numbers * inverse, LEAST, -LEAST).astype(np.uint8), inverse)
    for i in (*range(-4, 0), *range(1, 5)):
        inverse = (_TENTH * np.float32(i) + np.float32(top)) / most
        error = error_of(codes_of(inverse), inverse)
        chosen, best = np.where(error < best, inverse, chosen), np.where(error < best, error, best)
    d, codes = _descend(numbers, weights, codes_of(chosen), LEAST, top, is_signed=False)
    negligible = most < NEGLIGIBLE
    codes[:, negligible] = 0
    return np.where(negligible, np.float32(0), d), codes


def _descend(
    numbers: Floats, weights: Floats, first: Integers, low: int, top: int, *, is_signed: bool
) -> tuple[Floats, Integers]:
    """Replace each code in turn by the best one, from low to top, for the scale of the others; return scales and codes.

    This is repeated until no code changes, at most five times.

    first      the codes at the beginning.
    is_signed  whether codes may be negative; if not, they wrap around to 255 and less, and none changes if all others
               are 0.
    """
    weighted, initial = weights * numbers, first.astype(np.float32)
    sums = np.stack((total(weighted * initial), total(weights * initial * initial)))
    codes = initial if is_signed else (first & 255).astype(np.float32)
    active: Any = slice(None)  # groups that changed in the last round
    indices = np.arange(numbers.shape[1])
    for _ in range(5):
        parts = [each[:, active] for each in (numbers, weights, weighted, codes, sums)]
        changed = _round_of_descent(*parts, low=low, top=top, is_signed=is_signed)
        codes[:, active], sums[:, active] = parts[3:]
        indices = active = indices[changed]
    sum_lx, sum_l2 = sums
    return np.where(sum_l2 > 0, sum_lx / sum_l2, np.float32(0)), codes.astype(np.int32)


def _round_of_descent(
    numbers: Floats,
    weights: Floats,
    weighted: Floats,
    codes: Floats,
    sums: Floats,
    *,
    low: int,
    top: int,
    is_signed: bool,
) -> NDArray[np.bool_]:
    """Change codes, and the sums of weight × number × code and weight × code²; return which groups changed."""
    changed = np.zeros(numbers.shape[1], bool)
    sum_lx, sum_l2 = sums
    for x, w, wx, code in zip(numbers, weights, weighted, codes, strict=True):
        lx, l2 = sum_lx - wx * code, sum_l2 - w * code * code
        nearest_code = nearest(x * l2 / lx, low, top)
        new = nearest_code.astype(np.float32)
        better = (new != code) & (lx > 0)
        if not is_signed:
            better &= l2 > 0
        lx += wx * new
        l2 += w * new * new
        better &= (l2 > 0) & (lx * lx * sum_l2 > sum_lx * sum_lx * l2)
        np.copyto(code, new if is_signed else nearest_code & 255, where=better, casting="unsafe")
        np.copyto(sum_lx, lx, where=better)
        np.copyto(sum_l2, l2, where=better)
        changed |= better
    return changed
