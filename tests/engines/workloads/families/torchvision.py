"""Figures of torchvision 0.15.2: parameters as documented; MACs and layers traced, attention products included."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engines.workloads.loader import builtin_network

TABLE = Path(__file__).parents[3] / "data" / "workloads" / "torchvision.csv"
MODELS = {row["model"].replace("_", "-"): row for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
# Parameters of layers that run in training alone.
AUXILIARY = {"inception-v3": 3_326_696}


def named(*families: str) -> list[str]:
    """Models whose names begin with one of these."""
    return [slug for slug in MODELS if slug.startswith(families)]


def check(slug: str) -> None:
    """The built-in network against torchvision's figures."""
    drawn, figures = builtin_network(slug), MODELS[slug]
    assert drawn.macs / 1e9 == pytest.approx(float(figures["gmacs"]), abs=5.1e-5)
    assert drawn.weight_elements + AUXILIARY.get(slug, 0) == int(figures["parameters"])
    assert len(drawn.layers) == int(figures["compute_layers"])
    assert drawn.title.endswith(f"{figures['side']}x{figures['side']}")
