"""ONNX files made by hand become networks whose figures follow from the sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.workloads.loader import load_network
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, file, weight, whole
from tests.engines.workloads.importing.read_for_tests import read, rows, treatments


def test_a_convolutional_network() -> None:
    found = read(convolutional())
    assert [row["kind"] for row in found.content["operations"]] == [
        "conv", "batchnorm", "activation", "depthwise", "eltwise", "pool", "reshape", "gemm",
    ]  # fmt: skip
    network = load_network(found.content)
    assert [layer.macs for layer in network.layers] == [8 * 3 * 9 * 256, 8 * 9 * 256, 80]
    # Stem, whose bias is the shift of the batch norm too, and the scale; depthwise; classifier with bias.
    assert network.weight_elements == (216 + 8 + 8) + 72 + 90 == found.report["parameters"]
    assert network.layers[0].folded == ("bn", "relu")
    assert (found.content["slug"], found.content["title"]) == ("my-net", "my net")
    assert "opset 17, written by by-hand" in found.content["source"]
    assert treatments(found)["computed"] == {"Conv": 2, "Gemm": 1} and "unpriced" not in treatments(found)
    assert found.content["summary"].startswith("Computed: Conv × 2, Gemm × 1. Fused into the layer before: Add × 1,")


def test_an_old_file_lists_its_weights_among_the_inputs() -> None:
    made = onnx.ModelProto.FromString(convolutional())
    for tensor in made.graph.initializer:
        made.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    made.ir_version = 3
    found = read(made.SerializeToString())
    assert [each["name"] for each in found.report["inputs"]] == ["image"]
    assert found.content["operations"] == read(convolutional()).content["operations"]


def test_an_embedding_is_a_table_and_a_gather_of_activations_is_none() -> None:
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["e"], "embed"),
        helper.make_node("MatMul", ["e", "w"], ["m"], "project"),
        helper.make_node("Gather", ["m", "first"], ["out"], "pick", axis=1),
    ]
    found = rows(nodes, {}, [weight("table", 100, 32), weight("w", 32, 8), whole("first", 0)], ids=[1, 7])
    assert [row["kind"] for row in found] == ["embedding", "gemm", "gather"]
    assert found[0] == {
        "name": "embed",
        "kind": "embedding",
        "weight_elements": 3200,
        "input_elements": 7,
        "output_elements": 224,
        "reads": [],
    }


def test_what_depends_on_no_sample_is_prepared_and_told() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], "shape"),
        helper.make_node("Transpose", ["w"], ["t"], "turn"),
        helper.make_node("MatMul", ["x", "t"], ["m"], "project"),
        helper.make_node("Reshape", ["m", "s2"], ["out"], "again"),
        helper.make_node("Concat", ["s", "s"], ["unused"], "join", axis=0),
    ]
    found = read(file(nodes, {"x": [4, 8]}, [weight("w", 6, 8), whole("s2", 24)]))
    assert [row["name"] for row in found.content["operations"]] == ["project", "again"]
    assert treatments(found)["prepared"] == {"Shape": 1, "Transpose": 1, "Concat": 1}


def test_a_quantised_network_counts_as_the_one_it_stands_for() -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "scale"], ["wf"], "w"),
        helper.make_node("MatMul", ["x", "wf"], ["m"], "project"),
        helper.make_node("QuantizeLinear", ["m", "scale"], ["q"], "q"),
        helper.make_node("MatMulInteger", ["q", "w2"], ["out"], "again"),
    ]
    weights = [weight("w", 8, 6, kind=np.int8), weight("scale"), weight("w2", 6, 3, kind=np.uint8)]
    found = read(file(nodes, {"x": [4, 8]}, weights))
    assert (found.report["macs"], found.report["parameters"]) == (4 * 8 * 6 + 4 * 6 * 3, 48 + 18)


# -- what no cost model knows -----------------------------------------------------------------------------------------


def test_a_convolution_in_three_directions_is_told_with_its_size() -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "volume"),
        helper.make_node("Flatten", ["c"], ["f"], "flat"),
        helper.make_node("MatMul", ["f", "w2"], ["out"], "head"),
    ]
    found = read(file(nodes, {"x": [1, 3, 8, 8, 8]}, [weight("w", 4, 3, 3, 3, 3), weight("w2", 864, 2)]))
    assert treatments(found)["unpriced"] == {"Conv (1 × 3 × 8 × 8 × 8 and 4 × 3 × 3 × 3 × 3)": 1}
    assert any("one or two spatial dimensions, not 3" in note for note in found.report["notes"])


def _branches(condition: Any) -> bytes:
    """A product, then one of two branches: another product, or none."""
    ends = [helper.make_tensor_value_info("inner", TensorProto.FLOAT, [4, 6])]
    then = helper.make_graph([helper.make_node("MatMul", ["m", "v"], ["inner"], "again")], "then", [], ends)
    other = helper.make_graph([helper.make_node("Relu", ["m"], ["inner"])], "other", [], ends)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], "project"),
        helper.make_node("If", ["yes"], ["out"], "maybe", then_branch=then, else_branch=other),
    ]
    weights = [weight("w", 8, 6), weight("v", 6, 6)]
    if condition is not None:
        return file(nodes, {"x": [4, 8]}, [*weights, numpy_helper.from_array(np.array(condition), "yes")])
    made = onnx.ModelProto.FromString(file(nodes, {"x": [4, 8]}, weights))
    made.graph.input.append(helper.make_tensor_value_info("yes", TensorProto.BOOL, []))
    return bytes(made.SerializeToString())


def test_a_branch_that_depends_on_the_data_is_named_and_can_be_chosen() -> None:
    found = read(_branches(None))
    assert treatments(found)["unpriced"] == {"If": 1} and found.report["open_sizes"] == [
        {"name": "yes", "operator": "If"}
    ]
    assert any("yes depends on the data (1 takes its first branch" in note for note in found.report["notes"])
    assert [read(_branches(None), dims={"yes": yes}).report["macs"] for yes in (1, 0)] == [
        4 * 8 * 6 + 4 * 6 * 6,
        4 * 8 * 6,
    ]
    assert any("2 operators lie inside" in note for note in found.report["notes"])


@pytest.mark.parametrize(("condition", "macs"), [(True, 4 * 8 * 6 + 4 * 6 * 6), (False, 4 * 8 * 6)])
def test_a_branch_whose_condition_is_known_is_followed(condition: bool, macs: int) -> None:
    found = read(_branches(condition))
    assert found.report["macs"] == macs and "unpriced" not in treatments(found)


def test_functions_of_the_file_are_unfolded() -> None:
    inner = helper.make_function(
        "my.domain", "Twice", ["a", "w"], ["b"],
        [helper.make_node("MatMul", ["a", "w"], ["m"]), helper.make_node("MatMul", ["m", "w"], ["b"])],
        [helper.make_opsetid("", 17)],
    )  # fmt: skip
    data = file(
        [helper.make_node("Twice", ["x", "w"], ["out"], domain="my.domain")], {"x": [4, 8]}, [weight("w", 8, 8)]
    )
    made = onnx.ModelProto.FromString(data)
    made.functions.append(inner)
    assert read(made.SerializeToString()).report["macs"] == 2 * 4 * 64


def test_what_reads_more_than_the_row_before_says_so() -> None:
    found = read(convolutional()).content["operations"]
    assert [row.get("reads") for row in found] == [[], None, None, None, [2, 3], None, None, None]
    assert load_network(read(convolutional()).content).operations[4].reads == (2, 3)
