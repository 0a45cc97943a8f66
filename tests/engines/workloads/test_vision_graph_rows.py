from __future__ import annotations

import pytest

from engines.workloads.loader import builtin_network
from engines.workloads.vision_graph import SUPERBLOCK_NEIGHBOURS
from engines.workloads.vision_graph_rows import GraphOperator

NODES = 196

EDGES = NODES * sum(SUPERBLOCK_NEIGHBOURS) * 4  # of four blocks in each superblock


@pytest.mark.parametrize(
    ("operator", "more_macs", "more_weights"),
    [
        # A 1x1 convolution of 640 channels in 4 groups for every edge instead of every node.
        ("edge", 640 * 160 * (EDGES - 16 * NODES), 0),
        # 320 to 640 channels in 4 groups instead of 640 to 640; epsilon is one weight more.
        ("gin", -16 * NODES * 640 * 80, 16 * (1 - 640 * 80)),
        # One convolution of 320 channels in 4 groups for every edge more, with bias and batch normalisation.
        ("sage", 320 * 80 * EDGES, 16 * (320 * 80 + 320 + 640)),
    ],
)
def test_operators_differ_by_their_convolutions(operator: GraphOperator, more_macs: int, more_weights: int) -> None:
    base = builtin_network("magnas-vig-s-max-relative")
    other = builtin_network(f"magnas-vig-s-{operator}")
    assert other.macs - base.macs == more_macs
    assert other.weight_elements - base.weight_elements == more_weights
