"""Layers in rows, totals, the graph."""

from __future__ import annotations

import pytest

from engines.workloads.layer_table import (
    layer_edges,
    layer_graph,
    layer_rows,
    network_totals,
    operation_words,
)
from engines.workloads.loader import builtin_network, load_network
from frontend.figures.layers.layer_graph import depths
from tests.engines.methods.scar.problems import tiny_network


def test_a_convolution_by_hand() -> None:
    # 3 -> 4 channels, 3x3 on 6x6: 4x4 outputs, 4*3*9 weights.
    network = load_network(tiny_network("tiny", (3, 4), 6))
    (row,) = layer_rows(network, word_bytes=2)
    assert (row.input_shape, row.kernel, row.output_shape) == ("3 × 6 × 6", "3 × 3", "4 × 4 × 4")
    assert (row.macs, row.parameters) == (4 * 3 * 9 * 16, 108)
    assert (row.input_bytes, row.output_bytes, row.activation_bytes) == (216, 128, 344)
    assert row.intensity_macs_per_byte == pytest.approx(1728 / (216 + 128 + 216))


def test_products_strides_groups_and_depthwise_layers_in_words() -> None:
    bert = layer_rows(builtin_network("bert-base-128"))
    heads = next(row for row in bert if row.kind == "matmul")
    assert heads.operation == "MatMul × 12" and heads.input_shape == "128 × 64" and heads.output_shape == "128 × 128"
    mobile = layer_rows(builtin_network("mobilenet-v2"))
    depthwise = next(row for row in mobile if row.kind == "depthwise")
    assert depthwise.operation == "Depthwise" and depthwise.output_shape == "32 × 112 × 112"
    assert mobile[0].kernel == "3 × 3 / 2"


def test_groups_are_named() -> None:
    content = tiny_network("grouped", (4, 8), 6)
    content["operations"][0]["groups"] = 2
    network = load_network(content)
    assert operation_words(network.layers[0]) == "Convolution, 2 groups"
    (row,) = layer_rows(network)
    assert (row.input_shape, row.output_shape) == ("4 × 6 × 6", "8 × 4 × 4")


@pytest.mark.parametrize("slug", ["resnet50", "gpt2-large-128", "mobilenet-v2", "unet-512"])
def test_rows_add_up_to_the_totals(slug: str) -> None:
    network = builtin_network(slug)
    rows, totals = layer_rows(network), network_totals(network)
    assert totals.layers == len(rows)
    assert totals.macs == sum(row.macs for row in rows)
    assert totals.parameters == sum(row.parameters for row in rows) + network.lookup_elements
    assert totals.activation_peak_bytes == max(row.activation_bytes for row in rows)
    assert network_totals(network, 2).intensity_macs_per_byte == pytest.approx(totals.intensity_macs_per_byte / 2)


def test_the_graph_has_the_layers_and_the_shortcuts() -> None:
    graph = layer_graph(builtin_network("resnet50"))
    # Each of 16 additions is folded into the layer before it. Where that is the shortcut's own convolution, it reads two layers.
    assert len(graph.nodes) == 54 and len(graph.edges) == 53 + 16
    assert {node.group for node in graph.nodes} == {"Convolution", "GEMM"}


def test_branches_are_edges_between_the_layers_that_hold_them() -> None:
    content = tiny_network("branched", (4, 4, 4, 4, 4, 4), 30)
    a, b, c, d, e = content["operations"]
    added = {"name": "add", "kind": "eltwise", "reads": [1, 2]}
    content["operations"] = [
        a,
        {**b, "reads": [0]},
        {**c, "reads": [0]},
        added,
        {**d, "reads": [3]},
        {**e, "reads": [4, 0]},
    ]
    network = load_network(content)
    # The addition is folded into the third layer, so that it reads the second: what is folded into a layer runs with it.
    assert layer_edges(network) == ((0, 1), (0, 2), (1, 2), (2, 3), (0, 4), (3, 4))
    assert list(depths(layer_graph(network)).values()) == [0, 1, 2, 3, 4]


def test_without_reads_the_layers_are_a_chain() -> None:
    assert layer_edges(load_network(tiny_network("listed", (4, 4, 4, 4), 30))) == ((0, 1), (1, 2))
