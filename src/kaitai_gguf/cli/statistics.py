"""Statistics of numbers that arrive in chunks: a summary in a first pass, a histogram in a second.

Each chunk can be examined on a thread of its own.
"""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

BINS = 80
SPREAD = 4  # standard deviations: outliers beyond this would squeeze all other numbers into one bin
LARGE = 1e150  # the squares of larger numbers may overflow
MOST = 1e300  # the largest bound of a histogram: the difference of two larger numbers may overflow


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
    def of(cls, chunk: NDArray[Any]) -> Self:
        values = _finite(chunk)
        not_finite = chunk.size - values.size
        nan = int(np.count_nonzero(np.isnan(chunk))) if not_finite else 0
        summary = cls(chunk.size, int(np.count_nonzero(chunk == 0)), nan, not_finite - nan)
        if values.size:
            summary.min, summary.max = values.min().item(), values.max().item()
            scale = 1.0 if max(abs(summary.min), abs(summary.max)) < LARGE else 2.0**1000
            scaled = values if scale == 1 else values / scale
            summary.mean = scaled.mean(dtype=np.float64).item() * scale
            summary.std = scaled.std(dtype=np.float64).item() * scale
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
            self.mean = self.mean + step * share + step * share
            between = 2 * math.sqrt(share * (1 - share)) * step
            self.std = math.hypot(math.sqrt(1 - share) * self.std, math.sqrt(share) * other.std, between)
        self.count += other.count
        self.zeros += other.zeros
        self.nan += other.nan
        self.infinite += other.infinite


class Histogram:
    """The number of finite values in each of `BINS` bins of equal width; `below` and `above` count those outside.

    The bins reach from the minimum to the maximum, but at most `SPREAD` standard deviations from the mean.
    """

    def __init__(self, summary: Summary) -> None:
        self.low, self.high = max(float(summary.min or 0), -MOST), min(float(summary.max or 0), MOST)
        if summary.mean is not None and summary.std is not None and 0 < summary.std < math.inf:
            self.low = max(self.low, summary.mean - SPREAD * summary.std)
            self.high = min(self.high, summary.mean + SPREAD * summary.std)
        self._counts = np.zeros(BINS + 2, np.int64)

    def counted(self, chunk: NDArray[Any]) -> NDArray[np.int64]:
        """Return the counts of a chunk, for `add`."""
        places = _finite(chunk).astype(np.float64)
        with np.errstate(over="ignore"):
            places -= self.low
            places /= self.high - self.low or 1
        places *= BINS * (1 - 2**-50)  # a little less than BINS, or the maximum would fall above the last bin
        places += 1
        np.clip(places, 0, BINS + 1, out=places)
        return np.bincount(places.astype(np.intp), minlength=BINS + 2)

    def add(self, counts: NDArray[np.int64]) -> None:
        self._counts += counts

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
        edges: list[float] = np.linspace(self.low, self.high, bins + 1).tolist()
        return edges


def _finite(chunk: NDArray[Any]) -> NDArray[Any]:
    if chunk.dtype.kind == "i":
        return chunk
    is_finite = np.isfinite(chunk)
    return chunk if is_finite.all() else chunk[is_finite]
