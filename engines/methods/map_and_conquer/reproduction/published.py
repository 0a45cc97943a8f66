"""The published values, and the problems that stand next to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from engines.contract.engine import Problem
from engines.contract.numeric.ordered_sums import product_in_order
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.map_and_conquer.model.accuracy import EXPONENT
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")
NETWORKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"visformer": ("Visformer", "visformer-small"), "vgg19": ("VGG19", "vgg19")}
)
LIMITS: Mapping[str, tuple[str, float | None]] = MappingProxyType(
    {
        "noconstr": ("no limit on reuse", None),
        "c75": ("at most 75 % reused", 75.0),
        "c50": ("at most 50 % reused", 50.0),
    }
)
FITTED = ("table2.3.visformer.noconstr_Ours-E", "table2.3.visformer.c50_Ours-E")


def fitted_loss_points() -> float:
    """Return the accuracy loss parameter in points, fitted by least squares to both published models, cut in halves.

    The second stage then lacks what the first half holds, 3/4 of all importance, as far as it is not reused.
    """
    base = PUBLICATION.value("table2.3.visformer.baseline_GPU.top1_acc")
    lost = np.array([base - PUBLICATION.value(f"{name}.top1_acc") for name in FITTED])
    missing = missing_of(np.array([PUBLICATION.value(f"{name}.fmap_reuse") for name in FITTED]))
    return float(product_in_order(lost, missing) / product_in_order(missing, missing))


def missing_of(reuse_percent: Any) -> Any:
    """Return (1 - m) to the power of the law, of the second of two halves."""
    return (0.75 * (1 - reuse_percent / 100)) ** EXPONENT


def problem_of(network: str, reuse_most_percent: float | None) -> Problem:
    """Return a network on GPU and DLA of Jetson AGX Xavier, as measured for the publication."""
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", NETWORKS[network][1]),
        "calibration": get_builtin("calibration", "xavier-map-and-conquer"),
    }
    params = {
        "base_accuracy_percent": PUBLICATION.value(f"table2.3.{network}.baseline_GPU.top1_acc"),
        "accuracy_loss_points": fitted_loss_points(),
        "reuse_most_percent": reuse_most_percent,
    }
    return make_problem("map-and-conquer", documents, params, seed=0)
