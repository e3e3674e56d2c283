"""Statistics of numbers that come in pieces: a summary in one pass, a histogram in another.

Both can be made of parts of the numbers, by several threads, and merged.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

BINS = 80
SPREAD = 4  # standard deviations: what is further off is counted, but would make all else one bin


@dataclass
class Summary:
    """Counts of all numbers; the rest is of those that are finite, and None if there are none."""

    count: int = 0
    zeros: int = 0
    nan: int = 0
    infinite: int = 0
    min: int | float | None = None
    max: int | float | None = None
    mean: float | None = None
    _squares: float = 0.0

    @classmethod
    def of(cls, pieces: Iterable[NDArray[Any]]) -> Self:
        summary = cls()
        for piece in pieces:
            summary.merge(cls._of_piece(piece))
        return summary

    @classmethod
    def _of_piece(cls, piece: NDArray[Any]) -> Self:
        values = _finite(piece)
        odd = piece.size - values.size
        nan = int(np.count_nonzero(np.isnan(piece))) if odd else 0
        summary = cls(piece.size, int(np.count_nonzero(piece == 0)), nan, odd - nan)
        if values.size:
            summary.min, summary.max = values.min().item(), values.max().item()
            with np.errstate(all="ignore"):
                deviations = values.astype(np.float64)
                summary.mean = float(deviations.mean())
                deviations -= summary.mean
                summary._squares = float(np.square(deviations, out=deviations).sum())
        return summary

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.infinite

    @property
    def std(self) -> float | None:
        return None if self.mean is None else math.sqrt(self._squares / self.finite)

    def merge(self, other: "Summary") -> None:
        """Add the summary of other numbers: mean and squares by the update of Chan, Golub and LeVeque.

        Sums of squares alone would lose all digits where the mean is large against the spread.
        """
        if other.min is not None and other.max is not None and other.mean is not None:
            self.min = other.min if self.min is None else min(self.min, other.min)
            self.max = other.max if self.max is None else max(self.max, other.max)
            share = other.finite / (self.finite + other.finite)
            with np.errstate(all="ignore"):  # float64 may overflow: the result then says infinity
                before = other.mean if self.mean is None else self.mean
                delta = np.float64(other.mean) - before
                self.mean = float(before + delta * share)
                self._squares = float(self._squares + other._squares + delta * delta * share * self.finite)
        self.count += other.count
        self.zeros += other.zeros
        self.nan += other.nan
        self.infinite += other.infinite


class Histogram:
    """How many finite numbers are in each of `BINS` bins of equal width; `below` and `above` those in none."""

    def __init__(self, summary: Summary) -> None:
        self.low, self.high = _bounds(summary)
        # The difference of two float64 may be more than a float64 holds, and the inverse of a small one as well.
        greatest = max(abs(self.low), abs(self.high))
        self.scale = greatest if greatest and not 1e-250 < greatest < 1e250 else 1.0
        self._counts = np.zeros(BINS + 2, np.int64)

    @classmethod
    def of(cls, pieces: Iterable[NDArray[Any]], summary: Summary) -> Self:
        histogram = cls(summary)
        # Memory that is used for each piece: new memory would cost more than all that is done with it.
        places, bins = np.empty(0), np.empty(0, np.intp)
        for piece in pieces:
            values = _finite(piece)
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
        # A little less than the bins are wide, or the greatest number would be above the last one.
        places *= BINS * (1 - 2**-50) / span if span else 0
        places += 1
        np.clip(places, 0, BINS + 1, out=places)
        np.copyto(bins, places, casting="unsafe")
        self._counts += np.bincount(bins, minlength=BINS + 2)

    def merge(self, other: "Histogram") -> None:
        """Add other numbers in the same bins."""
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
        """Return the counts of fewer and wider bins."""
        coarse: list[int] = self.counts.reshape(bins, -1).sum(axis=1).tolist()
        return coarse


def _finite(piece: NDArray[Any]) -> NDArray[Any]:
    if piece.dtype.kind == "i":
        return piece
    is_finite = np.isfinite(piece)
    return piece if is_finite.all() else piece[is_finite]


def _bounds(summary: Summary) -> tuple[float, float]:
    """Return the least and the greatest, but no further than `SPREAD` standard deviations from the mean."""
    if summary.min is None or summary.max is None or summary.mean is None or summary.std is None:
        return 0.0, 0.0
    low, high = float(summary.min), float(summary.max)
    reach = SPREAD * summary.std
    if not 0 < reach < math.inf or not math.isfinite(summary.mean):
        return low, high  # a std of 0 may be one whose squares are too small for a float64
    return max(low, summary.mean - reach), min(high, summary.mean + reach)
