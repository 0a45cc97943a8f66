"""Small problems of the search for private split networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

SMALL = {
    "depth": 1, "width": 0.25, "kernel": "3", "epsilons": "2.8 50",
    "warm_up_epochs": 1, "epochs": 2, "server_epochs": 1, "designs": 3,
    "samples": 3, "updates": 1, "batch_size": 512,
}  # fmt: skip


def privynas_problem(
    params: Mapping[str, Any] | None = None, seed: int = 0, hardware: Document | None = None
) -> Problem[Any]:
    """Three blocks on the bundled digits and Jetson TX2."""
    inputs = {
        "hardware": hardware or get_builtin("hardware", "jetson-tx2"),
        "radio": get_builtin("hardware", "wifi-smartphone"),
    }
    return make_problem("privynas", inputs, {**SMALL, **(params or {})}, seed=seed)


def tiny() -> TinyProblem:
    """Three epochs, two designs, whose attacks take most of the time; no device is done within a nanosecond."""
    pytest.importorskip("torch")
    few = {"designs": 2}
    return TinyProblem(privynas_problem(few), privynas_problem({**few, "latency_limit_s": 1e-9}))
