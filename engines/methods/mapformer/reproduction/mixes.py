"""Mixes out of the 80 networks of torchvision. Which ones the publication drew is not printed; these are the same every time."""

from __future__ import annotations

from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.presets import POOLS


def problem_of(names: tuple[str, ...], power_limit_w: float | None = None) -> Problem[Any]:
    """Return a mix on Jetson AGX Xavier with the pools of clocks of the publication."""
    models = [{"network": name, "batch": 1} for name in names]
    content = {"schema": "scenario/1", "slug": "mix", "title": "Mix", "source": "drawn", "models": models}
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"), "workload": Document("workload", "mix", 1, content)
    }  # fmt: skip
    return make_problem("mapformer", documents, {"power_limit_w": power_limit_w, "clock_choices": POOLS}, 0)
