"""What can be said of numbers that come in pieces: a summary in one pass, a histogram in another."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
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

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.infinite

    @property
    def std(self) -> float | None:
        return None if self.mean is None else math.sqrt(self._squares / self.finite)

    def add(self, piece: "NDArray[Any]") -> None:
        self.count += piece.size
        self.zeros += piece.size - int(np.count_nonzero(piece))
        values = _finite(piece)
        if values.size != piece.size:
            nan = int(np.count_nonzero(np.isnan(piece)))
            self.nan += nan
            self.infinite += piece.size - values.size - nan
        if not values.size:
            return
        low, high = values.min().item(), values.max().item()
        self.min = low if self.min is None else min(self.min, low)
        self.max = high if self.max is None else max(self.max, high)
        self._add_moments(values.astype(np.float64))

    def _add_moments(self, values: "NDArray[np.float64]") -> None:
        """Mean and squares of what there was and what is new, by the update of Chan, Golub and LeVeque.

        Sums of squares alone would lose all digits where the mean is large against the spread.
        """
        new, total = values.size, self.finite
        with np.errstate(all="ignore"):  # squares of float64 may overflow: the result then says infinity
            mean = float(values.mean())
            values -= mean
            squares = float(np.square(values, out=values).sum())
            before = mean if self.mean is None else self.mean
            delta = np.float64(mean) - before
            self.mean = float(before + delta * (new / total))
            self._squares += float(squares + delta * delta * (new / total) * (total - new))


class Histogram:
    """How many finite numbers are in each of `BINS` bins of equal width; `below` and `above` those in none."""

    def __init__(self, summary: Summary) -> None:
        self.counts = np.zeros(BINS, np.int64)
        self.below = self.above = 0
        self.low, self.high = _bounds(summary)
        # Numbers are divided by this first: the difference of two float64 may be more than a float64 holds.
        self.scale = max(abs(self.low), abs(self.high)) or 1.0

    def add(self, piece: "NDArray[Any]") -> None:
        values = _finite(piece)
        low = self.low / self.scale
        span = self.high / self.scale - low
        places = values / np.float64(self.scale)
        places -= low
        places *= BINS / span if span else 0
        np.clip(places, 0, BINS - 1, out=places)
        # What is outside is in the outermost bins now. To count it there and take it back is cheaper than to leave
        # it out, which makes a copy of all that stays.
        below, above = int(np.count_nonzero(values < self.low)), int(np.count_nonzero(values > self.high))
        counts = np.bincount(places.astype(np.int32), minlength=BINS)
        counts[0] -= below
        counts[-1] -= above
        self.counts += counts
        self.below += below
        self.above += above

    def edges(self, bins: int = BINS) -> list[float]:
        low, high = self.low / self.scale, self.high / self.scale
        return [self.scale * (low + (high - low) * i / bins) for i in range(bins)] + [self.high]

    def coarse(self, bins: int) -> list[int]:
        """The counts, of fewer and wider bins."""
        coarse: list[int] = self.counts.reshape(bins, -1).sum(axis=1).tolist()
        return coarse


def summarize(pieces: "Iterable[NDArray[Any]]") -> Summary:
    summary = Summary()
    for piece in pieces:
        summary.add(piece)
    return summary


def _finite(piece: "NDArray[Any]") -> "NDArray[Any]":
    if piece.dtype.kind == "i":
        return piece
    is_finite = np.isfinite(piece)
    return piece if is_finite.all() else piece[is_finite]


def _bounds(summary: Summary) -> tuple[float, float]:
    """From the least to the greatest, but no further than `SPREAD` standard deviations from the mean."""
    if summary.min is None or summary.max is None or summary.mean is None or summary.std is None:
        return 0.0, 0.0
    low, high = float(summary.min), float(summary.max)
    reach = SPREAD * summary.std
    if not math.isfinite(reach) or not math.isfinite(summary.mean):
        return low, high
    return max(low, summary.mean - reach), min(high, summary.mean + reach)
