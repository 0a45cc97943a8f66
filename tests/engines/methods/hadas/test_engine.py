"""Runs of the engine."""

from __future__ import annotations

import pytest

from engines.testing.conformance import TinyProblem, run_all
from tests.engines.methods.hadas.problems import single_problem


def test_impossible_limits_say_by_how_much() -> None:
    problem = single_problem({"energy_limit_j": 0.06})
    last = run_all(TinyProblem(problem))[-1].infeasible
    assert last is not None and last.limit == "mean energy"
    assert last.gap == pytest.approx(last.demand - 0.06)
    allowed = run_all(TinyProblem(single_problem({"energy_limit_j": last.demand * 1.00001})))
    assert allowed[-1].infeasible is None
