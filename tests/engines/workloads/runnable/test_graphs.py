"""Vision graph networks as files: neighbours are ranked and gathered as many as the document says."""

from __future__ import annotations

import base64
from collections import Counter
from pathlib import Path

import onnx
import pytest

from engines.contract.errors import ProblemError
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import COMPUTE_KINDS, Network
from engines.workloads.runnable.build import file_of, runnable_network, unwritten
from engines.workloads.vision_graph_rows import GraphBlock, GraphOperator, grapher
from tests.engines.runnable_designs import executed

OPERATORS: tuple[GraphOperator, ...] = ("max-relative", "edge", "gin", "sage")


def one_block(operator: GraphOperator, pooling: int = 1, dilation: int = 2) -> Network:
    """A Grapher on 64 nodes of 8 channels, each with 4 neighbours."""
    rows = grapher("grapher1", GraphBlock(operator, 8, 8, 4, dilation, pooling))
    content = {
        "schema": "network/1",
        "slug": "block",
        "title": "Block",
        "short_title": "Block",
        "source": "made for tests",
    }
    return load_network({**content, "operations": rows})


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("pooling", "dilation"), [(1, 1), (1, 3), (2, 4)])
def test_a_graph_operator_runs(tmp_path: Path, operator: GraphOperator, pooling: int, dilation: int) -> None:
    network = one_block(operator, pooling, dilation)
    told = {"about": file_of(runnable_network(network))}
    told["onnx"] = told["about"]["onnx"]
    assert executed(told, tmp_path) >= 1
    model = onnx.shape_inference.infer_shapes(onnx.load_from_string(base64.b64decode(str(told["onnx"]))))
    shapes = {
        each.name: [size.dim_value for size in each.type.tensor_type.shape.dim] for each in model.graph.value_info
    }
    for node in model.graph.node:
        if node.op_type == "TopK":
            assert shapes[node.output[1]] == [1, 64, 4 * dilation]
        if node.op_type == "Gather":
            assert shapes[node.output[0]] == [1, 8, 64 * 4] and shapes[node.input[0]] == [1, 8, 64 // pooling**2]
        if node.name.endswith(".combine.conv") or node.name.endswith(".aggregate.conv"):
            operation = next(each for each in network.operations if each.name == node.name)
            assert shapes[node.output[0]] == [1, operation.k, operation.oy, operation.ox]


@pytest.mark.parametrize("slug", ["magnas-cifar-100-a3", "vig-ti"])
def test_every_operation_of_a_network_has_its_node(slug: str) -> None:
    network = builtin_network(slug)
    nodes = onnx.load_from_string(runnable_network(network).onnx).graph.node
    names, counted = {node.name for node in nodes}, Counter(node.op_type for node in nodes)
    kinds = Counter(each.kind for each in network.operations)
    assert {each.name for each in network.operations if each.kind in COMPUTE_KINDS} <= names
    assert (counted["TopK"], counted["Gather"]) == (kinds["topk"], kinds["gather"])


def test_what_else_is_gathered_is_refused_by_name() -> None:
    swin = builtin_network("swin-v2-t")
    assert unwritten(swin) == ["gather"]
    with pytest.raises(ProblemError, match="swin-v2-t with gather"):
        runnable_network(swin)
