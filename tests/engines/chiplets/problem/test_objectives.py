from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.objectives import Goal, goal_of
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.provision import expected_effort
from engines.contract.errors import ProblemError
from engines.methods.scar.engine import ScarEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from tests.engines.chiplets.windows.cases import random_window
from tests.engines.chiplets.windows.test_exact import brute_force
from tests.engines.methods.scar.problems import scar_problem


def test_values_by_hand() -> None:
    latency, energy = np.array([2.0]), np.array([5.0])
    assert Goal("edp").value(latency, energy) == 10
    assert Goal("latency").value(latency, energy) == 2
    assert Goal("energy").value(latency, energy) == 5
    assert Goal("weighted", 3.0, 0.5).value(latency, energy) == 8.5
    own = goal_of(ScheduleParams(objective="expression", objective_expression="latency_s**2 * energy_j"))
    assert own.one(2.0, 5.0) == 20
    assert own.value(np.array([np.inf]), np.array([1.0])) == np.inf
    assert Goal("weighted", 0.0, 1.0).one(np.inf, 1.0) == np.inf


WEIGHTED = {"objective": "weighted", "latency_weight_per_s": 2.0, "energy_weight_per_j": 0.1}
OWN = {"objective": "expression", "objective_expression": "sqrt(latency_s) * energy_j + latency_s"}


@pytest.mark.parametrize("params", [WEIGHTED, OWN], ids=["weighted", "expression"])
def test_the_exact_search_equals_brute_force(params) -> None:
    goal = goal_of(ScheduleParams(**params))
    for seed in range(12):
        built, ranges, location, roots = random_window(np.random.default_rng(seed))
        found = search_window_exactly(built, ranges, location, roots, goal)
        best = goal.one(found.best.latency_s, found.best.energy_j)
        assert best == pytest.approx(brute_force(built, ranges, location, roots, goal), rel=1e-8)
        assert all(effort > 0 for effort in expected_effort(built, ranges, goal))


@pytest.mark.parametrize("search", ["exact", "greedy", "evolutionary"])
@pytest.mark.parametrize("params", [{}, WEIGHTED, OWN], ids=["edp", "weighted", "expression"])
def test_every_search_takes_every_objective_and_none_beats_its_bound(params, search: str) -> None:
    problem = scar_problem(params | {"search": search})
    ready_of(ScarEngine(), problem)
    steps = list(drive(ScarEngine(), problem, LocalContext(problem)))
    assert steps[-1].fraction == 1.0
    results = {result.name: result for result in steps[-1].results}
    assert "window-proofs" in results
    bound = {c.title: c.values for c in results["schedule-proof"].table_columns}["Lower bound"][0]
    goal = goal_of(problem.params)
    for designs in (step.designs for step in steps if step.designs is not None):
        value = goal.value(designs.columns["latency_s"], designs.columns["energy_j"])
        searched = np.array([origin == "search" for origin in designs.origin])
        assert (value[searched] >= bound * (1 - 1e-8)).all()


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"objective": "weighted", "latency_weight_per_s": 0, "energy_weight_per_j": 0}, "params.latency_weight_per_s"),
        ({"objective": "expression", "objective_expression": "latency_s / energy_j"}, "params.objective_expression"),
        ({"objective": "expression", "objective_expression": "open('x')"}, "params.objective_expression"),
    ],
)
def test_objectives_that_cannot_be_used_are_refused_by_field(params, field: str) -> None:
    problem = scar_problem(params)
    with pytest.raises(ProblemError) as caught:
        ready_of(ScarEngine(), problem)
    assert caught.value.field == field
