"""Small mapping problems for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from tests.engines.conformance import TinyProblem


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
