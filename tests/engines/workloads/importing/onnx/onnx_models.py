"""Small ONNX files made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Shape = Sequence[int | str | None]


def weight(name: str, *shape: int, kind: Any = np.float32) -> onnx.TensorProto:
    return numpy_helper.from_array(np.zeros(shape, kind), name)


def whole(name: str, *values: int) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(values, np.int64), name)


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: dict[str, Shape],
    weights: Sequence[onnx.TensorProto] = (),
    output: str = "out",
    opset: int = 17,
    **inputs_of_whole_numbers: Shape,
) -> onnx.ModelProto:
    """A model that gives `output`; further inputs are of whole numbers."""
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()]
    given += [helper.make_tensor_value_info(n, TensorProto.INT64, s) for n, s in inputs_of_whole_numbers.items()]
    result = helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
    graph = helper.make_graph(list(nodes), "g", given, [result], list(weights))
    opsets = [helper.make_opsetid(*each) for each in (("", opset), ("my.domain", 1), ("com.microsoft", 1))]
    return helper.make_model(graph, opset_imports=opsets, producer_name="by-hand", ir_version=10)


def file(*arguments: Any, **keywords: Any) -> bytes:
    return bytes(model(*arguments, **keywords).SerializeToString())


def convolutional(batch: int | str = 1) -> bytes:
    """Two convolutions with batch norm, pooling and a classifier."""
    nodes = [
        helper.make_node("Conv", ["image", "w1", "b1"], ["c1"], "stem", strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["c1", "s", "b1", "m", "v"], ["n1"], "bn"),
        helper.make_node("Relu", ["n1"], ["r1"], "relu"),
        helper.make_node("Conv", ["r1", "w2"], ["c2"], "depth", group=8, pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c2", "r1"], ["a"], "skip"),
        helper.make_node("GlobalAveragePool", ["a"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flat"),
        helper.make_node("Gemm", ["f", "w3", "b3"], ["out"], "head", transB=1),
    ]
    weights = [weight("w1", 8, 3, 3, 3), weight("w2", 8, 1, 3, 3), weight("w3", 10, 8), weight("b3", 10)]
    weights += [weight(name, 8) for name in ("b1", "s", "m", "v")]
    return file(nodes, {"image": [batch, 3, 32, 32]}, weights)


def with_unknown() -> bytes:
    """Two products with an operator between them that nobody knows."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], "project"),
        helper.make_node("GridThing", ["m"], ["g"], "odd", domain="my.domain"),
        helper.make_node("GridThing", ["g"], ["h"], domain="my.domain"),
        helper.make_node("NonZero", ["m"], ["nz"], "found"),
        helper.make_node("MatMul", ["h", "w2"], ["out"], "after"),
    ]
    return file(nodes, {"x": [4, 8]}, [weight("w", 8, 6), weight("w2", 6, 2)])
