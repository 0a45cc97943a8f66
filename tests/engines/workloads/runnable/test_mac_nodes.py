"""Convolutions and products."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.engines.workloads.runnable.networks import STEM, graph_of, nodes_of

TOKENS = {"name": "qkv", "kind": "gemm", "k": 192, "c": 64, "y": 16}
SCORES = {"name": "scores", "kind": "matmul", "k": 16, "c": 16, "y": 16, "repeats": 4}
SOFTMAX = {"name": "softmax", "kind": "softmax", "input_elements": 1024, "output_elements": 1024}
VALUES = {"name": "values", "kind": "matmul", "k": 16, "c": 16, "y": 16, "repeats": 4}


def test_attention_splits_tokens_into_heads_and_joins_them() -> None:
    graph = graph_of(TOKENS, SCORES, SOFTMAX, VALUES, {"name": "out", "kind": "gemm", "k": 64, "c": 64, "y": 16})
    shapes = {each.name: [size.dim_value for size in each.type.tensor_type.shape.dim] for each in graph.value_info}
    assert shapes["scores:0"] == shapes["softmax:0"] == [1, 4, 16, 16]
    assert shapes["values:0"] == [1, 4, 16, 16] and shapes["values//joined:0"] == [1, 16, 64]
    read = {name for node in graph.node for name in node.input}
    assert {"scores//split:0", "scores//split:1", "scores//split:2"} <= read, "queries, keys and values"


def test_uneven_padding_is_below_and_to_the_right() -> None:
    node = graph_of({**STEM, "pad": [0, 1, 0, 1], "y": 17, "x": 17, "stride": 2}).node[0]
    assert next(list(each.ints) for each in node.attribute if each.name == "pads") == [0, 0, 1, 1]


def test_a_transposed_convolution_has_the_size_of_the_document() -> None:
    rows = {"name": "up", "kind": "transposed_conv", "k": 4, "c": 3, "r": 2, "s": 2, "y": 8, "x": 8, "stride": 2}
    assert nodes_of(rows) == [("up", "ConvTranspose")]


def test_a_bias_is_there_where_the_document_counts_it() -> None:
    head = {"name": "head", "kind": "gemm", "k": 10, "c": 768}
    assert [len(graph_of({**head, "weight_elements": size}).node[-1].input) for size in (7680, 7690)] == [2, 3]


def test_a_dilated_kernel_is_refused() -> None:
    with pytest.raises(ProblemError, match="without dilation"):
        graph_of({**STEM, "dilation": 4, "pad": 0})
