from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.cost.estimators.closed_forms import DataflowEstimator, IdealArrayEstimator
from engines.cost.estimators.layer_comparison import compare_layers
from engines.cost.estimators.table import TableEstimator, write_costs
from tests.engines.cost.estimators.networks_for_tests import NVDLA, SHI, network

MODELS = {"dataflow": DataflowEstimator(), "ideal-array": IdealArrayEstimator()}


def test_layers_stand_side_by_side_and_differ_where_partial_sums_count() -> None:
    found = compare_layers([(network(), SHI), (network(), NVDLA)], MODELS)
    assert found.layers == ("conv", "depthwise", "fc") * 2 and found.kinds == ("conv", "depthwise", "gemm") * 2
    ratios = found.edp_ratios("ideal-array")
    assert ratios[0] < 1 and ratios[1:2].tolist() == [1.0] and ratios[3:].tolist() == [1.0] * 3
    assert found.by_kind("ideal-array")["conv", SHI.name] == ratios[0]
    (largest, *others) = found.disagreements["ideal-array"]
    assert {largest.row, *(each.row for each in others)} == {0, 2}
    assert "bytes of the shared buffer" in largest.reason
    assert largest.reason.endswith(
        "partial sums of an output-stationary array leave the array in every step, or stay in the array"
    )


def test_equal_layers_are_named_once_and_at_most_ten() -> None:
    graph = network()
    many = tuple(replace(graph.layers[0], name=f"conv{number}", k=32 + number // 2) for number in range(30))
    found = compare_layers([(replace(graph, layers=many), SHI)], MODELS)
    rows = [each.row for each in found.disagreements["ideal-array"]]
    assert len(rows) == 10 and all(row % 2 == 0 for row in rows)


def test_another_energy_alone_is_said() -> None:
    costs = DataflowEstimator().estimate(network(), NVDLA)
    doubled = replace(costs, energy_j=2 * costs.energy_j)
    table = TableEstimator(write_costs([(network(), NVDLA.name, doubled)]))
    found = compare_layers([(network(), NVDLA)], {"dataflow": DataflowEstimator(), "table": table})
    np.testing.assert_allclose(found.edp_ratios("table"), 2.0)
    assert found.disagreements["table"][0].ratio == pytest.approx(2.0)
    assert found.disagreements["table"][0].reason == "the same cycles and bytes, another energy"
