from itertools import product

import numpy as np
import pytest

from engines.methods.package_search.packages.candidate import Candidate
from engines.methods.package_search.search.scheduling import (
    PackageBound,
    ScheduleProblem,
    Task,
    bound_package,
    schedule_package,
)
from tests.engines.methods.package_search.problems import search_problem, setting_of

GOALS = ("edp", "latency", "energy")


def packages(setting: ScheduleProblem) -> list[Candidate]:
    return [
        Candidate(dataflows, (64,) * 4, 25.0, memory, sides)
        for dataflows in product(("nvdla", "shi-diannao"), repeat=4)
        for memory, sides in ((64.0, ("left", "right")), (4.0, ("left",)))
    ]


@pytest.mark.parametrize(
    "params",
    [{}, {"n_splits": 2}, {"latency_reading": "pipelined_maximum"}, {"node_rule": "free"}, {"dram_rule": "maestro"}],
)
def test_no_schedule_is_better_than_the_bound_of_its_package(params: dict[str, object]) -> None:
    setting = setting_of(search_problem(params))
    gaps = []
    for candidate in packages(setting):
        bound = bound_package(setting, candidate)
        assert isinstance(bound, PackageBound)
        for found in schedule_package(setting, Task(candidate, GOALS)):
            latency_s, energy_j = found.values[:2]
            above = (bound.latency_s <= latency_s * (1 + 1e-12)) & (bound.energy_j <= energy_j * (1 + 1e-12))
            assert above.any()
            if found.goal == "edp":
                gaps.append(latency_s * energy_j / bound.least_edp_js)
    assert np.median(gaps) < 1.3  # a bound that tells nothing would pass all the rest


def test_mixed_sizes_have_bounds_too() -> None:
    setting = setting_of(search_problem())
    candidate = Candidate(("nvdla", "nvdla", "shi-diannao", "shi-diannao"), (64, 256, 64, 256), 25.0, 64.0, ("left",))
    bound = bound_package(setting, candidate)
    assert isinstance(bound, PackageBound)
    for found in schedule_package(setting, Task(candidate, GOALS)):
        assert found.values[2] >= bound.least_edp_js * (1 - 1e-12)
