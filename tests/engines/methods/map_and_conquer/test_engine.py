"""Runs of the engine: methods against each other, limits, ready-made problems."""

from __future__ import annotations

import pytest

from engines.running.inspection import plan as plan_of
from engines.testing.conformance import run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem, tiny


def test_an_accuracy_above_the_whole_network_is_out_of_reach() -> None:
    problem = cut_problem({"accuracy_least_percent": 95.0, "clocks": "fixed"})
    steps = run_all(tiny(), problem=problem)
    found = steps[-1].infeasible
    assert found is not None and found.gap == pytest.approx(95 - 88.09)
    assert any(check.hopeless for check in plan_of(problem).checks)


def test_limits_that_only_break_together_say_how_near_the_search_came() -> None:
    params = {"reuse_most_percent": 0.0, "accuracy_least_percent": 88.0, "evaluations": 100, "clocks": "fixed"}
    found = run_all(tiny(), problem=cut_problem(params))[-1].infeasible
    assert found is not None and found.gap > 0
    assert {field for _, field in found.remedies} == {"params.reuse_most_percent", "params.accuracy_least_percent"}
