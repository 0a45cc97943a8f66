"""Small switching problems for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem
from engines.contract.results import Matrix, Result
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.sbrs.engine import SbrsEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.testing.conformance import TinyProblem, designs_of

ACCURACIES = "small: 82; medium: 86; large: 89"


def network(slug: str, channels: int, convolutions: int) -> dict[str, Any]:
    """Convolutions with activations, a pooling and a linear layer."""
    operations: list[dict[str, Any]] = []
    for number in range(convolutions):
        before = channels if number else 3
        row = {
            "name": f"conv{number}",
            "kind": "conv",
            "k": channels,
            "c": before,
            "r": 3,
            "s": 3,
            "y": 16,
            "x": 16,
            "pad": 1,
        }
        size = channels * 256
        operations += [
            row,
            {"name": f"act{number}", "kind": "activation", "input_elements": size, "output_elements": size},
        ]
    operations.append({"name": "pool", "kind": "pool", "input_elements": channels * 256, "output_elements": channels})
    operations.append({"name": "classify", "kind": "gemm", "k": 10, "c": channels, "y": 1})
    return {
        "schema": "network/1", "slug": slug, "title": slug.capitalize(), "short_title": slug.capitalize(),
        "source": "made up for tests", "operations": operations,
    }  # fmt: skip


def workload() -> Document:
    """Three networks."""
    models = [network("small", 8, 2), network("medium", 16, 3), network("large", 32, 4)]
    content = {
        "schema": "scenario/1", "slug": "three-sizes", "title": "Three sizes", "source": "made up for tests",
        "models": [{"network": each, "batch": 1} for each in models],
    }  # fmt: skip
    return Document("workload", "three-sizes", 1, content)


def sbrs_problem(params: Mapping[str, Any] | None = None, mission: bool = True, seed: int = 0) -> Problem:
    """Three networks on the Jetson TX2, with the flight of two hours unless left out."""
    documents = {"hardware": get_builtin("hardware", "jetson-tx2"), "workload": workload()}
    if mission:
        documents["environment"] = get_builtin("environment", "uav-two-hour-flight")
        documents["battery"] = get_builtin("hardware", "uav-example-battery")
    usual = {"accuracies": ACCURACIES, "powers_w": "small: 11.2; medium: 20; large: 31"}
    return make_problem("sbrs", documents, usual | dict(params or {}), seed=seed)


def measured_power() -> Document:
    """Two hours in which the device takes 21 W."""
    track = {"title": "flight", "times_s": [0, 3600, 7200], "columns": {"power_w": [21.0, 21.0, 21.0]}}
    content = {
        "schema": "recording/1", "slug": "measured", "title": "Measured flight", "source": "made up for tests",
        "units": {"power_w": "W"}, "tracks": [track],
    }  # fmt: skip
    return Document("data", "measured", 1, content)


def totals(results: tuple[Result, ...]) -> Mapping[str, float]:
    """Return the longest delay of the application."""
    found = [each.values for each in results if isinstance(each, Matrix) and each.name == "response"]
    return {"response_delay_s": float(np.nanmax(found))} if found else {}


def tiny_sbrs() -> TinyProblem:
    """All applications of three networks; none fits into a kilobyte."""
    return TinyProblem(sbrs_problem(), sbrs_problem({"memory_limit_mb": 1e-3}), totals)


EVERYTHING = {"networks": ["small", "medium", "large"], "adaptive": ["I", "O", "par"]}


def found(params: Mapping[str, Any] | None = None, mission: bool = False) -> Designs:
    problem = sbrs_problem(params, mission)
    return designs_of(list(drive(SbrsEngine(), problem, LocalContext(problem))))


def explained(mission: bool = True, params: Mapping[str, Any] | None = None) -> dict[str, Result]:
    problem = sbrs_problem(params, mission)
    return {result.name: result for result in explain(problem, EVERYTHING)}
