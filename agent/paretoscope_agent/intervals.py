"""Confidence intervals of medians, and when repetitions are enough. Nothing is assumed of how times are distributed.

The interval lies between two of the sorted times: the median of what they were drawn from is below the k-th of n with the
probability of fewer than k heads in n throws (David and Nagaraja, Order Statistics, 3rd edition, section 7.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, exp, isnan, lgamma, log, nan, sqrt
from statistics import median

CONFIDENCE = 0.95
# From here on the binomial is a normal distribution as far as a rank can tell.
_MANY = 1000


@dataclass(frozen=True)
class Interval:
    """A median with its interval.

    Attributes:
        median, low, high: in the unit of the samples; `low` and `high` are NaN where there are too few samples for the confidence.
        count: number of samples.
    """

    median: float
    low: float
    high: float
    count: int

    @property
    def relative_half_width(self) -> float:
        """The larger of the two distances from the median, as a share of it; infinite where there is no interval."""
        if isnan(self.low) or self.median <= 0:
            return float("inf")
        return max(self.high - self.median, self.median - self.low) / self.median


def interval_of_median(samples: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the median of `samples` with its interval.

    Raises:
        ValueError: there are none.
    """
    if not samples:
        raise ValueError("samples: at least one")
    ordered, count = sorted(samples), len(samples)
    rank = _lower_rank(count, (1 - confidence) / 2)
    if rank == 0:
        return Interval(median(ordered), nan, nan, count)
    return Interval(median(ordered), ordered[rank - 1], ordered[count - rank], count)


def halves_differ(samples: Sequence[float], share: float) -> bool:
    """Return whether the medians of the first and the second half differ by more than a share: clocks changed, or load came."""
    middle = len(samples) // 2
    if middle < 3:
        return False
    first, second = median(samples[:middle]), median(samples[middle:])
    return abs(second - first) > share * min(first, second)


def _lower_rank(count: int, tail: float) -> int:
    """Return the highest k for which fewer than k of `count` fair throws are heads with at most the probability `tail`.

    0 for none.
    """
    if count > _MANY:
        return max(0, int(count / 2 - _normal_quantile(1 - tail) * sqrt(count) / 2))
    below, rank = 0.0, 0
    for heads in range(count // 2):
        below += exp(lgamma(count + 1) - lgamma(heads + 1) - lgamma(count - heads + 1) - count * log(2))
        if below > tail:
            break
        rank = heads + 1
    return rank


def _normal_quantile(share: float) -> float:
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + erf(middle / sqrt(2))) / 2 < share else (low, middle)
    return (low + high) / 2
