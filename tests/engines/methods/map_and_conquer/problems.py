"""Small Map-and-Conquer problems for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem


def chain(layers: int = 4, width: int = 16) -> Document:
    """Make a chain of convolutions with an activation each, widths not all alike, and a classifier."""
    operations: list[dict[str, Any]] = []
    before = 3
    for number in range(layers):
        channels = width * (1 + number % 2)
        size = {"y": 28, "x": 28, "r": 3, "s": 3, "pad": 1}
        operations.append({"name": f"conv{number}", "kind": "conv", "k": channels, "c": before, **size})
        operations.append(
            {"name": f"act{number}", "kind": "activation", "k": channels, "c": channels, "y": 28, "x": 28}
        )
        before = channels
    operations.append({"name": "exit", "kind": "gemm", "k": 10, "c": before, "y": 1})
    content = {
        "schema": "network/1", "slug": "chain", "title": "Chain", "short_title": "Chain", "source": "made up for tests",
        "operations": operations,
    }  # fmt: skip
    return Document("workload", "chain", 1, content)


def cut_problem(
    params: Mapping[str, Any] | None = None, workload: str | Document | None = None, seed: int = 0, **inputs: str
) -> Problem:
    """A network on Jetson AGX Xavier; the chain by default."""
    network = chain() if workload is None else workload
    documents = {
        "hardware": get_builtin("hardware", inputs.get("hardware", "jetson-agx-xavier")),
        "workload": network if isinstance(network, Document) else get_builtin("workload", network),
    }
    if "calibration" in inputs:
        documents["calibration"] = get_builtin("calibration", inputs["calibration"])
    return make_problem("map-and-conquer", documents, dict(params or {}), seed=seed)


def tiny(method: str = "published") -> TinyProblem:
    """Some generations of twenty at a few clock settings; nothing runs in 1 ns."""
    params = {
        "method": method,
        "evaluations": 110,
        "population": 20,
        "clock_steps": 2,
        "partition_steps": 4,
        "labels": 10,
    }
    impossible = {**params, "latency_limit_s": 1e-9}
    return TinyProblem(cut_problem(params, seed=3), cut_problem(impossible))
