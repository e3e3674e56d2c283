"""Statistics of numbers that arrive in chunks: a summary in a first pass, a histogram in a second.

Both can be computed by several threads, each for part of the numbers, and merged.
"""

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

BINS = 80
SAFE = 1e-140, 1e140  # between these, squares of float64 neither overflow in a sum nor underflow
SPREAD = 4  # standard deviations: outliers beyond this would squeeze all other numbers into one bin


@dataclass
class Summary:
    """Counts over all numbers; min, max, mean and std over the finite ones, None if there are none."""

    count: int = 0
    zeros: int = 0
    nan: int = 0
    infinite: int = 0
    min: int | float | None = None
    max: int | float | None = None
    mean: float | None = None
    std: float | None = None

    @classmethod
    def of(cls, chunks: Iterable[NDArray[Any]]) -> Self:
        summary = cls()
        for chunk in chunks:
            summary.merge(cls._of_chunk(chunk))
        return summary

    @classmethod
    def _of_chunk(cls, chunk: NDArray[Any]) -> Self:
        values = _finite(chunk)
        not_finite = chunk.size - values.size
        nan = int(np.count_nonzero(np.isnan(chunk))) if not_finite else 0
        summary = cls(chunk.size, int(np.count_nonzero(chunk == 0)), nan, not_finite - nan)
        if values.size:
            summary.min, summary.max = values.min().item(), values.max().item()
            deviations = values.astype(np.float64)
            scale = _scale(max(abs(summary.min), abs(summary.max)))
            if scale != 1:
                deviations /= scale
            mean = float(deviations.mean())
            deviations -= mean
            variance = float(np.square(deviations, out=deviations).mean())
            summary.mean, summary.std = _limited(mean * scale), _limited(math.sqrt(variance) * scale)
        return summary

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.infinite

    def merge(self, other: "Summary") -> None:
        """Add the summary of other numbers, with the update of mean and squares by Chan, Golub and LeVeque.

        A plain sum of squares would lose all digits where the mean is much larger than the spread.
        """
        if self.min is None or self.max is None or self.mean is None or self.std is None:
            self.min, self.max, self.mean, self.std = other.min, other.max, other.mean, other.std
        elif other.min is not None and other.max is not None and other.mean is not None and other.std is not None:
            self.min, self.max = min(self.min, other.min), max(self.max, other.max)
            share = other.finite / (self.finite + other.finite)
            step = other.mean / 2 - self.mean / 2  # the difference may overflow
            self.mean = _limited(self.mean + step * share + step * share)
            weight, other_weight = math.sqrt(1 - share), math.sqrt(share)
            between = 2 * weight * other_weight * step
            self.std = _limited(math.hypot(weight * self.std, other_weight * other.std, between))
        self.count += other.count
        self.zeros += other.zeros
        self.nan += other.nan
        self.infinite += other.infinite


class Histogram:
    """The number of finite values in each of `BINS` bins of equal width; `below` and `above` count those outside."""

    def __init__(self, summary: Summary) -> None:
        self.low, self.high = _bounds(summary)
        # The difference of two large float64, or the inverse of a small one, may overflow.
        greatest = max(abs(self.low), abs(self.high))
        self.scale = greatest if greatest and not 1e-250 < greatest < 1e250 else 1.0
        self._counts = np.zeros(BINS + 2, np.int64)

    @classmethod
    def of(cls, chunks: Iterable[NDArray[Any]], summary: Summary) -> Self:
        histogram = cls(summary)
        # Buffers are reused: allocating new ones for each chunk costs more than the computation.
        places, bins = np.empty(0), np.empty(0, np.intp)
        for chunk in chunks:
            values = _finite(chunk)
            if len(places) < values.size:
                places, bins = np.empty(values.size), np.empty(values.size, np.intp)
            histogram._add(values, places[: values.size], bins[: values.size])
        return histogram

    def _add(self, values: NDArray[Any], places: NDArray[np.float64], bins: NDArray[np.intp]) -> None:
        if self.scale != 1:
            values = values / np.float64(self.scale)
        low = self.low / self.scale
        span = self.high / self.scale - low
        np.subtract(values, low, out=places, dtype=np.float64)
        # Scaled a little down, or the greatest number would fall above the last bin.
        places *= BINS * (1 - 2**-50) / span if span else 0
        places += 1
        np.clip(places, 0, BINS + 1, out=places)
        np.copyto(bins, places, casting="unsafe")
        self._counts += np.bincount(bins, minlength=BINS + 2)

    def merge(self, other: "Histogram") -> None:
        """Add the counts of a histogram with the same bins."""
        self._counts += other._counts

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._counts[1:-1]

    @property
    def below(self) -> int:
        return int(self._counts[0])

    @property
    def above(self) -> int:
        return int(self._counts[-1])

    def edges(self, bins: int = BINS) -> list[float]:
        low, high = self.low / self.scale, self.high / self.scale
        return [self.scale * (low + (high - low) * i / bins) for i in range(bins)] + [self.high]

    def coarse(self, bins: int) -> list[int]:
        """Return the counts for fewer, wider bins."""
        coarse: list[int] = self.counts.reshape(bins, -1).sum(axis=1).tolist()
        return coarse


def _finite(chunk: NDArray[Any]) -> NDArray[Any]:
    if chunk.dtype.kind == "i":
        return chunk
    is_finite = np.isfinite(chunk)
    return chunk if is_finite.all() else chunk[is_finite]


def _scale(greatest: float) -> float:
    """Return a power of two to divide numbers by, so that their squares can be added; 1 for ordinary numbers."""
    if not greatest or SAFE[0] < greatest < SAFE[1]:
        return 1.0
    return math.ldexp(0.5, math.frexp(greatest)[1])


def _limited(number: float) -> float:
    """Undo an overflow by rounding: no mean and no standard deviation of float64 is larger than the largest float64."""
    return max(-sys.float_info.max, min(number, sys.float_info.max))


def _bounds(summary: Summary) -> tuple[float, float]:
    """Return the minimum and the maximum, limited to `SPREAD` standard deviations from the mean."""
    if summary.min is None or summary.max is None or summary.mean is None or summary.std is None:
        return 0.0, 0.0
    low, high = float(summary.min), float(summary.max)
    reach = SPREAD * summary.std
    if not 0 < reach < math.inf:
        return low, high
    return max(low, summary.mean - reach), min(high, summary.mean + reach)
