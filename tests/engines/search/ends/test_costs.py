"""Expected costs by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.search.ends.correctness import NestedCorrectness, shares_leaving
from engines.search.ends.costs import EndCosts, expected_cost

# Three ends at two settings: the second setting takes twice as long.
COSTS = EndCosts(np.array([[4.0, 8], [2, 4], [3, 6]]), np.array([[1.0, 2], [0.5, 1], [0.25, 0.5]]))


def test_an_input_passes_the_trunk_and_the_chosen_heads() -> None:
    found = COSTS.prefixes([[1, 0, 1], [1, 1, 1], [0, 0, 0]], [0, 0, 1])
    assert found == pytest.approx(np.array([[5, 7, 10.25], [5, 7.5, 10.75], [8, 12, 18.5]]))
    assert COSTS.static() == pytest.approx([9.25, 18.5])


def test_the_expected_cost_is_the_mean_over_who_leaves_where() -> None:
    chosen = [[1, 0, 1]]
    leaving = shares_leaving(NestedCorrectness(np.array([0.6, 0.7, 0.9])), chosen)
    assert expected_cost(leaving, COSTS.prefixes(chosen, [0])) == pytest.approx([0.6 * 5 + 0.4 * 10.25])


def test_the_expected_cost_is_a_sum_over_consecutive_exits() -> None:
    accuracy = np.array([0.5, 0.6, 0.8])
    chosen = [[1, 1, 1]]
    leaving = shares_leaving(NestedCorrectness(accuracy), chosen)
    by_edges = 1.0 * 5 + 0.5 * 2.5 + 0.4 * 3.25
    assert expected_cost(leaving, COSTS.prefixes(chosen, [0])) == pytest.approx([by_edges])
