"""Weighted ranks and achievement: worked cases and the published example."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.sbrs.ranking import Requirements, choose
from engines.search.ranking import achievement, ordered, ranks, weighted_ranks

MINIMISE = ("minimise", "minimise")


def test_equal_values_share_the_better_rank() -> None:
    found = ranks([[1.0, 9.0], [2.0, 8.0], [2.0, 8.0], [3.0, 1.0]], ("minimise", "maximise"))
    assert found.tolist() == [[1, 1], [2, 2], [2, 2], [4, 4]]


def test_weighted_ranks_agree_with_the_scenario_ranks_of_minakova_2022() -> None:
    # Accuracy, throughput, memory, energy with the requirement set of the paper's Figure 6.
    values = np.random.default_rng(0).uniform(1, 100, (30, 4))
    senses = ("maximise", "maximise", "minimise", "minimise")
    weights = (0.4, 0.3, 0.1, 0.2)
    theirs = choose(values, Requirements("scenario", weights))
    ours = weighted_ranks(values, senses, weights)
    assert ours == pytest.approx(theirs.sums)
    assert weighted_ranks(values, senses, [10 * weight for weight in weights]) == pytest.approx(ours)


@pytest.mark.parametrize("weights", [(0.0, 0.0), (1.0,), (-1.0, 2.0), (float("nan"), 1.0)])
def test_weights_that_weigh_nothing_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="Weights must be 2 numbers"):
        weighted_ranks([[1.0, 2.0]], MINIMISE, weights)


def test_achievement_is_negative_where_everything_is_good_enough() -> None:
    matrix = [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0]]
    scores = achievement(matrix, MINIMISE, (2.5, 2.5))
    assert ordered(scores).tolist()[0] == 1 and scores[1] < 0 < min(scores[0], scores[2])
    # Worst shortfall as a share of the range of 3, and a thousandth of the sum.
    assert scores[0] == pytest.approx(0.5 + 0.001 * (-0.5 + 0.5))


def test_asking_for_the_best_of_one_objective_finds_it() -> None:
    matrix = [[1.0, 40.0], [2.0, 20.0], [4.0, 10.0]]
    assert ordered(achievement(matrix, MINIMISE, (None, 1000.0)))[0] == 0
    assert ordered(achievement(matrix, ("minimise", "maximise"), (100.0, None)))[0] == 0
    assert ordered(achievement(matrix, MINIMISE, (100.0, None)))[0] == 2


def test_no_weakly_dominated_design_wins() -> None:
    assert ordered(achievement([[1.0, 5.0], [1.0, 2.0], [3.0, 1.0]], MINIMISE, (1.0, 5.0)))[0] == 1


def test_what_is_missing_comes_last() -> None:
    matrix = [[float("nan"), 1.0], [2.0, 2.0]]
    assert ordered(achievement(matrix, MINIMISE, (None, None))).tolist() == [1, 0]
    assert ordered(weighted_ranks(matrix, MINIMISE, (1.0, 1.0))).tolist() == [1, 0]
    assert not np.isfinite(achievement([[float("nan")]], ("minimise",), (None,))).any()
