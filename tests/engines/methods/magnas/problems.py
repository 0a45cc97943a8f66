"""Small problems of the supernet's training and of the architecture search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.magnas.engine import MagnasEngine
from engines.testing.conformance import TinyProblem

TINY_TRAINING = {
    "width": 4,
    "deepest": 1,
    "epochs": 1,
    "batch_size": 8,
    "training_examples": 32,
    "held_out_examples": 16,
    "random_subnets": 1,
    "measured_subnets": 1,
}


def training_problem(params: Mapping[str, Any] | None = None, seed: int = 1) -> Problem:
    """A training on the bundled digits."""
    return make_problem("train-supernet", {}, {**TINY_TRAINING, **(params or {})}, seed=seed)


def tiny_training() -> TinyProblem:
    """Nine steps; there is no limit that could be impossible."""
    pytest.importorskip("torch")
    return TinyProblem(training_problem({"training_examples": 16, "held_out_examples": 8}))


def search_problem(params: Mapping[str, Any] | None = None, seed: int = 1) -> Problem:
    """A search of the published space on Jetson AGX Xavier."""
    given = {"evaluations": 24, "population": 8, **(params or {})}
    return make_problem("magnas", {"hardware": get_builtin("hardware", "jetson-agx-xavier")}, given, seed=seed)


def tiny_search() -> TinyProblem:
    """Three generations with clocks searched for each mapping; no architecture is as fast as 1 ns."""
    settings = {
        "evaluations": 12,
        "population": 4,
        "clocks": "after_mapping",
        "clock_choices": "gpu: 520 1377; dla: 1395",
    }
    return TinyProblem(search_problem(settings), search_problem({"latency_limit_s": 1e-9}))


ENGINE = MagnasEngine()
