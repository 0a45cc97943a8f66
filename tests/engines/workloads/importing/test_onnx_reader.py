"""ONNX files made by hand become networks whose figures follow from the sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.onnx_reader import read_onnx
from engines.workloads.loader import load_network
from tests.engines.workloads.importing.onnx_models import convolutional, file, weight, whole


def read(data: bytes, **options: Any) -> ReadDocument:
    return read_onnx(data, "my net.onnx", options)


def treatments(read: ReadDocument) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in read.report["operators"]:
        found.setdefault(row["treatment"], {})[row["operator"]] = row["count"]
    return found


def rows(*arguments: Any, **keywords: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(file(*arguments, **keywords)).content["operations"]
    return found


def test_a_convolutional_network() -> None:
    found = read(convolutional())
    assert [row["kind"] for row in found.content["operations"]] == [
        "conv", "batchnorm", "activation", "depthwise", "eltwise", "pool", "reshape", "gemm",
    ]  # fmt: skip
    network = load_network(found.content)
    assert [layer.macs for layer in network.layers] == [8 * 3 * 9 * 256, 8 * 9 * 256, 80]
    # Stem with bias and the two figures per channel that are left of a batch norm; depthwise; classifier with bias.
    assert network.weight_elements == (216 + 8 + 16) + 72 + 90 == found.report["parameters"]
    assert network.layers[0].folded == ("bn", "relu")
    assert (found.content["slug"], found.content["title"]) == ("my-net", "my net")
    assert "opset 17, written by by-hand" in found.content["source"]
    assert treatments(found)["computed"] == {"Conv": 2, "Gemm": 1} and "unpriced" not in treatments(found)
    assert found.content["summary"].startswith("Computed: Conv × 2, Gemm × 1. Folded into the layer before: Add × 1,")


def test_an_old_file_lists_its_weights_among_the_inputs() -> None:
    made = onnx.ModelProto.FromString(convolutional())
    for tensor in made.graph.initializer:
        made.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    made.ir_version = 3
    found = read(made.SerializeToString())
    assert [each["name"] for each in found.report["inputs"]] == ["image"]
    assert found.content["operations"] == read(convolutional()).content["operations"]


def test_an_open_dimension_is_asked_for_by_name() -> None:
    with pytest.raises(ProblemError, match=r"--dim batch=1.*batch \(axis 0 of image\)") as caught:
        read(convolutional("batch"))
    assert (caught.value.field, caught.value.got) == ("dims", {"batch": None})
    found = read(convolutional("batch"), dims={"batch": 4})
    assert found.report["macs"] == 4 * read(convolutional()).report["macs"]
    assert found.report["parameters"] == read(convolutional()).report["parameters"]
    assert "batch = 4" in found.content["source"]


@pytest.mark.parametrize(
    ("dims", "field"),
    [({"batch": 0}, "dims.batch"), ({"batch": "1"}, "dims.batch"), ({"batch": 10**9}, "dims.batch"),
     ({"batch": True}, "dims.batch"), ({"batch": 1, "other": 2}, "dims"), ([1], "dims")],
)  # fmt: skip
def test_sizes_of_open_dimensions_are_checked(dims: Any, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(convolutional("batch"), dims=dims)
    assert caught.value.field == field


def test_a_dimension_without_a_name_is_named_by_its_place() -> None:
    with pytest.raises(ProblemError, match=r"image\.0 \(axis 0 of image\)"):
        read(convolutional(-1))


CONVOLUTIONS = [
    # operator, input, weight, attributes, what the row says
    ("Conv", [1, 3, 100], [8, 3, 5], {"strides": [2]}, {"kind": "conv", "y": 100, "r": 5, "stride": [2, 2][0]}),
    ("Conv", [1, 4, 9, 9], [8, 2, 3, 3], {"group": 2}, {"kind": "conv", "groups": 2, "k": 8, "c": 4}),
    ("Conv", [2, 4, 9, 9], [8, 1, 3, 3], {"group": 4}, {"kind": "depthwise", "k": 8, "c": 4, "repeats": 2}),
    ("Conv", [1, 4, 9, 9], [8, 4, 3, 3], {"dilations": [2, 1], "pads": [2, 1, 2, 1]}, {"dilation": [2, 1]}),
    ("Conv", [1, 4, 9, 9], [8, 4, 4, 4], {"auto_pad": "SAME_UPPER"}, {"pad": [1, 2, 1, 2]}),
    ("Conv", [1, 4, 9, 9], [8, 4, 3, 3], {"auto_pad": "SAME_LOWER", "strides": [2, 2]}, {"pad": 1, "stride": 2}),
    ("Conv", [1, 4, 9, 9], [8, 4, 3, 3], {"auto_pad": "VALID", "strides": [1, 2]}, {"stride": [1, 2]}),
    ("ConvTranspose", [1, 4, 9, 9], [4, 8, 3, 3], {"strides": [2, 2]}, {"kind": "transposed_conv", "stride": 2}),
    ("ConvTranspose", [1, 4, 9, 9], [4, 2, 3, 3], {"strides": [2, 2], "group": 2, "output_padding": [1, 1],
     "pads": [1, 1, 1, 1]}, {"groups": 2, "k": 4, "pad": [1, 0, 1, 0]}),
    ("ConvTranspose", [1, 4, 9], [4, 2, 3], {"strides": [3]}, {"y": 9, "r": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "image", "kernel", "attributes", "said"), CONVOLUTIONS)
def test_convolutions(
    operator: str, image: list[int], kernel: list[int], attributes: Any, said: dict[str, Any]
) -> None:
    node = helper.make_node(operator, ["x", "w"], ["out"], "it", **attributes)
    found = read(file([node], {"x": image}, [weight("w", *kernel)]))
    (row,) = found.content["operations"]
    assert {key: row.get(key) for key in said} == said
    inferred = onnx.shape_inference.infer_shapes(
        onnx.ModelProto.FromString(file([node], {"x": image}, [weight("w", *kernel)]))
    )
    outputs = [d.dim_value for d in inferred.graph.output[0].type.tensor_type.shape.dim]
    per_place = np.prod(kernel) if operator == "Conv" else np.prod(kernel[1:]) * kernel[0]
    places = outputs[0] * np.prod(outputs[2:]) if operator == "Conv" else image[0] * np.prod(image[2:])
    assert found.report["macs"] == per_place * places
    assert load_network(found.content).layers[0].output_elements == np.prod(outputs)


PRODUCTS = [
    # equation (as numpy's), left, right, which is a weight, MACs, kind
    ("MatMul", [2, 5, 8], [8, 3], "right", 2 * 5 * 8 * 3, "gemm"),
    ("MatMul", [3, 8], [2, 8, 5], "left", 2 * 5 * 8 * 3, "gemm"),
    ("MatMul", [2, 4, 5, 8], [2, 4, 8, 5], "", 8 * 5 * 8 * 5, "matmul"),
    ("MatMul", [2, 4, 5, 8], [4, 8, 6], "right", 8 * 5 * 8 * 6, "conv"),
    ("MatMul", [8], [8], "", 8, "matmul"),
    ("MatMul", [4, 1, 5, 8], [3, 8, 6], "", 12 * 5 * 8 * 6, "matmul"),
    ("bhqd,bhkd->bhqk", [2, 4, 5, 8], [2, 4, 6, 8], "", 8 * 5 * 8 * 6, "matmul"),
    ("bd,dk->bk", [5, 8], [8, 6], "right", 5 * 8 * 6, "gemm"),
    ("dk,bd->bk", [8, 6], [5, 8], "left", 5 * 8 * 6, "gemm"),
    ("ebd,edk->ebk", [4, 5, 8], [4, 8, 6], "right", 4 * 5 * 8 * 6, "conv"),
]


@pytest.mark.parametrize(("equation", "left", "right", "constant", "macs", "kind"), PRODUCTS)
def test_products(equation: str, left: list[int], right: list[int], constant: str, macs: int, kind: str) -> None:
    shapes = {"left": left, "right": right}
    operator = "MatMul" if equation == "MatMul" else "Einsum"
    node = helper.make_node(
        operator, ["left", "right"], ["out"], "it", **({} if operator == "MatMul" else {"equation": equation})
    )
    weights = [weight(constant, *shapes.pop(constant))] if constant else []
    found = read(file([node], shapes, weights))
    (row,) = found.content["operations"]
    assert (row["kind"], found.report["macs"]) == (kind, macs)
    assert found.report["parameters"] == (np.prod(left if constant == "left" else right) if constant else 0)


def test_a_gemm_with_transposed_operands_and_bias() -> None:
    node = helper.make_node("Gemm", ["a", "b", "c"], ["out"], "it", transA=1, transB=1)
    (row,) = rows([node], {"a": [8, 5]}, [weight("b", 3, 8), weight("c", 3)])
    assert row == {"name": "it", "kind": "gemm", "y": 5, "c": 8, "k": 3, "weight_elements": 27}


@pytest.mark.parametrize(("operator", "gates"), [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_recurrent_layers_in_both_directions(operator: str, gates: int) -> None:
    steps, batch, inputs, hidden = 7, 2, 16, 32
    node = helper.make_node(
        operator, ["x", "w", "r", "b"], ["out"], "it", hidden_size=hidden, direction="bidirectional"
    )
    weights = [
        weight("w", 2, gates * hidden, inputs),
        weight("r", 2, gates * hidden, hidden),
        weight("b", 2, 2 * gates * hidden),
    ]
    found = read(file([node], {"x": [steps, batch, inputs]}, weights))
    assert found.report["macs"] == 2 * steps * batch * gates * hidden * (inputs + hidden)
    assert found.report["parameters"] == sum(np.prod(each.dims) for each in weights)
    assert [row["name"] for row in found.content["operations"]] == [
        "it.0.input",
        "it.0.state",
        "it.1.input",
        "it.1.state",
    ]


@pytest.mark.parametrize(
    ("query", "key", "attributes"),
    [([2, 4, 5, 8], [2, 4, 6, 8], {}), ([2, 5, 32], [2, 6, 16], {"q_num_heads": 4, "kv_num_heads": 2})],
)
def test_attention_as_one_operator(query: list[int], key: list[int], attributes: dict[str, int]) -> None:
    node = helper.make_node("Attention", ["q", "k", "v"], ["out"], "it", **attributes)
    found = rows([node], {"q": query, "k": key, "v": key}, opset=23)
    assert [row["kind"] for row in found] == ["matmul", "softmax", "matmul"]
    assert found[0] == {"name": "it.scores", "kind": "matmul", "y": 5, "c": 8, "k": 6, "repeats": 8}
    assert found[2] == {"name": "it.values", "kind": "matmul", "y": 5, "c": 6, "k": 8, "repeats": 8}


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


def with_unknown() -> bytes:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], "project"),
        helper.make_node("GridThing", ["m"], ["g"], "odd", domain="my.domain"),
        helper.make_node("GridThing", ["g"], ["h"], domain="my.domain"),
        helper.make_node("NonZero", ["m"], ["nz"], "found"),
        helper.make_node("MatMul", ["h", "w2"], ["out"], "after"),
    ]
    return file(nodes, {"x": [4, 8]}, [weight("w", 8, 6), weight("w2", 6, 2)])


def test_it_is_listed_by_name_and_count_and_stays_in_the_network() -> None:
    found = read(with_unknown())
    assert treatments(found)["unpriced"] == {"my.domain.GridThing": 2, "NonZero": 1, "MatMul (size not known)": 1}
    unpriced = [row for row in found.content["operations"] if row["kind"] == "unpriced"]
    assert [row["operator"] for row in unpriced].count("my.domain.GridThing") == 2
    assert not any(row.get("excluded") for row in unpriced)
    assert [row["name"] for row in found.content["operations"]] == ["project", "odd", "GridThing_2", "found", "after"]


def test_it_is_left_out_only_by_name() -> None:
    found = read(with_unknown(), exclude=["my.domain.GridThing", "MatMul"])
    assert treatments(found)["excluded"] == {"my.domain.GridThing": 2, "MatMul (size not known)": 1}
    assert treatments(found)["unpriced"] == {"NonZero": 1}
    with pytest.raises(ProblemError, match="GridThing"):
        read(with_unknown(), exclude=["Conv"])


def test_a_convolution_in_three_directions_is_told_with_its_size() -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "volume"),
        helper.make_node("Flatten", ["c"], ["f"], "flat"),
        helper.make_node("MatMul", ["f", "w2"], ["out"], "head"),
    ]
    found = read(file(nodes, {"x": [1, 3, 8, 8, 8]}, [weight("w", 4, 3, 3, 3, 3), weight("w2", 864, 2)]))
    assert treatments(found)["unpriced"] == {"Conv (1 × 3 × 8 × 8 × 8 and 4 × 3 × 3 × 3 × 3)": 1}


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


def test_a_branch_that_nobody_can_know_is_told_with_what_lies_inside() -> None:
    found = read(_branches(None))
    assert treatments(found)["unpriced"] == {"If": 1}
    assert any("2 operators lie inside" in note for note in found.report["notes"])


@pytest.mark.parametrize(("condition", "macs"), [(True, 4 * 8 * 6 + 4 * 6 * 6), (False, 4 * 8 * 6)])
def test_a_branch_whose_condition_is_known_is_followed(condition: bool, macs: int) -> None:
    found = read(_branches(condition))
    assert found.report["macs"] == macs and "unpriced" not in treatments(found)


def test_a_network_that_computes_nothing_is_refused() -> None:
    with pytest.raises(ProblemError, match="at least one that computes"):
        read(file([helper.make_node("Relu", ["x"], ["out"])], {"x": [4]}))


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
    assert [row.get("reads") for row in found] == [None, None, None, None, [2, 3], None, None, None]
    assert load_network(read(convolutional()).content).operations[4].reads == (2, 3)
