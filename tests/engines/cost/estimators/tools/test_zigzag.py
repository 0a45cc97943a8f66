from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import ComputeUnit, CostEstimator
from engines.cost.estimators.tools.cost_cache import CostCache
from engines.cost.estimators.tools.tool_process import TOOLS, install
from engines.cost.estimators.tools.zigzag import ZigZagEstimator
from engines.testing import EstimatorSuite
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.cost.estimators.networks_for_tests import NVDLA, SHI, network
from tests.engines.cost.estimators.tools.fake_tool import fake_tool
from tests.engines.workloads.documents_for_tests import network_content


def estimator_with(folder: Path) -> ZigZagEstimator:
    return ZigZagEstimator(folder, CostCache(folder / "costs.sqlite3"), tool=fake_tool(folder, "zigzag"))


class TestZigZag(EstimatorSuite):
    @pytest.fixture
    def estimator(self, tmp_path: Path) -> CostEstimator:
        return estimator_with(tmp_path)

    @pytest.fixture
    def graph(self) -> Network:
        return network()

    @pytest.fixture
    def unit(self) -> ComputeUnit:
        return SHI


def test_layers_are_described_as_the_tool_takes_them(tmp_path: Path) -> None:
    question_of = estimator_with(tmp_path).question_of
    conv, depthwise, fc = (question_of(layer, SHI, SHI.mapping) for layer in network().layers)
    assert conv["loops"] == {"K": 32, "C": 16, "OY": 16, "OX": 16, "FY": 3, "FX": 3}
    assert depthwise["loops"] == {"K": 1, "C": 1, "OY": 16, "OX": 16, "FY": 3, "FX": 3}  # 32 times
    assert fc["loops"] == {"K": 10, "C": 8192, "OY": 1, "OX": 1, "FY": 1, "FX": 1}
    assert (conv["parallel"], conv["sizes"]) == (["OY", "K"], [16, 16])
    assert (conv["word_bits"], conv["bandwidth_bits"], conv["buffer_bits"]) == (8, 128, 8 << 20)
    nvdla = question_of(network().layers[0], NVDLA, NVDLA.mapping)
    assert (nvdla["parallel"], nvdla["sizes"]) == (["K", "C"], [4, 64])
    small = replace(NVDLA, figures=replace(NVDLA.figures, processing_elements=16), buffer_bytes=None)
    assert question_of(network().layers[0], small, small.mapping)["sizes"] == [1, 16]
    with pytest.raises(ProblemError, match="no spatial mapping like dpt"):
        question_of(network().layers[0], SHI, "dpt")


@pytest.mark.long
@pytest.mark.timeout(1200)  # most of it is the installation
def test_the_real_tool_computes_every_product_and_moves_every_tensor(tmp_path: Path) -> None:
    install(TOOLS["zigzag"], tmp_path)
    rows = [
        {"name": "conv", "kind": "conv", "k": 32, "c": 16, "r": 3, "s": 3, "y": 14, "x": 14, "pad": 1},
        {"name": "fc", "kind": "gemm", "k": 64, "c": 128, "y": 1},
    ]
    graph, estimator = load_network(network_content(*rows)), ZigZagEstimator(tmp_path, CostCache(tmp_path / "costs"))
    for unit in (SHI, NVDLA):
        costs = estimator.estimate(graph, unit)
        macs = np.array([layer.macs for layer in graph.layers])
        assert (costs.cycles >= macs / 256).all()
        # Each tensor crosses the edge of the buffer once: inputs with their border, weights, outputs.
        tensors = [16 * 16 * 16 + 32 * 16 * 9 + 32 * 14 * 14, 128 + 64 * 128 + 64]
        np.testing.assert_allclose(costs.off_chip_bytes, tensors, rtol=0.02)
