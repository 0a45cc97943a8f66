"""Best rates, trees as tables, start nodes, and the C code that decides alike."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.seesaw.predictor.tree import LEAF, fit, optimal_rates, train, training_data, tree_of
from tests.engines.methods.seesaw.predictor.cases import RATES, stairs, task_of


def test_the_lowest_rate_with_an_error_below_the_tolerance_counts() -> None:
    # goyal-2023 Algorithm 2, lines 5 and 6.
    errors = np.array(
        [[0.3, 0.2, 0.05, 0.01, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.9, 0.8, 0.7, 0.6, 0.5], [0.01, 0.05, 0.2, 0, 0]]
    )
    assert optimal_rates(errors, 0.1).tolist() == [2, 0, 4, 0]


def test_a_tree_of_four_leaves_by_hand() -> None:
    tree = stairs()
    assert len(tree) == 7 and (tree.feature == LEAF).sum() == 4 and set(tree.feature.tolist()) == {0, LEAF}
    assert tree.rate[tree.feature == LEAF].tolist() == [0, 1, 2, 4]
    assert sorted(tree.threshold[tree.feature != LEAF].tolist()) == pytest.approx([0.995, 1.995, 2.995], abs=0.001)
    signals = np.array([[0.5, 9], [1.5, 9], [2.5, 9], [3.5, 9]], np.float32)
    assert tree.decide(signals, np.zeros(4, np.int64)).tolist() == [0, 1, 2, 4]


def test_every_level_doubles_the_least_rate_and_starts_where_all_leaves_have_it() -> None:
    tree = stairs()
    assert RATES[tree.least_rates].tolist() == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert tree.start_nodes[0] == 0
    for level, start in enumerate(tree.start_nodes.tolist()):
        assert tree.rate[start] >= tree.least_rates[level]
    slow = np.full((5, 2), 0.5, np.float32)
    # From the root the slow leaf is found; from the start nodes below, the slowest leaf that there is, or the least rate.
    assert RATES[tree.decide(slow, np.arange(5))].tolist() == [0.1, 0.2, 0.4, 1.0, 1.0]


def test_trees_as_tables_decide_as_scikit_learn_does() -> None:
    task = task_of("routes", "fitness-tracker")
    signals, rates = training_data(task.train, [0, 1, 2], 0.1)
    model = fit(signals, task.rates_hz[rates], 9)
    tree = tree_of(model, task.signal_names, task.rates_hz)
    said = model.predict(signals)  # type: ignore[attr-defined]
    nearest = task.rates_hz.size - 1 - np.abs(task.rates_hz[None, ::-1] - said[:, None]).argmin(axis=1)
    assert np.array_equal(tree.decide(signals, np.zeros(len(signals), np.int64)), nearest)
    assert len(tree) == 17 and train(task, task.signal_names, 0.1, 9).threshold.tolist() == tree.threshold.tolist()
