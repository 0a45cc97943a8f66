"""Small searches for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

LITTLE = {
    "generations": 2, "population": 3, "epochs_per_generation": 0.03, "finalists": 2, "final_epochs": 0.03, "export_onnx": False,
    "requirements": "a: 1 0 0 0; b: 0 0.5 0 0.5", "mutation": 0.6, "crossover": 0.9,
}  # fmt: skip


def search_problem(params: Mapping[str, Any] | None = None, seed: int = 0, hardware: Document | None = None) -> Problem:
    """A few networks on digits."""
    documents = {"hardware": hardware or get_builtin("hardware", "jetson-tx2")}
    return make_problem("sbrs-search", documents, LITTLE | dict(params or {}), seed=seed)


def tiny_search() -> TinyProblem:
    """Two generations of three networks; no network answers so often."""
    pytest.importorskip("torch")
    return TinyProblem(search_problem(), search_problem({"throughput_demand_fps": 1e8}))
