from __future__ import annotations

from engines.methods.seesaw.evaluation import build_instance
from engines.methods.seesaw.predictor import sweep
from engines.testing.conformance import TinyProblem, run_all
from tests.engines.methods.seesaw.cases import winding
from tests.engines.methods.seesaw.problems import seesaw_problem


def test_sensors_are_sought_at_a_tolerance_at_which_the_rate_changes() -> None:
    params = {"largest_tolerance_percent": 20, "tolerances": 8}
    problem = seesaw_problem(params, winding(0.12))
    task = build_instance(problem).task
    assert sweep.rate_deviation(task, 0.1229) < 0.01 < sweep.rate_deviation(task, 0.02)
    assert sweep.tested_tolerance(task, problem.params) == 0.02
    assert run_all(TinyProblem(problem))[-1].infeasible is None
