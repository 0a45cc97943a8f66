"""Small problems of the package search for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.package_search.engine import PackageSearchEngine
from engines.methods.package_search.search.scheduling import ScheduleProblem
from engines.testing.conformance import TinyProblem
from tests.engines.methods.scar.problems import tiny_package, tiny_scenario


def search_problem(
    params: Mapping[str, Any] | None = None, models: int = 2, seed: int = 0, *, priced: bool = False
) -> Problem:
    """Networks of three layers on 2 x 2 chiplets in two windows; every chiplet has an interface. `priced`: in 28 nm."""
    inputs = {"hardware": tiny_package(), "workload": tiny_scenario(models, 3)}
    if priced:
        inputs["costs"] = get_builtin("hardware", "neksus-28nm")
    return make_problem(PackageSearchEngine.name, inputs, {"n_splits": 1} | dict(params or {}), seed=seed)


def setting_of(problem: Problem) -> ScheduleProblem:
    return ScheduleProblem(
        problem.values["hardware"], problem.values["workload"], problem.params, problem.values.get("costs")
    )


def tiny_exhaustive() -> TinyProblem:
    """24 packages up to symmetry, some of which bounds rule out."""
    choices = {"processing_elements": "64, 1024", "link_bandwidth_gb_per_s": "25, 100"}
    return TinyProblem(search_problem(choices), search_problem({**choices, "max_area_mm2": 5.0}))


def tiny_evolutionary() -> TinyProblem:
    """The same packages by NSGA-II, with a limit that not all of them keep."""
    choices = {
        "processing_elements": "64, 256, 1024",
        "link_bandwidth_gb_per_s": "25, 100",
        "method": "evolutionary",
        "population": 8,
        "evaluations": 60,
        "max_processing_elements": 2048,
    }
    return TinyProblem(search_problem(choices, seed=5), search_problem({"max_processing_elements": 100}))
