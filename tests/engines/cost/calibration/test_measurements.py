from __future__ import annotations

from dataclasses import replace

import pytest

from engines.cost.calibration.measurements import MeasuredRow, published_measurements
from engines.cost.soc.model import SocCostModel
from tests.engines.cost.fitted_for_tests import estimate
from tests.engines.cost.soc_for_tests import board, calibration


def test_a_mapping_adds_the_hand_over_and_ratios_compare_two_settings() -> None:
    model = SocCostModel(board(), calibration())
    row = MeasuredRow("mapped", "wide", {"gemm": "gpu", "add0": "npu"}, "latency", "ms", 1.0, "a test")
    both = estimate(row, model)
    parts = [
        estimate(replace(row, runs_on=unit, operations=(name,)), model)
        for unit, name in (("gpu", "gemm"), ("npu", "add0"))
    ]
    handed = 1e3 * (5e-6 + 2 * 3000 * 100 * 2 / 2e10)
    assert both == pytest.approx(sum(parts) + handed)
    slow = replace(
        row, runs_on="gpu", clocks={"gpu": 500, "memory": 1000, "cpu": 1000}, relative_to={}, in_unit="ratio"
    )
    assert estimate(slow, model) == pytest.approx(2)


@pytest.mark.parametrize(
    ("slug", "published"),
    [
        ("xavier-magnas", "b1 (edge) on gpu, energy"),
        ("xavier-map-and-conquer", "VGG19 on dla, latency"),
        ("tx2-hadas", "a6 on gpu, energy"),
    ],
)
def test_measured_figures_are_those_of_the_publications(slug: str, published: str) -> None:
    printed = {"b1 (edge) on gpu, energy": 770.36, "VGG19 on dla, latency": 114.41, "a6 on gpu, energy": 335.48}
    row = next(row for row in published_measurements()[slug].rows if row.name == published)
    assert row.measured == printed[published]
