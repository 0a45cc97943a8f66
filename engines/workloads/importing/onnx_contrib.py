"""Operators of the domain com.microsoft, into which ONNX Runtime's optimiser joins others, as rows of a network.

Definitions: microsoft/onnxruntime, docs/ContribOperators.md. What stands in neither table is looked up among the standard ones.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from engines.workloads.importing import onnx_operators
from engines.workloads.importing.graph import Node, UnknownSizeError, shape_of
from engines.workloads.importing.onnx_operators import convolution, general_product, matrix_product
from engines.workloads.importing.rows import Row, attention_rows, folded_row, gemm_row, product_row

DOMAIN = "com.microsoft"
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
    """The kind under which an operator is folded into the layer before it; None for one that is not."""
    return FOLDED_KINDS.get(node.operator) or onnx_operators.folded_kind(node)


def compute_rows(node: Node) -> list[Row] | None:
    """Rows of an operator that multiplies and accumulates; None for any other.

    Raises:
        UnknownSizeError: a size that is needed is not known, or is none that a cost model takes.
    """
    if node.operator == f"{DOMAIN}.GatherBlockQuantized":
        return [_packed_table(node)]
    describe = _COMPUTE.get(node.operator)
    return onnx_operators.compute_rows(node) if describe is None else describe(node)


def _fused_product(node: Node) -> list[Row]:
    """`FusedMatMul`: a product whose operands may stand on their side; single numbers scale it."""
    if node.attributes.get("transBatchA") or node.attributes.get("transBatchB"):
        raise UnknownSizeError("batches that are transposed")
    shapes = []
    for index, name in enumerate(("transA", "transB")):
        shape = shape_of(node, index)
        turned = node.attributes.get(name) and len(shape) > 1
        shapes.append((*shape[:-2], shape[-1], shape[-2]) if turned else shape)
    return [product_row(node.name, shapes[0], shapes[1], node.is_weight(0), node.is_weight(1))]


def _packed_product(node: Node) -> list[Row]:
    """`MatMulNBits`: a weight of N x K elements of few bits, packed; scales and zero points are no parameters."""
    columns, rows = _positive(node, "N"), _positive(node, "K")
    left = shape_of(node, 0)
    if left[-1] != rows:
        raise UnknownSizeError(f"{left} by {rows} rows")
    return [gemm_row(node.name, prod(left[:-1]), rows, columns, bias=node.is_weight(5))]


def _packed_table(node: Node) -> Row:
    """`GatherBlockQuantized`: rows of a table of few bits, packed or not; each scale is that of a block of a row."""
    rows, scales = shape_of(node, 0)[0], shape_of(node, 2)
    width = scales[-1] * (_positive(node, "block_size") if "block_size" in node.attributes else 128)
    row = folded_row(node, "embedding")
    return {**row, "weight_elements": rows * width} if node.is_weight(0) else {**row, "kind": "gather"}


def projection_widths(node: Node, weight: tuple[int, ...]) -> tuple[int, int, int]:
    """Columns of query, key and value in the joined weight of `Attention`.

    Raises:
        UnknownSizeError: they do not add up.
    """
    widths = node.attributes.get("qkv_hidden_sizes")
    if not widths:
        widths = [weight[-1] // 3] * 3
    if not isinstance(widths, list) or len(widths) != 3 or sum(widths) != weight[-1] or widths[0] != widths[1]:
        raise UnknownSizeError(f"{widths} of {weight[-1]} columns")
    return widths[0], widths[1], widths[2]


def _joined_attention(past: int, bias: int) -> Callable[[Node], list[Row]]:
    """`Attention`: the projections of query, key and value in one weight, then the products of attention."""

    def describe(node: Node) -> list[Row]:
        batch, steps, inputs = shape_of(node, 0, 3, 3)
        weight, heads = shape_of(node, 1, 2, 2), _positive(node, "num_heads")
        query, _, value = projection_widths(node, weight)
        keys = steps + _past_steps(node, past)
        added = node.is_weight(bias)
        return [
            gemm_row(f"{node.name}.projections", batch * steps, inputs, weight[1], bias=added),
            *attention_rows(node.name, batch * heads, steps, keys, query // heads, value // heads),
        ]

    return describe


def _past_steps(node: Node, index: int) -> int:
    """Keys of earlier steps: of (2, batch, heads, steps, width) or (batch, heads, steps, width)."""
    past = node.tensor(index)
    if past is None:
        return 0
    shape = shape_of(node, index, 4, 5)
    return shape[-2]


def _heads_apart(key_heads: str, past: int) -> Callable[[Node], list[Row]]:
    """`MultiHeadAttention`, `GroupQueryAttention`: projected already, heads side by side."""

    def describe(node: Node) -> list[Row]:
        batch, queries, width = shape_of(node, 0, 3, 3)
        heads, groups = _positive(node, "num_heads"), _positive(node, key_heads)
        key = shape_of(node, 1, 3, 4)
        if len(key) == 4:  # (batch, heads, steps, width), as of another network's cache
            keys, value_width = key[2], shape_of(node, 2, 4, 4)[3]
        else:
            keys, value_width = key[1], shape_of(node, 2, 3, 3)[2] // groups
        return attention_rows(
            node.name, batch * heads, queries, keys + _past_steps(node, past), width // heads, value_width
        )

    return describe


def _positive(node: Node, name: str) -> int:
    value = node.attributes.get(name)
    if not isinstance(value, int) or value < 1:
        raise UnknownSizeError(f"{name} {value!r}")
    return value


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
    "Attention": _joined_attention(past=4, bias=2),
    "QAttention": _joined_attention(past=8, bias=2),
    "MultiHeadAttention": _heads_apart("num_heads", past=6),
    "GroupQueryAttention": _heads_apart("kv_num_heads", past=3),
}
_COMPUTE = {f"{DOMAIN}.{operator}": describe for operator, describe in _OPERATORS.items()}
