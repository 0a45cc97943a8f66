"""Operators in tables of LiteRT and Rockchip and in AI Hub's profile jobs. The files are written by hand, not recorded."""

from __future__ import annotations

import json

import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.profiles import is_profile, read_profile
from hardware.calibration.loader import load_calibration
from tests.engines.cost.measured_files import files_for_tests as files
from tests.engines.cost.read_for_tests import read

BOTH = [(("net/conv1/Relu6",), "", 60.957), (("net/fc",), "", 49.87)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (files.LITERT_OPERATORS, BOTH),
        (files.LITERT_CSV, BOTH),
        (files.RKNN, [(("data",), "cpu", 0.007), (("conv1",), "", 0.428), (("prob",), "cpu", 0.065)]),
        (files.AI_HUB_PROFILE, [(("conv1",), "npu", 1.5), (("fc",), "npu", 0.9), (("softmax",), "cpu", 0.02)]),
    ],
)
def test_a_table_gives_operators_with_unit_and_time(text: str, rows: list[object]) -> None:
    assert is_profile(text)
    assert [(each.layers, each.unit, pytest.approx(each.latency_ms)) for each in read_profile(text)] == rows


@pytest.mark.parametrize(
    "text",
    [
        files.LITERT_OPERATORS.replace("60.957", "fast"),
        files.LITERT_OPERATORS.replace("[avg ms]", "[average]"),
        files.LITERT_CSV.replace(", 49.870, 45.000%", ""),
        files.RKNN.replace("428 ", "-4 "),
        files.RKNN.replace("94150/10584/94150 ", ""),
        json.dumps({"execution_detail": [{"name": "conv1", "compute_unit": "NPU", "execution_cycles": 9}]}),
        json.dumps({"execution_detail": [3]}),
        '{"execution_detail"',
    ],
)
def test_a_damaged_table_is_refused(text: str) -> None:
    with pytest.raises(ProblemError):
        read_profile(text)


def test_operators_of_a_table_are_fitted_as_a_calibration() -> None:
    text = files.LITERT_OPERATORS.replace("net/conv1/Relu6", "features.0").replace("net/fc", "features.2")
    found = read(text, unit="gpu")
    rows = load_calibration(found.content).rows
    assert [(row.measured, row.unit) for row in rows] == [(60.957, "gpu"), (49.87, "gpu")]
