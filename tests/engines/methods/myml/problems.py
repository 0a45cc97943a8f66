"""Small problems of user-driven pruning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

SMALL = {
    "user_class_count": 4, "width": 4, "convolutions": 1, "epochs": 3, "images_per_class": 4, "extra_epochs": 0,
    "evaluations": 6, "population": 3, "rates_percent": "0 40 70", "stream_images": 120, "drift_at": 60,
    "learning_window": 20, "tracker_window": 10,
}  # fmt: skip


def myml_problem(
    params: Mapping[str, Any] | None = None, seed: int = 0, inputs: Mapping[str, Document] | None = None
) -> Problem[Any]:
    """Four digits, four small blocks, few images."""
    given = {"hardware": get_builtin("hardware", "snapdragon-855"), **(inputs or {})}
    return make_problem("myml", given, SMALL | dict(params or {}), seed=seed)


def tiny() -> TinyProblem:
    """Four networks in two generations; none has ten bytes."""
    pytest.importorskip("torch")
    few = {"epochs": 2, "evaluations": 4, "population": 2, "images_per_class": 2}
    return TinyProblem(myml_problem(few), myml_problem({**few, "size_limit_kb": 0.01}))
