"""Rank tests against values worked out by hand and the sources' own examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, inf, isnan, nan

import numpy as np
import pytest

from engines.search import significance
from engines.search.significance import (
    compare_all,
    holm,
    kruskal_wallis,
    kruskal_wallis_error,
    least_adjusted,
    least_p_value,
    mann_whitney,
    runs_to_decide,
    vargha_delaney,
)


def test_mann_whitney_counts_arrangements() -> None:
    """Count arrangements: of 20 ways to take three of six ranks, two are as extreme as all low, four after one exchange."""
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    assert mann_whitney([1, 2, 4], [3, 5, 6]) == pytest.approx(4 / 20)
    assert mann_whitney([5, 5], [5, 5, 5]) == 1.0
    assert isnan(mann_whitney([], [1.0]))


def test_ties_are_counted_out() -> None:
    """Against every arrangement of the same values, one by one."""
    first, second = [1.0, 2.0, 2.0, 3.0], [2.0, 3.0, 4.0, 4.0]
    together = np.array(first + second)

    def u(chosen: tuple[int, ...]) -> float:
        own = together[list(chosen)]
        others = np.delete(together, list(chosen))
        return float(sum((a > b) + 0.5 * (a == b) for a in own for b in others))

    every = [u(chosen) for chosen in combinations(range(8), 4)]
    seen = u((0, 1, 2, 3))
    below = sum(value <= seen for value in every) / comb(8, 4)
    assert mann_whitney(first, second) == pytest.approx(min(1.0, 2 * below))


def test_effect_is_the_chance_to_be_better() -> None:
    assert vargha_delaney([4, 5, 6], [1, 2, 3]) == 1.0
    assert vargha_delaney([1, 2, 3], [2]) == pytest.approx((0 + 0.5 + 1) / 3)
    assert vargha_delaney([7, 7], [7]) == 0.5
    assert isnan(vargha_delaney([1], []))


def test_holm_steps_down() -> None:
    """The least of four by 4, the next by 3 and so on, never below one before it, never above 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.7]) == (1.0, 1.0)
    adjusted = holm([nan, 0.02])
    assert isnan(adjusted[0]) and adjusted[1] == 0.02


def test_kruskal_wallis_by_hand() -> None:
    """Compare with a count by hand: of the 90 ways to put six ranks in three pairs, the six that exchange pairs are as extreme."""
    assert kruskal_wallis([[1, 2], [3, 4], [5, 6]]) == pytest.approx(6 / 90)
    assert kruskal_wallis([[1, 1], [1]]) == 1.0 and isnan(kruskal_wallis([[1, 2], []]))


def test_so_few_runs_decide_nothing() -> None:
    assert least_p_value(3, 3) == pytest.approx(0.1) and least_p_value(4, 4) == pytest.approx(2 / 70)
    assert least_p_value(1, 1) == 1.0
    # One comparison takes four runs each; three at once take five: 3 * 2 / 70 > 0.05 >= 3 * 2 / 252.
    assert (runs_to_decide(), runs_to_decide(3)) == (4, 5)
    (three,) = compare_all([[1, 2, 3], [4, 5, 6]])
    assert three.effect == 0.0 and not three.decidable and not three.significant and three.size == "large"
    (four,) = compare_all([[1, 2, 3, 4], [5, 6, 7, 8]])
    assert four.decidable and four.significant and four.adjusted == pytest.approx(2 / 70)


def test_pairs_of_several_methods() -> None:
    pairs = compare_all([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [1.5, 2.5, 3.5, 4.5, 5.5], []], better="low")
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert pairs[0].effect == 1.0, "lower is better, and the first is lower"
    assert pairs[0].adjusted == pytest.approx(3 * 2 / comb(10, 5)) and pairs[0].significant
    assert not pairs[1].significant and pairs[1].size == "small"
    with pytest.raises(ValueError, match="high"):
        compare_all([[1], [2]], better="more")


