"""Classifiers against torchvision's own figures, to the last parameter, and against traced tables, layer by layer."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.classifiers import classifiers
from engines.workloads.loader import builtin_network

# torchvision 0.15.2: parameters as documented; MACs and layers traced, attention products included.
TABLE = Path(__file__).parents[3] / "data" / "workloads" / "torchvision.csv"
MODELS = {row["model"].replace("_", "-"): row for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
TRACED = {"googlenet", "inception-v3", "mobilenet-v2", "resnet50", "vgg16", "vgg19"}
# Parameters of layers that run in training alone.
AUXILIARY = {"inception-v3": 3_326_696}


@pytest.mark.parametrize("slug", MODELS)
def test_figures_are_torchvisions(slug: str) -> None:
    drawn, figures = builtin_network(slug), MODELS[slug]
    assert drawn.macs / 1e9 == pytest.approx(float(figures["gmacs"]), abs=5.1e-5)
    assert drawn.weight_elements + AUXILIARY.get(slug, 0) == int(figures["parameters"])
    assert len(drawn.layers) == int(figures["compute_layers"])
    assert drawn.title.endswith(f"{figures['side']}x{figures['side']}")


def test_all_eighty_are_built_in() -> None:
    assert len(MODELS) == 80
    assert set(classifiers()) == set(MODELS) - TRACED
    assert set(MODELS) <= set(builtin_networks())
