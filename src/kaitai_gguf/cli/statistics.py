"""Statistics of numbers that arrive in chunks: a summary in a first pass, a histogram in a second.

Each chunk can be examined on a thread of its own.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

BINS = 80
SPREAD = 4  # standard deviations: outliers beyond this would squeeze all other numbers into one bin
LARGE = 1e150  # the squares of larger numbers may overflow
MOST = 1e300  # the largest bound of a histogram: the difference of two larger numbers may overflow


@dataclass(frozen=True)
class Summary:
    """Counts over all numbers; min, max, mean and std over the finite ones, None if there are none."""

    count: int
    min: int | float | None
    max: int | float | None
    mean: float | None
    std: float | None
    zeros: int
    nan: int
    infinite: int

    @classmethod
    def of(cls, chunk: NDArray[Any]) -> Self:
        values = _finite(chunk)
        not_finite = chunk.size - values.size
        nan = int(np.count_nonzero(np.isnan(chunk))) if not_finite else 0
        counts = (int(np.count_nonzero(chunk == 0)), nan, not_finite - nan)
        if not values.size:
            return cls(chunk.size, None, None, None, None, *counts)
        least, most = values.min().item(), values.max().item()
        scale = 1.0 if max(abs(least), abs(most)) < LARGE else 2.0**1000
        scaled = values if scale == 1 else values / scale
        mean, std = scaled.mean(dtype=np.float64).item() * scale, scaled.std(dtype=np.float64).item() * scale
        return cls(chunk.size, least, most, mean, std, *counts)

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Return the summary of all numbers of the parts.

        The std comes from those of the parts: a sum of squares would lose all digits where the mean is much larger.
        """
        parts = list(parts)
        count, zeros, nan, infinite = (
            sum(getattr(part, name) for part in parts) for name in ("count", "zeros", "nan", "infinite")
        )
        rows = [(each.count - each.nan - each.infinite, each.mean, each.std) for each in parts if each.min is not None]
        if not rows:
            return cls(count, None, None, None, None, zeros, nan, infinite)
        weights, means, stds = np.array(rows, np.float64).T
        scale = max(np.abs(means).max(), stds.max()) or 1.0
        mean = np.average(means / scale, weights=weights)
        std = math.sqrt(np.average((stds / scale) ** 2 + (means / scale - mean) ** 2, weights=weights))
        least = min(each.min for each in parts if each.min is not None)
        most = max(each.max for each in parts if each.max is not None)
        return cls(count, least, most, float(mean * scale), float(std * scale), zeros, nan, infinite)


class Histogram:
    """The number of finite values in each of `BINS` bins of equal width; `below` and `above` count those outside.

    The bins reach from the minimum to the maximum, but at most `SPREAD` standard deviations from the mean.
    """

    below: int = 0
    above: int = 0

    def __init__(self, summary: Summary) -> None:
        self.low, self.high = max(float(summary.min or 0), -MOST), min(float(summary.max or 0), MOST)
        if summary.mean is not None and summary.std is not None and 0 < summary.std < math.inf:
            self.low = max(self.low, summary.mean - SPREAD * summary.std)
            self.high = min(self.high, summary.mean + SPREAD * summary.std)
        self.counts = np.zeros(BINS, np.int64)

    def counted(self, chunk: NDArray[Any]) -> NDArray[np.int64]:
        """Return the counts of a chunk, for `add`: those of the bins between those below and above."""
        places = _finite(chunk).astype(np.float64)
        with np.errstate(over="ignore"):
            places -= self.low
            places /= self.high - self.low or 1
        places *= BINS * (1 - 2**-50)  # a little less than BINS, or the maximum would fall above the last bin
        places += 1
        np.clip(places, 0, BINS + 1, out=places)
        return np.bincount(places.astype(np.intp), minlength=BINS + 2)

    def add(self, counts: NDArray[np.int64]) -> None:
        self.below += int(counts[0])
        self.above += int(counts[-1])
        self.counts += counts[1:-1]

    def edges(self, bins: int = BINS) -> list[float]:
        edges: list[float] = np.linspace(self.low, self.high, bins + 1).tolist()
        return edges


def _finite(chunk: NDArray[Any]) -> NDArray[Any]:
    if chunk.dtype.kind == "i":
        return chunk
    is_finite = np.isfinite(chunk)
    return chunk if is_finite.all() else chunk[is_finite]
