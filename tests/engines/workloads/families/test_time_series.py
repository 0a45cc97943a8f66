"""Networks over signals, by hand."""

from __future__ import annotations

from engines.workloads.families.time_series import SignalBlock, signal_network
from tests.engines.workloads.families.shapes import network


def test_blocks_halve_the_signal_and_a_linear_layer_reads_what_is_left() -> None:
    blocks = (SignalBlock(4, 5, stride=2, pool_kernel=2, pool_stride=2), SignalBlock(8, 3))
    rows = signal_network(64, 3, blocks, classes=2, hidden=10)
    first, second, hidden, last = network(rows).layers
    assert (first.macs, first.output_elements) == (4 * 3 * 5 * 32, 4 * 16)  # after the pooling
    assert (second.macs, second.output_elements) == (8 * 4 * 3 * 16, 8 * 16)
    assert (hidden.c, hidden.k, last.k) == (128, 10, 2)
    # Convolutions carry batch normalisation instead of a bias.
    assert first.weight_elements == 4 * 3 * 5 + 2 * 4


def test_hidden_layer_and_pooling_may_be_left_out() -> None:
    rows = signal_network(16, 1, (SignalBlock(2, 3),), classes=3)
    assert [row["kind"] for row in rows] == ["conv", "batchnorm", "activation", "gemm"]
    assert rows[-1]["c"] == 32
