"""Significance tests between methods over repeated runs: rank tests, effect size, and correction for many comparisons.

Search results are seldom normally distributed, so everything is about ranks: Mann and Whitney (1947) for two methods, Kruskal and
Wallis (1952) for several, the A measure of Vargha and Delaney (2000) for how large a difference is, and Holm (1979) so that many
comparisons do not find differences by chance. As Arcuri and Briand (2011) advise for randomised algorithms.

Values are rounded to `DIGITS` significant digits before they are ranked: smaller differences come from the arithmetic that made
them. Infinities rank beyond all numbers. P-values count the arrangements of the ranks that are there, ties included; where that is
too much work, `mann_whitney` and `kruskal_wallis` say what stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, erfc, factorial, isnan, nan, prod, sqrt

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

SIGNIFICANT = 0.05
# Vargha and Delaney (2000): how far from 0.5 an effect is small, medium and large.
_EFFECTS = ((0.21, "large"), (0.14, "medium"), (0.06, "small"))
DIGITS = 12
# Additions to count a distribution of rank sums with many ties, about 0.2 s: a page compares many pairs. Small p-values have few
# wins and stay exact for more runs; elsewhere the normal approximation is within 0.0005 of what is counted.
_MOST_ADDITIONS = 4 * 10**8
_MOST_VALUES = 1_000  # in all, as many as a study has runs; more arrangements than a double can count begin at 1,030
# Where few values are distinct: outcomes, by how many of each value are taken, up to which they are listed.
_MOST_OUTCOMES = 5 * 10**6
# Of several samples: arrangements times values up to which all are counted (three samples of five), else how many are drawn.
_MOST_PLACED, DRAWN, _DRAWN_AT_ONCE = 2 * 10**7, 20_000, 1_000


@dataclass(frozen=True)
class Comparison:
    """The comparison of two methods, `first` and `second` by index.

    Attributes:
        effect: probability that a run of the first is better than one of the second, ties counted half (A12), 0..1.
        p_value: two-sided p-value of Mann and Whitney's test; NaN if either method has no values.
        adjusted: `p_value` after Holm's correction over all comparisons.
        least_possible: smallest `adjusted` that any outcome with this number of runs can have, without ties.
    """

    first: int
    second: int
    effect: float
    p_value: float
    adjusted: float
    least_possible: float

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at the 5 % level."""
        return self.adjusted <= SIGNIFICANT

    @property
    def decidable(self) -> bool:
        """Whether any outcome with this number of runs could be significant."""
        return self.least_possible <= SIGNIFICANT

    @property
    def size(self) -> str:
        """The effect in a word: "large", "medium", "small" or "negligible"; "" where it is not known."""
        if isnan(self.effect):
            return ""
        away = abs(self.effect - 0.5)
        return next((word for least, word in _EFFECTS if away >= least - 1e-12), "negligible")


def compare_all(samples: Sequence[Sequence[float]], better: str = "high") -> tuple[Comparison, ...]:
    """Return the comparison of every pair of methods, with Holm's correction over all pairs.

    Args:
        samples: values of the runs of each method, unpaired.
        better: "high" or "low", whichever values are better.

    Raises:
        ValueError: `better` is neither "high" nor "low".
    """
    if better not in ("high", "low"):
        raise ValueError(f'better must be "high" or "low". Got {better!r} instead.')
    pairs = [(i, k) for i, k in combinations(range(len(samples)), 2) if samples[i] and samples[k]]
    p_values = [mann_whitney(samples[i], samples[k]) for i, k in pairs]
    least = holm([least_p_value(len(samples[i]), len(samples[k])) for i, k in pairs])
    found = []
    for (i, k), p_value, adjusted, possible in zip(pairs, p_values, holm(p_values), least, strict=True):
        effect = vargha_delaney(samples[i], samples[k])
        found.append(Comparison(i, k, effect if better == "high" else 1 - effect, p_value, adjusted, possible))
    return tuple(found)


