"""Mixes out of the 80 networks of torchvision. Which ones the publication drew is not printed; these are the same every time."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.ready_made import POOLS
from engines.workloads.families.classifiers import classifiers

_TRACED = ("googlenet", "inception-v3", "mobilenet-v2", "resnet50", "vgg16", "vgg19")


def drawn_mix(size: int, number: int) -> tuple[str, ...]:
    """Names of the networks of the mix of that size and number."""
    pool = sorted([*classifiers(), *_TRACED])
    return tuple(np.random.default_rng([2024, size, number]).choice(pool, size, replace=False).tolist())


def problem_of(names: tuple[str, ...], power_limit_w: float | None = None) -> Problem[Any]:
    """A mix on Jetson AGX Xavier with the pools of clocks of the publication."""
    models = [{"network": name, "batch": 1} for name in names]
    content = {"schema": "scenario/1", "slug": "mix", "title": "Mix", "source": "drawn", "models": models}
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"), "workload": Document("workload", "mix", 1, content)
    }  # fmt: skip
    return make_problem("mapformer", documents, {"power_limit_w": power_limit_w, "clock_choices": POOLS}, 0)
