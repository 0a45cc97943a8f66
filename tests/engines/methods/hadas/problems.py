"""Small problems of the search for exits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from tests.engines.conformance import TinyProblem


def single_problem(
    params: Mapping[str, Any] | None = None, workload: str = "attentivenas-a0", seed: int = 0
) -> Problem:
    """Exits and clocks of one network on Jetson TX2."""
    documents = {"hardware": get_builtin("hardware", "jetson-tx2"), "workload": get_builtin("workload", workload)}
    return make_problem("hadas", documents, {"clock_steps": 3, **(params or {})}, seed=seed)


def space_problem(params: Mapping[str, Any] | None = None, seed: int = 0) -> Problem:
    """The space on Jetson TX2."""
    given = {"clock_steps": 2, "evaluations": 16, "population": 4, "inner_evaluations": 60, "inner_population": 20}
    return make_problem("hadas", {"hardware": get_builtin("hardware", "jetson-tx2")}, given | (params or {}), seed=seed)


def tiny_hadas() -> TinyProblem:
    """Four generations of backbones; no input passes the stem in 1 ns."""
    return TinyProblem(space_problem({"baselines": False}), space_problem({"latency_limit_s": 1e-9}))
