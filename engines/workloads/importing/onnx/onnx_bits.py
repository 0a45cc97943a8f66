"""Bits that an ONNX file stores weights in, of the whole and by operator: types of tensors, and what packed operators say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import prod

import onnx

from engines.workloads.importing.graph import OperatorBits
from engines.workloads.importing.onnx.onnx_file import graphs_in

_Type = onnx.TensorProto
_FLOATING = {getattr(_Type, name): bits for bits, names in {
    16: ("FLOAT16", "BFLOAT16"),
    8: ("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0"),
    4: ("FLOAT4E2M1",),
}.items() for name in names if hasattr(_Type, name)}  # fmt: skip
_WHOLE = {getattr(_Type, name): bits for bits, names in {
    8: ("INT8", "UINT8"), 4: ("INT4", "UINT4"), 2: ("INT2", "UINT2"),
}.items() for name in names if hasattr(_Type, name)}  # fmt: skip
# Operators with packed weights -> attribute with their bits, 4 where it is left out.
_PACKED = {
    "MatMulNBits": "bits", "GatherBlockQuantized": "bits", "MatMulBnb4": "bits", "QMoE": "expert_weight_bits",
}  # fmt: skip
_PACKED_BITS = 4
_QUANTISED_TYPES = {**_WHOLE, **{kind: bits for kind, bits in _FLOATING.items() if bits <= 8}}
_SCALE_BITS: dict[int, int] = {_Type.FLOAT: 32, _Type.FLOAT16: 16, _Type.BFLOAT16: 16}
_SCALE_BITS_USUAL = 16
# What passes a stored tensor on, whole or in part.
_PASSING = {"Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Slice", "Gather", "Split", "Expand"}
_QUANTISED = {
    "DequantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm", "QAttention", "QConv",
    "DynamicQuantizeMatMul", "DynamicQuantizeLSTM", "MatMulIntegerToFloat", "QEmbedLayerNormalization", "QLinearConvTranspose",
}  # fmt: skip
# Those of them that give whole numbers, or read activations of 8 bits.
_INTEGER = {"QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm", "QConv", "MatMulIntegerToFloat",
            "DynamicQuantizeMatMul", "QAttention", "QLinearConvTranspose"}  # fmt: skip
_INTEGER_BITS = 8


def weight_bits(graph: onnx.GraphProto) -> int | None:
    """Return the fewest bits that weights are stored in, of a graph and those that it holds; None where all have 32 or more.

    Args:
        graph: as the file has it, before weights are taken out.
    """
    return min(_found(graph, {}), default=None)


def operator_bits(graph: onnx.GraphProto) -> dict[str, OperatorBits]:
    """Return name of the first output of an operator -> its bits, of those that read quantised tensors.

    Weights of 16 bits say how a file was saved, not how a device computes: they count as floating point here.

    Args:
        graph: as the file has it, before weights are taken out; graphs inside of operators are not looked at.
    """
    tensors = [*graph.initializer, *(_renamed(each.t, node) for node in graph.node if node.op_type == "Constant"
                                     for each in node.attribute)]  # fmt: skip
    types = {each.name: each.data_type for each in tensors}
    weights = {name: float(_QUANTISED_TYPES[kind]) for name, kind in types.items() if kind in _QUANTISED_TYPES}
    activations: dict[str, float] = {}
    found: dict[str, OperatorBits] = {}
    for node in graph.node:
        if not node.output:
            continue
        stored = next((weights[name] for name in node.input if name in weights), 0.0)
        moved = next((activations[name] for name in node.input if name in activations), 0.0)
        if node.op_type in _PACKED:
            found[node.output[0]] = OperatorBits(_packed_bits(node, types))
        elif node.op_type == "QuantizeLinear":
            bits = float(_QUANTISED_TYPES.get(_quantised_type(node, tensors), 8))
            (weights if node.input[0] in types else activations)[node.output[0]] = bits
        elif node.op_type == "DequantizeLinear":
            if stored := weights.get(node.input[0], 0.0):
                weights[node.output[0]] = stored + _shared_bits(node, stored, types)
            elif node.input[0] in activations:
                activations[node.output[0]] = activations[node.input[0]]
        elif node.op_type in _PASSING:
            weights |= {node.output[0]: stored} if stored else {}
            activations |= {node.output[0]: moved} if moved else {}
        elif node.op_type in _INTEGER and stored:
            found[node.output[0]] = OperatorBits(stored, float(_INTEGER_BITS))
            activations[node.output[0]] = float(_INTEGER_BITS)
        elif stored or moved:
            found[node.output[0]] = OperatorBits(stored, moved)
    return found


def _packed_bits(node: onnx.NodeProto, types: Mapping[str, int]) -> float:
    """Return the bits of a weight of an operator with packed weights: inputs are data, weights, scales, zero points."""
    given = {each.name: each.i for each in node.attribute}
    bits: int = given.get(_PACKED[node.op_type], _PACKED_BITS)
    block: int = given.get("block_size", 0)
    scale = _SCALE_BITS.get(types.get(node.input[2], 0), _SCALE_BITS_USUAL) if len(node.input) > 2 else 0
    zero = bits if len(node.input) > 3 and node.input[3] else 0
    return bits + ((scale + zero) / block if block else 0.0)


def _shared_bits(node: onnx.NodeProto, bits: float, types: Mapping[str, int]) -> float:
    """Return the extra bits per weight for the scales of blocks of weights; 0 for a scale per channel or tensor."""
    block = next((each.i for each in node.attribute if each.name == "block_size"), 0)
    zero = bits if len(node.input) > 2 and node.input[2] else 0.0
    scale = _SCALE_BITS.get(types.get(node.input[1], 0), _SCALE_BITS_USUAL)
    return (scale + zero) / block if block else 0.0


def _found(graph: onnx.GraphProto, outer: Mapping[str, int]) -> Iterator[int]:
    constants = [_renamed(each.t, node) for node in graph.node if node.op_type == "Constant" for each in node.attribute]
    tensors = [*graph.initializer, *(each.values for each in graph.sparse_initializer), *constants]
    # Name -> type of what is stored; one number alone is a scale or a step.
    stored = {**outer, **{each.name: each.data_type for each in tensors if prod(each.dims) > 1}}
    yield from (_FLOATING[each.data_type] for each in tensors if len(each.dims) > 1 and each.data_type in _FLOATING)
    for node in graph.node:
        if node.op_type in _PACKED:
            yield next((each.i for each in node.attribute if each.name == _PACKED[node.op_type]), _PACKED_BITS)
        elif node.op_type == "QuantizeLinear" and node.input[0] in stored:
            stored[node.output[0]] = _quantised_type(node, tensors)
        elif node.op_type in _PASSING and node.input and node.input[0] in stored:
            stored |= dict.fromkeys(node.output, stored[node.input[0]])
        elif node.op_type in _QUANTISED:
            given = [stored[name] for name in node.input if name in stored]
            yield from ((_WHOLE | _FLOATING)[kind] for kind in given if kind in _WHOLE or kind in _FLOATING)
        for inner in graphs_in(node):
            yield from _found(inner, stored)


def _renamed(tensor: onnx.TensorProto, node: onnx.NodeProto) -> onnx.TensorProto:
    """Return the type and sizes of a constant, by the name that the graph reads it by."""
    return onnx.TensorProto(name=node.output[0] if node.output else "", data_type=tensor.data_type, dims=tensor.dims)


def _quantised_type(node: onnx.NodeProto, tensors: Iterable[onnx.TensorProto]) -> int:
    """Return the type that weights are quantised to when the network is loaded: that of the zero point, or the one declared."""
    declared = next((each.i for each in node.attribute if each.name == "output_dtype" and each.i), 0)
    zero = node.input[2] if len(node.input) > 2 else ""
    return declared or next((each.data_type for each in tensors if zero and each.name == zero), _Type.UINT8)
