"""Small trainings of bottlenecks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

SMALL = {
    "blocks": 2, "width": 4, "channels": "1 2", "strides": "2", "targets": 2, "epochs": 2, "distillation_epochs": 2,
    "tuning_epochs": 1, "batch_size": 256, "measured_examples": 40,
}  # fmt: skip


def bottleneck_problem(
    params: Mapping[str, Any] | None = None, seed: int = 1, hardware: Document | None = None
) -> Problem[Any]:
    """Two blocks on the bundled digits and Jetson TX2."""
    inputs = {"hardware": hardware or get_builtin("hardware", "jetson-tx2")}
    return make_problem("train-bottleneck", inputs, {**SMALL, **(params or {})}, seed=seed)


def tiny() -> TinyProblem:
    """Two epochs, two bottlenecks; there is no limit that could be impossible."""
    pytest.importorskip("torch")
    return TinyProblem(bottleneck_problem({"epochs": 1, "distillation_epochs": 1}))


def measured_content(**changes: Any) -> dict[str, Any]:
    """Two designs, made up."""
    design = {
        "channels": 1, "stride": 2, "blocks": ["keep"], "sent_bytes": 12, "macs": 1e6, "encoder_s": 0.001, "tail_s": 0.009,
        "power_w": 5.0, "accuracy_percent": 90.0, "test_accuracy_percent": 89.0,
    }  # fmt: skip
    return {
        "schema": "measured-bottlenecks/1", "slug": "mine", "title": "Mine", "source": "made up",
        "file": {"sha256": "0" * 64, "size_bytes": 1}, "images": "digits", "device": "Jetson TX2, GPU",
        "original_accuracy_percent": 95.0,
        "designs": [design, {**design, "sent_bytes": 48, "encoder_s": 0.002, "accuracy_percent": 94.5}],
        "training": {},
        **changes,
    }  # fmt: skip
