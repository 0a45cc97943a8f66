import numpy as np
import pytest

from engines.mapping.solver.evolution import search_mappings
from engines.mapping.solver.unit_mapping import FrontSearch, MappingLimits, UnitCosts, score


def some_costs() -> UnitCosts:
    random = np.random.default_rng(2)
    latency, energy = random.uniform(0.5, 1.5, (2, 12, 3, 2))
    latency[3, 1] = energy[3, 1] = np.inf
    return UnitCosts(latency, energy, np.full((11, 2), 0.05), np.full((11, 2), 0.05))


@pytest.mark.parametrize("method", ["nsga2_published", "nsga2", "random"])
def test_it_scores_as_many_as_asked_for_and_none_better_than_the_front(method) -> None:
    costs = some_costs()
    found = search_mappings(costs, method, 250, 40, np.random.default_rng(1), MappingLimits(transitions=6))
    assert found.genes.shape == (250, 13) and np.isfinite(found.costs).all()
    again = score(costs, found.genes[:, :-1], found.genes[:, -1])
    np.testing.assert_array_equal(found.costs, np.column_stack([again.latency_s, again.energy_j]))
    np.testing.assert_array_equal(found.violation > 0, again.transitions > 6)
    front = FrontSearch(costs, MappingLimits(transitions=6)).front([0, 1]).scores
    for time, joules in found.costs[found.violation == 0]:
        assert (
            front.energy_j[front.latency_s <= time + 1e-12].min() if (front.latency_s <= time + 1e-12).any() else np.inf
        ) <= joules + 1e-12


def test_the_same_seed_makes_the_same_search() -> None:
    one, other = (search_mappings(some_costs(), "nsga2", 90, 20, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one.genes, other.genes)
