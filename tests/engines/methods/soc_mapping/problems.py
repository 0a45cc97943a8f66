"""Small mapping problems for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem, Step
from engines.contract.fronts.non_dominated import non_dominated
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.mapping.designs.scoring import mapped_designs
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.prepared_problems import ready_of
from engines.testing import conformance
from engines.testing.conformance import TinyProblem


def tiny_network(blocks: int = 6) -> Document:
    """Blocks of a convolution and an addition, the first with few channels."""
    operations: list[dict[str, Any]] = []
    for number in range(blocks):
        channels = 16 * (1 + number % 3)
        before = 3 if not number else 16 * (1 + (number - 1) % 3)
        size = {"y": 28, "x": 28, "r": 3, "s": 3, "pad": 1}
        operations.append({"name": f"block{number}.conv", "kind": "conv", "k": channels, "c": before, **size})
        operations.append(
            {"name": f"block{number}.add", "kind": "eltwise", "k": channels, "c": channels, "y": 28, "x": 28}
        )
    content = {
        "schema": "network/1", "slug": "tiny", "title": "Tiny network", "short_title": "Tiny", "source": "made up for tests",
        "operations": operations,
    }  # fmt: skip
    return Document("workload", "tiny", 1, content)


def mapping_problem(
    params: Mapping[str, Any] | None = None, workload: str | Document = "magnas-vig-s-gin", seed: int = 0, **inputs: str
) -> Problem:
    """A network on Jetson AGX Xavier; without a calibration the engine chooses."""
    documents = {
        "hardware": get_builtin("hardware", inputs.get("hardware", "jetson-agx-xavier")),
        "workload": workload if isinstance(workload, Document) else get_builtin("workload", workload),
    }
    if "calibration" in inputs:
        documents["calibration"] = get_builtin("calibration", inputs["calibration"])
    return make_problem("soc-mapping", documents, dict(params or {}), seed=seed)


def tiny_exact() -> TinyProblem:
    """The exact search over a few clock settings; no mapping is as fast as 1 ns."""
    params = {"clocks": "searched", "clock_steps": 3, "labels": 100}
    impossible = {"latency_limit_s": 1e-9}
    return TinyProblem(mapping_problem(params, tiny_network()), mapping_problem(impossible, tiny_network()))


def tiny_heuristic(method: str) -> TinyProblem:
    """Six generations of twenty mappings, within a limit on power that the first population breaks in part."""
    params = {"method": method, "evaluations": 110, "population": 20, "clocks": "searched", "clock_steps": 2}
    impossible = {"method": method, "power_limit_w": 1e-3}
    return TinyProblem(
        mapping_problem(params, tiny_network(), seed=4), mapping_problem(impossible, tiny_network(), seed=4)
    )


METHODS = ("exact", "nsga2_published", "nsga2", "random")


HEURISTICS = METHODS[1:]


@cache
def steps_of(method: str) -> conformance.Unbroken:
    return conformance.run_all(tiny(method))


@cache
def tiny(method: str) -> TinyProblem:
    return tiny_exact() if method == "exact" else tiny_heuristic(method)


def run(problem: Problem) -> list[Step]:
    ready_of(get_engine("soc-mapping"), problem)
    return conformance.run_all(TinyProblem(problem))


def searched(steps: list[Step]) -> Designs:
    designs = conformance.designs_of(steps)
    return designs.take(np.flatnonzero(np.array(designs.origin) == "search"))


def front_of(designs: Designs) -> np.ndarray:
    """Non-dominated latency and energy of the designs within the limits."""
    points = designs.matrix(("latency_s", "energy_j"))[designs.columns["limit_slack"] >= 0]
    return np.unique(points[non_dominated(points, ("minimise", "minimise"))], axis=0)


def every_mapping(problem: Problem) -> Designs:
    """All mappings that the units support, whatever limits and rules say."""
    instance = instance_of(problem)
    rows = np.array(list(product(range(len(instance.units)), repeat=len(instance.blocks))))
    supported = np.isfinite(instance.costs.latency_s[np.arange(rows.shape[1]), rows, 0]).all(axis=1)
    rows = rows[supported]
    count, settings = len(rows), len(instance.settings)
    setting = np.repeat(np.arange(settings), count)
    return mapped_designs(instance, np.tile(rows, (settings, 1)), setting)


LIMITS: dict[str, dict[str, object]] = {
    "none": {},
    "latency": {"latency_slack_percent": 3},
    "energy": {"energy_limit_j": 0.0055},
    "power": {"power_limit_w": 5.5},
    "transitions": {"transition_limit": 1},
    "pins": {"unit_rules": "block0: gpu; block3: dla; block5: not dla"},
    "everything": {"latency_limit_s": 0.0013, "power_limit_w": 6.0, "transition_limit": 2, "unit_rules": "block2: dla"},
    "clocks": {"clocks": "searched", "clock_choices": "gpu: 520 1377; dla: 550 1395; memory: 1065 2133"},
    "clocks and power": {"clocks": "searched", "clock_steps": 2, "power_limit_w": 2.0},
}


BLOCKS = 6
