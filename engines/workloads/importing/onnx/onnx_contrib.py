"""Operators of the domain com.microsoft, into which ONNX Runtime's optimiser joins others, as rows of a network.

Definitions: microsoft/onnxruntime, docs/ContribOperators.md. What stands in neither table is looked up among the standard ones.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from engines.workloads.importing.graph import ContradictionError, Node, UnknownSizeError, shape_of
from engines.workloads.importing.onnx import onnx_operators
from engines.workloads.importing.onnx.onnx_attention import (
    ATTENTION,
    DOMAIN,
    JOINED_ATTENTION,
    AttentionSizes,
    positive,
)
from engines.workloads.importing.onnx.onnx_operators import convolution, general_product, matrix_product
from engines.workloads.importing.rows import Row, folded_row, gemm_row, product_row

_FOLDED = {
    "activation": "Gelu FastGelu BiasGelu QuickGelu BiasSplitGelu QLinearSigmoid QLinearLeakyRelu BiasDropout BitmaskDropout "
    "DequantizeLinear QuantizeLinear",
    "norm": "LayerNormalization SimplifiedLayerNormalization SkipLayerNormalization SkipSimplifiedLayerNormalization GroupNorm "
    "SkipGroupNorm",
    "softmax": "BiasSoftmax QLinearSoftmax",
    "eltwise": "BiasAdd QLinearAdd QLinearMul RotaryEmbedding",
    "concat": "QLinearConcat",
    "pool": "QLinearGlobalAveragePool QLinearAveragePool NhwcMaxPool",
    "embedding": "EmbedLayerNormalization",
}
FOLDED_KINDS = {f"{DOMAIN}.{operator}": kind for kind, operators in _FOLDED.items() for operator in operators.split()}


def folded_kind(node: Node) -> str | None:
    """Return the kind under which an operator is folded into the layer before it; None for one that is not."""
    return FOLDED_KINDS.get(node.operator) or onnx_operators.folded_kind(node)


def compute_rows(node: Node) -> list[Row] | None:
    """Return the rows of an operator that multiplies and accumulates; None for any other.

    Raises:
        UnknownSizeError: a size that is needed is not known, or is none that a cost model takes.
    """
    if node.operator == f"{DOMAIN}.GatherBlockQuantized":
        return [_packed_table(node)]
    describe = _COMPUTE.get(node.operator)
    return onnx_operators.compute_rows(node) if describe is None else describe(node)


def _fused_product(node: Node) -> list[Row]:
    """Return `FusedMatMul`: a product whose operands may stand on their side; single numbers scale it."""
    if node.attributes.get("transBatchA") or node.attributes.get("transBatchB"):
        raise UnknownSizeError("batches that are transposed")
    shapes = []
    for index, name in enumerate(("transA", "transB")):
        shape = shape_of(node, index)
        turned = node.attributes.get(name) and len(shape) > 1
        shapes.append((*shape[:-2], shape[-1], shape[-2]) if turned else shape)
    return [product_row(node.name, shapes[0], shapes[1], node.is_weight(0), node.is_weight(1))]


def _packed_product(node: Node) -> list[Row]:
    """Return `MatMulNBits`: a weight of N x K elements of few bits, packed; scales and zero points are no parameters."""
    columns, rows = positive(node, "N"), positive(node, "K")
    left = shape_of(node, 0)
    if left[-1] != rows:
        raise ContradictionError(f"a weight of {rows} rows for {left[-1]} columns")
    return [gemm_row(node.name, prod(left[:-1]), rows, columns, bias=node.is_weight(5))]


def _packed_table(node: Node) -> Row:
    """Return `GatherBlockQuantized`: rows of a table of few bits, packed or not; each scale is that of a block of a row."""
    rows, scales = shape_of(node, 0)[0], shape_of(node, 2)
    width = scales[-1] * (positive(node, "block_size") if "block_size" in node.attributes else 128)
    row = folded_row(node, "embedding")
    return {**row, "weight_elements": rows * width} if node.is_weight(0) else {**row, "kind": "gather"}


def _attention(sizes_of: Callable[[Node], AttentionSizes]) -> Callable[[Node], list[Row]]:
    """Return the attention on queries, keys and values that are projected already."""
    return lambda node: sizes_of(node).rows(node.name)


def _joined_attention(sizes_of: Callable[[Node], AttentionSizes]) -> Callable[[Node], list[Row]]:
    """Return `Attention`: the projections of query, key and value in one weight, then the products of attention."""

    def describe(node: Node) -> list[Row]:
        sizes, (inputs, columns) = sizes_of(node), shape_of(node, 1, 2, 2)
        steps, added = sizes.batch * sizes.queries, node.is_weight(2)
        return [gemm_row(f"{node.name}.projections", steps, inputs, columns, bias=added), *sizes.rows(node.name)]

    return describe


def _quantised_convolution(node: Node) -> list[Row]:
    if node.attributes.get("channels_last"):
        raise UnknownSizeError("channels last")
    return convolution(node, weight=3, bias=8)


_OPERATORS: dict[str, Callable[[Node], list[Row]]] = {
    "FusedConv": convolution,
    "FusedGemm": general_product,
    "FusedMatMul": _fused_product,
    "TransposeMatMul": _fused_product,
    "MatMulNBits": _packed_product,
    "DynamicQuantizeMatMul": matrix_product,
    "MatMulIntegerToFloat": matrix_product,
    "QGemm": lambda node: general_product(node, 3, 6),
    "QLinearConv": _quantised_convolution,
    **{operator: _attention(sizes_of) for operator, sizes_of in ATTENTION.items()},
    **{operator: _joined_attention(sizes_of) for operator, sizes_of in JOINED_ATTENTION.items()},
}
_COMPUTE = {f"{DOMAIN}.{operator}": describe for operator, describe in _OPERATORS.items()}
