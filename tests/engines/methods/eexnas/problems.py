"""Small problems of the search for networks with an exit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem


def eexnas_problem(
    params: Mapping[str, Any] | None = None, hardware: str = "efm32-giant-gecko", seed: int = 0
) -> Problem[Any]:
    """Few short beats, two epochs."""
    given = {
        "generated": "beats", "networks": 4, "initial": 2, "candidates": 20, "windows": 40, "samples": 32, "epochs": 2,
        "batch_size": 12,
    }  # fmt: skip
    return make_problem(
        "eexnas", {"hardware": get_builtin("hardware", hardware)}, given | dict(params or {}), seed=seed
    )


def tiny() -> TinyProblem:
    """Two networks at random, two by the models; none fits a kilobyte."""
    pytest.importorskip("torch")
    return TinyProblem(eexnas_problem(), eexnas_problem({"ram_limit_kib": 1.0}))
