from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from engines.workloads.loader import load_network
from tests.engines.workloads.importing.onnx.onnx_models import file, weight
from tests.engines.workloads.importing.read_for_tests import read, rows

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
    assert row == {"name": "it", "kind": "gemm", "y": 5, "c": 8, "k": 3, "weight_elements": 27, "reads": []}


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
    assert found[0] == {"name": "it.scores", "kind": "matmul", "y": 5, "c": 8, "k": 6, "repeats": 8, "reads": []}
    assert found[2] == {"name": "it.values", "kind": "matmul", "y": 5, "c": 6, "k": 8, "repeats": 8}
