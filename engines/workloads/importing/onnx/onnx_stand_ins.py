"""Stand-ins for operators of com.microsoft, so that ONNX's own inference finds the sizes of what comes after them.

Each becomes a standard operator whose first output has the same size; what it computes is of no account here. Operators that have
none, and their further outputs, keep the sizes that the file tells, if it tells any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import onnx
from onnx import TensorProto, helper

_DOMAIN = "com.microsoft"
Shapes = Mapping[str, tuple[int, ...]]
_Found = tuple[onnx.NodeProto, onnx.ValueInfoProto | None]  # the stand-in, and a weight that it reads
_CONVOLUTION = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
_POOL = ("auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides")


def stands_in(node: onnx.NodeProto) -> bool:
    """Return whether there is a stand-in for an operator."""
    return node.domain == _DOMAIN and node.op_type in _STAND_INS


def with_stand_ins(model: onnx.ModelProto, weights: Shapes) -> onnx.ModelProto:
    """Return a copy of the model for inference alone; the model itself where nothing is to be replaced.

    Args:
        model: its weights are taken out already.
        weights: name -> shape of every weight.
    """
    if not any(stands_in(node) for node in model.graph.node):
        return model
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    nodes = []
    for number, node in enumerate(copy.graph.node):
        found = stand_in(node, weights, f"__weight_of_{number}") if stands_in(node) else None
        nodes.append(node if found is None else found[0])
        if found is not None and found[1] is not None:
            copy.graph.input.append(found[1])
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del copy.graph.node[:]
    copy.graph.node.extend(kept)
    return copy


def stand_in(node: onnx.NodeProto, weights: Shapes, name: str) -> _Found | None:
    """Return a standard operator whose first output has the same size, and the weight of that name that it reads, if any.

    None where there is none, where the operator has not the inputs and attributes that it needs, or channels last, which no
    standard one has.
    """
    if not stands_in(node) or not node.output or not node.input or _whole(node, "channels_last"):
        return None
    try:
        return _STAND_INS[node.op_type](node, weights, name)
    except (IndexError, TypeError, ValueError):
        return None


def _node(
    operator: str, inputs: Iterable[str], node: onnx.NodeProto, attributes: Iterable[str] = (), **more: Any
) -> _Found:
    made = helper.make_node(operator, list(inputs), [node.output[0]], **more)
    wanted = set(attributes)
    made.attribute.extend(each for each in node.attribute if each.name in wanted)
    return made, None


def _whole(node: onnx.NodeProto, name: str) -> Any:
    """Return the value of an attribute; None where it is left out."""
    return next((helper.get_attribute_value(each) for each in node.attribute if each.name == name), None)


def _same(node: onnx.NodeProto, _weights: Shapes, _name: str) -> _Found:
    return _node("Identity", node.input[:1], node)


def _takes(operator: str, places: Iterable[int], attributes: Iterable[str] = ()) -> Callable[..., _Found]:
    """Return a standard operator on the inputs of these numbers."""

    def make(node: onnx.NodeProto, _weights: Shapes, _name: str) -> _Found:
        return _node(operator, [node.input[place] for place in places if place < len(node.input)], node, attributes)

    return make


def _turned_product(node: onnx.NodeProto, weights: Shapes, _name: str) -> _Found | None:
    if _whole(node, "transBatchA") or _whole(node, "transBatchB"):
        return None
    left, right = "ji" if _whole(node, "transA") else "ij", "kj" if _whole(node, "transB") else "jk"
    # Inference wants equally many dimensions behind each ellipsis.
    many = "" if len(weights.get(node.input[1], ())) == 2 else "..."
    return _node("Einsum", node.input[:2], node, equation=f"...{left},{many}{right}->...ik")


def _by_weight(node: onnx.NodeProto, name: str, rows: Any, columns: Any) -> _Found | None:
    """Return a product with a weight of its own, which has only a size."""
    if not all(isinstance(size, int) and 0 < size < 2**31 for size in (rows, columns)):
        return None
    weight = helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, columns])
    made, _ = _node("MatMul", [node.input[0], name], node)
    return made, weight


def _packed(node: onnx.NodeProto, _weights: Shapes, name: str) -> _Found | None:
    return _by_weight(node, name, _whole(node, "K"), _whole(node, "N"))


def _packed_table(node: onnx.NodeProto, weights: Shapes, name: str) -> _Found | None:
    """Return a table as wide as the blocks of its scales."""
    rows, scales = weights.get(node.input[0]), weights.get(node.input[2])
    if not rows or not scales:
        return None
    width = scales[-1] * (_whole(node, "block_size") or 128)
    table = helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows[0], width])
    return _node("Gather", [name, node.input[1]], node)[0], table


def _embedding(node: onnx.NodeProto, _weights: Shapes, _name: str) -> _Found:
    return _node("Gather", [node.input[2], node.input[0]], node)


def _joined(node: onnx.NodeProto, _weights: Shapes, _name: str) -> _Found:
    return _node("Concat", node.input[2::3], node, ("axis",))


_SAME = (
    "Gelu FastGelu BiasGelu QuickGelu QLinearSigmoid QLinearLeakyRelu BiasDropout LayerNormalization SimplifiedLayerNormalization "
    "SkipLayerNormalization SkipSimplifiedLayerNormalization GroupNorm SkipGroupNorm BiasSoftmax QLinearSoftmax BiasAdd "
    "RotaryEmbedding QuantizeLinear DequantizeLinear"
)
_STAND_INS: Mapping[str, Callable[[onnx.NodeProto, Shapes, str], _Found | None]] = {
    **dict.fromkeys(_SAME.split(), _same),
    "FusedConv": _takes("Conv", (0, 1), _CONVOLUTION),
    "QLinearConv": _takes("Conv", (0, 3), _CONVOLUTION),
    "FusedGemm": _takes("Gemm", (0, 1), ("transA", "transB")),
    "QGemm": _takes("Gemm", (0, 3), ("transA", "transB")),
    "FusedMatMul": _turned_product,
    "TransposeMatMul": _turned_product,
    "DynamicQuantizeMatMul": _takes("MatMul", (0, 1)),
    "MatMulIntegerToFloat": _takes("MatMul", (0, 1)),
    "MatMulNBits": _packed,
    "GatherBlockQuantized": _packed_table,
    "EmbedLayerNormalization": _embedding,
    "QLinearAdd": _takes("Add", (0, 3)),
    "QLinearMul": _takes("Mul", (0, 3)),
    "QLinearConcat": _joined,
    "QLinearGlobalAveragePool": _takes("GlobalAveragePool", (0,)),
    "QLinearAveragePool": _takes("AveragePool", (0,), _POOL),
}
