"""The exact front against every choice."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engines.search.ends.correctness import NestedCorrectness
from engines.search.ends.costs import EndCosts
from engines.search.ends.paths import best_choices, exact_front, mean_costs


def drawn(seed: int, ends: int, settings: int) -> tuple[NestedCorrectness, tuple[EndCosts, EndCosts]]:
    """Accuracies that rise unsteadily; costs whose two sides fall with different clocks."""
    random = np.random.default_rng(seed)
    accuracy = np.sort(random.uniform(0.2, 0.95, ends)) * random.uniform(0.9, 1.0, ends)
    compute, memory = random.uniform(1, 3, settings), random.uniform(1, 3, settings)
    work, traffic = random.uniform(0.5, 2, (2, ends + 1, 1)), random.uniform(0.5, 2, (2, ends + 1, 1))
    latency = [work[part] / compute + traffic[part] / memory for part in range(2)]
    energy = [work[part] * compute**2 + traffic[part] * memory**1.5 + 0.5 * latency[part] for part in range(2)]
    found = [EndCosts(each[0][:ends], 0.4 * each[1][:ends]) for each in (latency, energy)]
    return NestedCorrectness(accuracy), (found[0], found[1])


def brute_force(correctness: NestedCorrectness, costs: tuple[EndCosts, EndCosts]) -> np.ndarray:
    ends, settings = costs[0].parts.shape
    subsets = np.array([[*bits, True] for bits in product((False, True), repeat=ends - 1)])
    chosen, setting = np.repeat(subsets, settings, axis=0), np.tile(np.arange(settings), len(subsets))
    return best_choices(correctness, costs, chosen, setting)[1]


@pytest.mark.parametrize("seed", range(6))
def test_the_front_is_that_of_all_subsets_of_ten_positions_at_all_settings(seed: int) -> None:
    correctness, costs = drawn(seed, ends=11, settings=6)
    front = exact_front(correctness, *costs)
    found = np.column_stack([front.latency_s, front.energy_j])
    assert found == pytest.approx(brute_force(correctness, costs), rel=1e-12)
    assert mean_costs(correctness, costs, front.chosen, front.setting) == pytest.approx(found)


def test_no_exit_is_worth_heads_that_cost_more_than_the_rest() -> None:
    costs = EndCosts(np.ones((3, 1)), np.array([[9.0], [9], [0]]))
    front = exact_front(NestedCorrectness(np.array([0.5, 0.6, 0.9])), costs, costs)
    assert front.chosen.tolist() == [[False, False, True]]
    assert front.latency_s == pytest.approx([3.0])


def test_an_exit_that_most_inputs_take_is_taken() -> None:
    costs = EndCosts(np.array([[1.0], [8], [8]]), np.array([[0.5], [4], [0]]))
    front = exact_front(NestedCorrectness(np.array([0.8, 0.85, 0.9])), costs, costs)
    assert front.chosen.tolist() == [[True, False, True]]
    assert front.latency_s == pytest.approx([1.5 + 0.2 * 16])


def test_a_clock_that_is_worse_in_both_is_ruled_out_by_bounds() -> None:
    costs = EndCosts(np.array([[1.0, 2], [1, 2]]), np.array([[0.1, 0.2], [0, 0]]))
    front = exact_front(NestedCorrectness(np.array([0.5, 0.9])), costs, costs)
    assert front.setting.tolist() == [0]
    assert front.settings_searched == 1