def rounded(values: Sequence[float]) -> list[float]:
    """Return `values` with `DIGITS` significant digits each."""
    return [float(f"{value:.{DIGITS - 1}e}") for value in values]


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p-value of Mann and Whitney's test: twice the smaller tail, at most 1; NaN where a side has no values.

    It is exact, counted over all arrangements, with or without ties. The normal approximation, corrected for ties and continuity,
    replaces it for more than about 120 partly tied values of which more than four differ, and beyond `_MOST_VALUES`.
    """
    if not len(first) or not len(second):
        return nan
    values, size = np.array(rounded([*first, *second])), len(first)
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    own = np.bincount(at[:size], minlength=len(counts))
    others = counts - own
    wins = int((own * (2 * (np.cumsum(others) - others) + others)).sum())  # twice the pairs won, ties counted once
    middle = size * len(second)
    if wins > middle:  # the other side is the one with fewer wins
        size, wins = len(second), 2 * middle - wins
    if len(values) > _MOST_VALUES:
        return _normal_p_value(wins, middle, counts)
    if len(counts) == len(values):
        below, equal = _untied_arrangements(size, len(values) - size, wins // 2)
    elif prod(count + 1 for count in counts[:-1].tolist()) <= _MOST_OUTCOMES:
        below, equal = _listed_arrangements(size, tuple(counts.tolist()), wins)
    elif min(len(first), len(second)) * len(values) * (wins + 1) <= _MOST_ADDITIONS:
        below, equal = _arrangements(size, tuple(counts.tolist()), wins)
    else:
        return _normal_p_value(wins, middle, counts)
    every = comb(len(values), size)
    return min(1.0, 2 * min(below + equal, every - below) / every)


@lru_cache(maxsize=4096)
def _arrangements(size: int, counts: tuple[int, ...], wins: int) -> tuple[float, float]:
    """Return the number of ways to take `size` of all values that win fewer than `wins`, and exactly `wins`.

    Group by group of equal values, from the lowest on: `ways[k][w]` is in how many ways `k` values were taken that win `w`.

    Args:
        size: number of taken values.
        counts: number of occurrences of each distinct value, ascending by value.
        wins: twice the pairs of a taken value above another one, ties counted once.
    """
    ways: dict[int, FloatArray] = {0: np.ones(1)}
    seen, left = 0, sum(counts)
    for count in counts:
        left -= count
        longer: dict[int, FloatArray] = {}
        for taken, row in ways.items():
            for more in range(max(0, size - taken - left), min(count, size - taken) + 1):
                won, now = more * (2 * (seen - taken) + count - more), taken + more
                passed = seen + count - now
                # What is taken later wins at least against all that were passed over so far.
                most = min(wins - 2 * (size - now) * passed, 2 * now * passed)
                if most < won:
                    continue
                if now not in longer:
                    longer[now] = np.zeros(most + 1)
                part = row[: most + 1 - won]
                longer[now][won : won + len(part)] += part * comb(count, more)
        ways, seen = longer, seen + count
    row = ways.get(size, np.zeros(0))
    return float(row[:wins].sum()), float(row[wins]) if len(row) > wins else 0.0


def _listed_arrangements(size: int, counts: tuple[int, ...], wins: int) -> tuple[float, float]:
    """Return `_arrangements` where few values are distinct: one entry for every choice of how many of each are taken."""
    taken, won, ways = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1)
    seen, left = 0, sum(counts)
    for count in counts:
        left -= count
        more = np.arange(count + 1)[:, None] if left else size - taken[None]  # of the last value, all that are missing
        fits = (taken + more <= size) & (taken + more >= size - left)
        now, won = taken + more, won + more * (2 * (seen - taken) + count - more)
        ways = ways * np.array([float(comb(count, each)) for each in range(count + 1)])[more]
        taken, won, ways = now[fits], won[fits], ways[fits]
        seen += count
    return float(ways[won < wins].sum()), float(ways[won == wins].sum())


@lru_cache(maxsize=256)
def _untied_arrangements(size: int, others: int, wins: int) -> tuple[float, float]:
    """Return `_arrangements` of values that all differ, of single wins up to half of all pairs.

    The coefficients of the Gaussian binomial: the product over i of (1 - q^(others + i)) / (1 - q^i).
    """
    ways = np.zeros(wins + 1)
    ways[0] = 1.0
    for i in range(1, size + 1):
        ways[others + i :] -= ways[: max(0, wins + 1 - others - i)].copy()
        lines = np.concatenate([ways, np.zeros(-len(ways) % i)]).reshape(-1, i)
        ways = np.cumsum(lines, axis=0).ravel()[: wins + 1]
    return float(ways[:wins].sum()), float(ways[wins])


def _normal_p_value(wins: int, middle: int, counts: IntArray) -> float:
    """Return the p-value of doubled wins by the normal approximation, corrected for ties and continuity."""
    every = int(counts.sum())
    ties = float((counts.astype(np.float64) ** 3 - counts).sum()) / (every * (every - 1))
    deviation = sqrt(middle / 12 * (every + 1 - ties))
    return erfc(max(0.0, (middle - wins) / 2 - 0.5) / deviation / sqrt(2)) if deviation else 1.0


def kruskal_wallis(samples: Sequence[Sequence[float]]) -> float:
    """Return the p-value of equal methods; NaN for fewer than two methods with values, 1 if all values are equal.

    It is exact for few arrangements (up to three samples of five, four of three), otherwise estimated from `DRAWN` random ones with
    a fixed seed; `kruskal_wallis_error` returns the error of the estimate.
    """
    sizes = tuple(len(sample) for sample in samples if len(sample))
    if len(sizes) < 2:
        return nan
    values = rounded([value for sample in samples for value in sample])
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(counts) == 1:
        return 1.0
    ranks = (2 * np.cumsum(counts) - counts + 1)[at]  # doubled, so that those of ties are whole
    starts = np.cumsum([0, *sizes[:-1]])
    seen = _spread(np.add.reduceat(ranks, starts)[None], sizes)[0] * (1 - 1e-12)
    if _counted(sizes):
        spreads, ways = _all_spreads(tuple(sorted(ranks.tolist())), sizes)
        return float(ways[spreads >= seen].sum() / ways.sum())
    random, hits = np.random.default_rng(0), 0
    for _ in range(DRAWN // _DRAWN_AT_ONCE):
        drawn = random.permuted(np.tile(ranks, (_DRAWN_AT_ONCE, 1)), axis=1)
        hits += int((_spread(np.add.reduceat(drawn, starts, axis=1), sizes) >= seen).sum())
    return (hits + 1) / (DRAWN + 1)


def kruskal_wallis_error(samples: Sequence[Sequence[float]], p_value: float) -> float:
    """Return two standard errors of the `p_value` of `kruskal_wallis` for `samples`; 0 if it is exact."""
    counted = _counted(tuple(len(sample) for sample in samples))
    return 0.0 if counted or isnan(p_value) else 2 * sqrt(p_value * (1 - p_value) / DRAWN)


def _counted(sizes: tuple[int, ...]) -> bool:
    """Return whether all arrangements of values in samples of `sizes` are few enough to count them."""
    return factorial(sum(sizes)) // prod(factorial(size) for size in sizes) * sum(sizes) <= _MOST_PLACED


def _spread(sums: IntArray, sizes: tuple[int, ...]) -> FloatArray:
    """Return a monotone transform of Kruskal and Wallis's statistic, shape `n`, from rank sums `n x samples`."""
    spread: FloatArray = (sums.astype(np.float64) ** 2 / sizes).sum(axis=1)
    return spread


