"""Whether one method is better than another over repeated runs: rank tests, effect size, correction for many comparisons.

Search results are seldom normally distributed, so everything is about ranks: Mann and Whitney (1947) for two methods, Kruskal and
Wallis (1952) for several, the A measure of Vargha and Delaney (2000) for how large a difference is, and Holm (1979) so that many
comparisons do not find differences by chance. As Arcuri and Briand (2011) advise for randomised algorithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isnan, nan

import numpy as np

SIGNIFICANT = 0.05
# Vargha and Delaney (2000): how far from 0.5 an effect is small, medium and large.
_EFFECTS = ((0.21, "large"), (0.14, "medium"), (0.06, "small"))
# Where values tie, the exact distribution is counted out as long as there are no more arrangements than this.
_MOST_ARRANGEMENTS = 1000


@dataclass(frozen=True)
class Comparison:
    """Two methods, by their positions.

    Attributes:
        effect: chance that a run of the first is better than one of the second, ties counted half (A12), 0..1.
        p_value: of Mann and Whitney's test, two-sided; NaN where either has no values.
        adjusted: `p_value` after Holm's correction over all comparisons.
        least_possible: the least `adjusted` that any outcome could have with so few runs.
    """

    first: int
    second: int
    effect: float
    p_value: float
    adjusted: float
    least_possible: float

    @property
    def significant(self) -> bool:
        """Whether the difference is more than chance, at 5 %."""
        return self.adjusted <= SIGNIFICANT

    @property
    def decidable(self) -> bool:
        """Whether any outcome of so few runs could be significant."""
        return self.least_possible <= SIGNIFICANT

    @property
    def size(self) -> str:
        """The effect in a word: "large", "medium", "small" or "negligible"; "" where it is not known."""
        if isnan(self.effect):
            return ""
        away = abs(self.effect - 0.5)
        return next((word for least, word in _EFFECTS if away >= least - 1e-12), "negligible")


def compare_all(samples: Sequence[Sequence[float]], better: str = "high") -> tuple[Comparison, ...]:
    """Every pair of methods.

    Args:
        samples: the values of each method's runs; the orders of two methods have nothing to do with each other.
        better: "high" or "low", which values are better.

    Raises:
        ValueError: `better` is neither.
    """
    if better not in ("high", "low"):
        raise ValueError(f'better must be "high" or "low". Got {better!r} instead.')
    pairs = [(i, k) for i, k in combinations(range(len(samples)), 2) if samples[i] and samples[k]]
    p_values = [mann_whitney(samples[i], samples[k]) for i, k in pairs]
    sign = 1.0 if better == "high" else -1.0
    found = []
    for (i, k), p_value, adjusted in zip(pairs, p_values, holm(p_values), strict=True):
        first, second = ([sign * value for value in samples[at]] for at in (i, k))
        least = min(1.0, len(pairs) * least_p_value(len(first), len(second)))
        found.append(Comparison(i, k, vargha_delaney(first, second), p_value, adjusted, least))
    return tuple(found)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p-value of Mann and Whitney's test; 1 where all values are the same, NaN where a side has none.

    Exact without ties and, with ties, for up to `_MOST_ARRANGEMENTS` arrangements; beyond that the normal approximation with
    its correction for ties.
    """
    if not len(first) or not len(second):
        return nan
    together = np.concatenate([first, second])
    distinct = len(np.unique(together))
    if distinct == 1:
        return 1.0
    if min(len(first), len(second)) == 1:
        return _one_against(first, second) if len(first) == 1 else _one_against(second, first)
    from scipy import stats

    method: object = "auto"
    if distinct < len(together) and comb(len(together), len(first)) <= _MOST_ARRANGEMENTS:
        method = stats.PermutationMethod(n_resamples=_MOST_ARRANGEMENTS)
    return min(1.0, float(stats.mannwhitneyu(first, second, alternative="two-sided", method=method).pvalue))


def _one_against(one: Sequence[float], many: Sequence[float]) -> float:
    """Exact two-sided p-value for a single value: each of all the values was as likely to be it (SciPy asks for two)."""
    together = np.concatenate([one, many])
    above = (together[:, None] > together).sum(axis=1) + 0.5 * (together[:, None] == together).sum(axis=1)
    tail = min((above <= above[0]).mean(), (above >= above[0]).mean())
    return float(min(1.0, 2.0 * tail))


def kruskal_wallis(samples: Sequence[Sequence[float]]) -> float:
    """P-value that all methods are the same; NaN for fewer than two with values, 1 where all values are the same."""
    given = [np.asarray(sample, dtype=np.float64) for sample in samples if len(sample)]
    if len(given) < 2:
        return nan
    if len(np.unique(np.concatenate(given))) == 1:
        return 1.0
    from scipy import stats

    return float(stats.kruskal(*given).pvalue)


def vargha_delaney(first: Sequence[float], second: Sequence[float]) -> float:
    """A12: the chance that a value of `first` is above one of `second`, ties counted half, 0..1; NaN where a side has none."""
    if not len(first) or not len(second):
        return nan
    difference = np.subtract.outer(np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64))
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values after Holm's step-down correction, in the same order; none is above 1, NaN stays and counts for nothing."""
    given = sorted((value, at) for at, value in enumerate(p_values) if not isnan(value))
    adjusted = [nan] * len(p_values)
    so_far = 0.0
    for rank, (value, at) in enumerate(given):
        so_far = max(so_far, min(1.0, (len(given) - rank) * value))
        adjusted[at] = so_far
    return tuple(adjusted)


def least_p_value(first: int, second: int) -> float:
    """The least two-sided p-value that so many values can have: all of one side above all of the other."""
    return min(1.0, 2.0 / comb(first + second, first))


def runs_to_decide(comparisons: int = 1) -> int:
    """The least number of runs per method with which one of so many comparisons could come out significant."""
    runs = 1
    while max(1, comparisons) * least_p_value(runs, runs) > SIGNIFICANT:
        runs += 1
    return runs
