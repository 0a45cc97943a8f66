"""Rank tests against values worked out by hand and the sources' own examples."""

from __future__ import annotations

from itertools import combinations
from math import comb, isnan, nan

import numpy as np
import pytest

from engines.search.significance import (
    compare_all,
    holm,
    kruskal_wallis,
    least_p_value,
    mann_whitney,
    runs_to_decide,
    vargha_delaney,
)


def test_mann_whitney_counts_arrangements() -> None:
    """Of the 20 ways to take three of six ranks, two are as extreme as all low; four where one pair is exchanged."""
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
    """Ranks 1..6 in three pairs: H = 12/(6*7) * (3^2/2 + 7^2/2 + 11^2/2) - 3*7 = 4.571; chi-square with 2 degrees: exp(-H/2)."""
    assert kruskal_wallis([[1, 2], [3, 4], [5, 6]]) == pytest.approx(np.exp(-(12 / 42 * 89.5 - 21) / 2))
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