def test_effect_in_words() -> None:
    """A of 0.56, 0.64 and 0.71 are where small, medium and large begin."""
    first = list(range(100))
    assert [compare_all([first, [at - 0.5]])[0].size for at in (50, 44, 36, 29)] == [
        "negligible", "small", "medium", "large",
    ]  # fmt: skip


@pytest.mark.parametrize(("many", "p_value"), [([1.0, 1.0, 2.0], 1.0), ([2.0, 2.0, 3.0], 0.5), ([2.0, 3.0, 4.0], 0.5)])
def test_a_single_run_may_stand_against_ties(many: list[float], p_value: float) -> None:
    # Of the four values each was as likely to be the single one; 1.0 is the lowest of the last two lists alone.
    assert mann_whitney([1.0], many) == mann_whitney(many, [1.0]) == pytest.approx(p_value)


def doubled_ranks(values: Sequence[float]) -> list[int]:
    return [sum(other < value for other in values) + sum(other <= value for other in values) for value in values]


def splits(places: tuple[int, ...], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to put the places in samples of those sizes."""
    if not sizes:
        yield []
        return
    for chosen in combinations(places, sizes[0]):
        for rest in splits(tuple(place for place in places if place not in chosen), sizes[1:]):
            yield [chosen, *rest]


def counted_mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    ranks = doubled_ranks([*first, *second])
    sums = [sum(chosen) for chosen in combinations(ranks, len(first))]
    seen = sum(ranks[: len(first)])
    return min(1.0, 2 * min(sum(each <= seen for each in sums), sum(each >= seen for each in sums)) / len(sums))


def counted_kruskal_wallis(samples: Sequence[Sequence[float]]) -> float:
    ranks = doubled_ranks([value for sample in samples for value in sample])
    sizes = [len(sample) for sample in samples]
    spreads = [
        sum(sum(ranks[place] for place in chosen) ** 2 / len(chosen) for chosen in split)
        for split in splits(tuple(range(len(ranks))), sizes)
    ]
    return sum(each >= spreads[0] - 1e-9 for each in spreads) / len(spreads)


def compare_with_counts(samples: int, most: int) -> None:
    random = np.random.default_rng(most)
    for _ in range(samples):
        first, second = (random.integers(0, 4, size).tolist() for size in random.integers(1, most, 2))
        p_value = mann_whitney(first, second)
        assert p_value == pytest.approx(counted_mann_whitney(first, second), rel=1e-12), (first, second)
        assert p_value >= least_p_value(len(first), len(second)) * (1 - 1e-12)
        wins = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
        assert vargha_delaney(first, second) == pytest.approx(wins / len(first) / len(second))
        three = [random.integers(0, 4, size).tolist() for size in random.integers(1, most - 1, 3)]
        assert kruskal_wallis(three) == pytest.approx(counted_kruskal_wallis(three)), three


def test_p_values_are_those_of_an_enumeration() -> None:
    compare_with_counts(1000, 4)


@pytest.mark.long
def test_p_values_are_those_of_a_longer_enumeration() -> None:
    compare_with_counts(500, 6)


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [
        ([3] * 10, [2] * 4 + [3] * 6, 0.0867),
        ([2] + [3] * 6, [2] * 5 + [3] * 2, 0.1026),
        ([1] * 7, [1] * 6 + [2], 1.0),
        ([2, 2, 3, 3, 3], [3] * 10, 0.1905),
        ([2, 3, 3], [3] * 20, 0.2609),
        ([1] * 7, [2] * 7, 2 / comb(14, 7)),
        ([1] * 10, [2] * 10, 2 / comb(20, 10)),
        ([1] * 300, [2] * 300, 2 / comb(600, 300)),
        (list(range(500)), list(range(500, 1000)), 2 / comb(1000, 500)),
        ([1] * 2, [1] * 3000, 1.0),
    ],
)
def test_p_values_with_ties_by_count(first: list[float], second: list[float], p_value: float) -> None:
    """Counted by hand where a split has few outcomes; otherwise over all arrangements."""
    assert mann_whitney(first, second) == mann_whitney(second, first) == pytest.approx(p_value, rel=6e-4)


@pytest.mark.parametrize(
    ("samples", "p_value"),
    [
        ([[1, 2, 6], [3, 4, 5], [7, 8, 9]], 0.050),
        ([[1, 2, 5], [3, 4, 6], [7, 8, 9]], 0.025),
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 6 / 1680),
    ],
)
def test_three_groups_of_three_are_counted(samples: list[list[float]], p_value: float) -> None:
    """Tabulated for H = 5.600, 5.956 and 7.200, where the chi-squared approximation says 0.061, 0.051 and 0.027."""
    assert kruskal_wallis(samples) == pytest.approx(p_value, rel=0.02)
    assert kruskal_wallis_error(samples, p_value) == 0.0


def test_many_samples_are_estimated_with_a_stated_error() -> None:
    """Against chi-squared with 2 degrees, exp(-H/2), which is good for so many; the same estimate every time."""
    random = np.random.default_rng(5)
    samples = [(random.normal(size=30) + shift).tolist() for shift in (0.0, 0.1, 0.5)]
    p_value = kruskal_wallis(samples)
    error = kruskal_wallis_error(samples, p_value)
    assert p_value == kruskal_wallis(samples)
    ranks = np.argsort(np.argsort(np.concatenate(samples))) + 1
    h = 12 / (90 * 91) * (ranks.reshape(3, 30).sum(axis=1) ** 2 / 30).sum() - 3 * 91
    assert 0.001 < error < 0.008 and abs(p_value - np.exp(-h / 2)) < 2 * error


def test_all_ways_of_counting_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    for _ in range(100):
        counts = tuple(random.integers(1, 5, random.integers(2, 6)).tolist())
        size = int(random.integers(1, sum(counts)))
        wins = int(random.integers(0, size * (sum(counts) - size) + 1))
        listed = significance._listed_arrangements(size, counts, wins)
        assert significance._arrangements(size, counts, wins) == listed
        below, equal = significance._arrangements(size, (1,) * sum(counts), wins // 2 * 2)
        assert significance._untied_arrangements(size, sum(counts) - size, wins // 2) == pytest.approx((below, equal))
    first, second = random.integers(0, 9, 40).tolist(), random.integers(1, 9, 50).tolist()
    counted = mann_whitney(first, second)
    monkeypatch.setattr(significance, "_MOST_VALUES", 0)
    assert mann_whitney(first, second) == pytest.approx(counted, rel=0.02) and mann_whitney(first, second) != counted


def test_differences_by_rounding_are_ties() -> None:
    assert mann_whitney([1.0000000000000002] * 5, [1.0] * 5) == 1.0
    assert vargha_delaney([1.0000000000000002] * 5, [1.0] * 5) == 0.5
    assert kruskal_wallis([[1.0000000000000002] * 3, [1.0] * 3, [1.0] * 3]) == 1.0
    assert vargha_delaney([1.00000000001], [1.0]) == 1.0, "eleven digits are a difference"


def test_runs_that_found_nothing_rank_below_all_others() -> None:
    """Four of ten are the worst, the others equal: half of the six tie and all of the four lose."""
    (pair,) = compare_all([[5.0] * 10, [5.0] * 6 + [inf] * 4], better="low")
    assert pair.effect == pytest.approx(0.7) and pair.p_value == pytest.approx(0.0867, abs=5e-5)


def test_the_least_corrected_value_depends_on_all_sizes() -> None:
    """Least p 2/70, 2/495 and 2/495: the first is corrected last, for itself alone."""
    pairs = compare_all([[1] * 4, [2] * 4, [3] * 8])
    sizes = {(0, 1): (4, 4), (0, 2): (4, 8), (1, 2): (4, 8)}
    assert [pair.least_possible for pair in pairs] == pytest.approx([2 / 70, 6 / 495, 6 / 495])
    assert all(pair.p_value == pytest.approx(least_p_value(*sizes[pair.first, pair.second])) for pair in pairs)
    assert least_adjusted(3, 2) == pytest.approx(0.1) and least_adjusted(4, 3) == pytest.approx(6 / 70)