@lru_cache(maxsize=64)
def _all_spreads(ranks: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    """Return the statistic of every outcome and its number of ways, built value by value with equal outcomes joined.

    A state is one number that encodes the count and the sum of values of every sample, each as a digit of its own base.
    """
    bases = [base for size in sizes for base in (size + 1, sum(ranks[-size:]) + 1)]
    places = np.cumprod([1, *bases[:-1]], dtype=np.int64)
    states: IntArray = np.zeros(1, dtype=np.int64)
    ways: FloatArray = np.ones(1)
    for rank in ranks:
        room = [states // places[2 * at] % bases[2 * at] < size for at, size in enumerate(sizes)]
        grown = [states[free] + places[2 * at] + rank * places[2 * at + 1] for at, free in enumerate(room)]
        states, at = np.unique(np.concatenate(grown), return_inverse=True)
        ways = np.bincount(at, np.concatenate([ways[free] for free in room])).astype(np.float64)
    sums = states[:, None] // places[1::2] % bases[1::2]
    return _spread(sums, sizes), ways


def vargha_delaney(first: Sequence[float], second: Sequence[float]) -> float:
    """Return A12: the chance that a value of `first` is above one of `second`, ties counted half, 0..1; NaN for an empty side."""
    if not len(first) or not len(second):
        return nan
    own, other = np.array(rounded(first))[:, None], np.array(rounded(second))
    return float(((own > other) + 0.5 * (own == other)).mean())


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p-values after Holm's step-down correction, in the same order.

    None is above 1, NaN stays and counts for nothing.
    """
    given = sorted((value, at) for at, value in enumerate(p_values) if not isnan(value))
    adjusted = [nan] * len(p_values)
    so_far = 0.0
    for rank, (value, at) in enumerate(given):
        so_far = max(so_far, min(1.0, (len(given) - rank) * value))
        adjusted[at] = so_far
    return tuple(adjusted)


def least_p_value(first: int, second: int) -> float:
    """Return the smallest two-sided p-value for these numbers of values: all of one side above all of the other."""
    return min(1.0, 2.0 / comb(first + second, first))


def least_adjusted(runs: int, methods: int) -> float:
    """Return the smallest corrected p-value that a pair of `methods` methods with `runs` runs each can have."""
    return min(1.0, comb(methods, 2) * least_p_value(runs, runs))


def runs_to_decide(comparisons: int = 1) -> int:
    """Return the smallest number of runs per method with which one of `comparisons` comparisons can be significant."""
    runs = 1
    while max(1, comparisons) * least_p_value(runs, runs) > SIGNIFICANT:
        runs += 1
    return runs
