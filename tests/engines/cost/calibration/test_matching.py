from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.files import LayerMeasurement
from engines.cost.calibration.matching import UnmatchedLine, match_rows
from engines.workloads.loader import load_network
from tests.engines.cost.own_for_tests import networks
from tests.engines.cost.soc_for_tests import GEMM, network_content


def test_lines_that_name_nothing_of_the_network_are_told_apart() -> None:
    lines = [
        LayerMeasurement(("gemm50", "relu"), "gpu", 1.0, line=2),
        LayerMeasurement(("Reformatting CopyNode",), "gpu", 0.25, line=3),
        LayerMeasurement((), "gpu", 7.0, line=4),
    ]
    found = match_rows(lines, networks, workload="net")
    assert [row.operations for row in found.rows] == [("gemm50",), ()]
    assert found.unmatched == (UnmatchedLine(3, "Reformatting CopyNode", 0.25, folded=False),)


def test_lines_of_what_is_folded_into_another_operation_are_told_apart_too() -> None:
    folded = {"name": "norm", "kind": "batchnorm", "input_elements": 10_000, "output_elements": 10_000}
    net = load_network(network_content(GEMM, folded))
    lines = [LayerMeasurement(("norm",), "gpu", 0.5, line=2), LayerMeasurement(("gemm", "norm"), "gpu", 1.0, line=3)]
    found = match_rows(lines, lambda _: net, workload="net")
    assert [row.operations for row in found.rows] == [("gemm",)] and found.unmatched == (
        UnmatchedLine(2, "norm", 0.5, folded=True),
    )


def test_a_mean_power_makes_energies_of_latencies() -> None:
    rows = match_rows([LayerMeasurement((), "", 7.0)], networks, workload="net", unit="npu", power_w=2.0).rows
    assert [(row.quantity, row.measured, row.runs_on) for row in rows] == [
        ("latency", 7.0, "npu"),
        ("energy", 14.0, "npu"),
    ]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (LayerMeasurement(("gemm50",), "", 1.0, line=2), "line 2.unit"),
        (LayerMeasurement(("other",), "gpu", 1.0, line=2), "line 2.layer"),
    ],
)
def test_what_does_not_fit_is_named(line: LayerMeasurement, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        match_rows([line], networks, workload="net")
    assert caught.value.field == field
