from __future__ import annotations

from dataclasses import replace

from engines.cost.dataflow.inputs import ArrayFigures
from engines.cost.estimators.protocol import ArrayUnit
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.workloads.documents_for_tests import network_content

SHI = ArrayUnit("shi-diannao-256", "ykp_os", ArrayFigures(256, 16.0), 500e6, 0.23, 1.0, 1 << 20)
NVDLA = replace(SHI, name="nvdla-256", mapping="kcp_ws")


def network() -> Network:
    """Three layers of three kinds, and one that computes nothing."""
    rows = [
        {"name": "conv", "kind": "conv", "k": 32, "c": 16, "r": 3, "s": 3, "y": 16, "x": 16, "pad": 1},
        {"name": "depthwise", "kind": "depthwise", "k": 32, "c": 32, "r": 3, "s": 3, "y": 16, "x": 16, "pad": 1},
        {"name": "relu", "kind": "activation"},
        {"name": "fc", "kind": "gemm", "k": 10, "c": 8192, "y": 1},
    ]
    return load_network(network_content(*rows))
