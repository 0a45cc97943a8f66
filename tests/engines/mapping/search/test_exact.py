from __future__ import annotations

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.fronts.non_dominated import non_dominated
from engines.registry import get_engine
from tests.engines.methods.soc_mapping.problems import (
    LIMITS,
    every_mapping,
    front_of,
    mapping_problem,
    run,
    searched,
    tiny_network,
)


@pytest.mark.parametrize("name", LIMITS)
def test_the_front_is_that_of_all_mappings_tried(name: str) -> None:
    problem = mapping_problem(LIMITS[name], tiny_network())
    everything = every_mapping(problem)
    expected = front_of(everything)
    assert name == "none" or (everything.columns["limit_slack"] < 0).any() or "clocks" in LIMITS[name]
    np.testing.assert_array_equal(front_of(searched(run(problem))), expected)


@pytest.mark.parametrize("objectives", ["latency_power", "latency_energy_power", "power"])
@pytest.mark.parametrize("clocks", [{}, LIMITS["clocks"]])
def test_fronts_with_average_power_are_those_of_all_mappings_tried(objectives: str, clocks: dict[str, object]) -> None:
    problem = mapping_problem({"objectives": objectives, **clocks}, tiny_network())
    chosen = [q.name for q in get_engine("soc-mapping").quantities_of(problem.params) if q.role == "objective"]

    def best(designs: Designs) -> np.ndarray:
        # E / T of mappings with the same sums differs in the last digit.
        points = np.array([[float(f"{value:.9e}") for value in row] for row in designs.matrix(tuple(chosen))])
        return np.unique(points[non_dominated(points, ("minimise",) * len(chosen))], axis=0)

    np.testing.assert_array_equal(best(searched(run(problem))), best(every_mapping(problem)))
    if objectives == "latency_energy_power":
        heuristic = mapping_problem({"objectives": objectives, "method": "nsga2", "evaluations": 200, "population": 20})
        assert len(searched(run(heuristic)))
