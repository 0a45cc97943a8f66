"""ONNX operators as rows of a network: which compute and how, which are folded, and by what name all others are listed.

Definitions: https://onnx.ai/onnx/operators/. An operator that stands in neither table has no cost model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.workloads.importing.einsum import einsum_rows
from engines.workloads.importing.graph import ContradictionError, Node, UnknownSizeError, output_shape, shape_of
from engines.workloads.importing.onnx.onnx_attention import standard_attention
from engines.workloads.importing.rows import (
    Row,
    convolution_row,
    product_row,
    recurrent_rows,
    transposed_row,
    with_bias,
)

_FOLDED = {
    "batchnorm": "BatchNormalization",
    "activation": "Relu LeakyRelu PRelu Sigmoid HardSigmoid HardSwish Swish Tanh Gelu Elu Selu Celu Softplus Softsign Mish Clip "
    "ThresholdedRelu Shrink Erf Exp Log Sqrt Abs Neg Reciprocal Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Not Sign "
    "Floor Ceil Round BitwiseNot IsNaN IsInf Dropout Cast CastLike QuantizeLinear DequantizeLinear DynamicQuantizeLinear",
    "pool": "MaxPool AveragePool GlobalAveragePool GlobalMaxPool LpPool GlobalLpPool",
    "norm": "LayerNormalization InstanceNormalization GroupNormalization RMSNormalization LRN LpNormalization "
    "MeanVarianceNormalization",
    "softmax": "Softmax LogSoftmax Hardmax",
    "eltwise": "Add Sub Mul Div Pow Max Min Mean Sum Mod And Or Xor Equal Greater Less GreaterOrEqual LessOrEqual Where BitShift "
    "BitwiseAnd BitwiseOr BitwiseXor Einsum RotaryEmbedding",
    "concat": "Concat ConcatFromSequence",
    "reshape": "Reshape Flatten Squeeze Unsqueeze Transpose Split Slice Expand Tile Pad DepthToSpace SpaceToDepth Identity Trilu "
    "ReverseSequence Shape Size Constant ConstantOfShape Range EyeLike Col2Im CenterCropPad SplitToSequence SequenceConstruct "
    "SequenceEmpty SequenceInsert SequenceErase SequenceAt SequenceLength",
    "resize": "Resize Upsample",
    "reduce": "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare "
    "ArgMax ArgMin CumSum",
    "gather": "GatherElements GatherND ScatterElements ScatterND Scatter TensorScatter OneHot",
    "topk": "TopK",
}
FOLDED_KINDS = {operator: kind for kind, operators in _FOLDED.items() for operator in operators.split()}


def folded_kind(node: Node) -> str | None:
    """Return the kind under which an operator is folded into the layer before it; None for one that is not."""
    if node.operator == "Gather":
        table = node.tensor(0)
        return "embedding" if table is not None and table.weight else "gather"
    return FOLDED_KINDS.get(node.operator)


def compute_rows(node: Node) -> list[Row] | None:
    """Return the rows of an operator that multiplies and accumulates; None for any other.

    Raises:
        UnknownSizeError: a size that is needed is not known, or is none that a cost model takes.
    """
    describe = _COMPUTE.get(node.operator)
    if node.operator in _STRETCHED:
        _check_stretched(node)
    return None if describe is None else describe(node)


# Their further inputs are stretched to the size of the first; ONNX's inference does not look at them.
_STRETCHED = ("PRelu", "LayerNormalization", "RMSNormalization")


def _check_stretched(node: Node) -> None:
    first, *rest = (None if tensor is None else tensor.shape for tensor in node.inputs)
    for shape in rest:
        if first is None or shape is None:
            continue
        if len(shape) > len(first) or any(b not in (1, a) for a, b in zip(first[::-1], shape[::-1], strict=False)):
            raise ContradictionError(f"{shape} for {first}")


# -- convolution ------------------------------------------------------------------------------------------------------


def convolution(node: Node, image: int = 0, weight: int = 1, bias: int | None = 2) -> list[Row]:
    """Return a convolution whose image, weight and bias are the inputs of these numbers.

    Raises:
        UnknownSizeError: sizes that are not known, or do not fit.
    """
    batch, inputs, *sizes = shape_of(node, image, least=3)
    directions = len(sizes)
    outputs, per_group, *kernel = shape_of(node, weight, directions + 2, directions + 2)
    groups = _groups(node, inputs, outputs)
    if per_group * groups != inputs:
        raise ContradictionError(f"weights of {groups} groups of {per_group} channels for {inputs}")
    strides, dilations = (_each(node, name, directions, 1) for name in ("strides", "dilations"))
    row = convolution_row(
        node.name, batch, sizes, (outputs, inputs), kernel, strides=strides, dilations=dilations,
        pads=_pads(node, sizes, kernel, strides, dilations), groups=groups,
        bias=bias is not None and node.is_weight(bias), weight=node.is_weight(weight),
    )  # fmt: skip
    return [row]


def _pads(
    node: Node, sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    """Return the zeros before each direction, then after each."""
    rule = node.attributes.get("auto_pad", "NOTSET")
    if rule not in ("SAME_UPPER", "SAME_LOWER"):
        return _each(node, "pads", 2 * len(sizes), 0) if rule == "NOTSET" else [0] * (2 * len(sizes))
    totals = [
        max((-(-size // stride) - 1) * stride + dilation * (width - 1) + 1 - size, 0)
        for size, width, stride, dilation in zip(sizes, kernel, strides, dilations, strict=True)
    ]
    return [total // 2 for total in totals] + [total - total // 2 for total in totals]


def _transposed(node: Node) -> list[Row]:
    batch, inputs, *sizes = shape_of(node, 0, least=3)
    directions = len(sizes)
    rows, per_group, *kernel = shape_of(node, 1, directions + 2, directions + 2)
    groups = node.attributes.get("group", 1)
    if rows != inputs:
        raise ContradictionError(f"weights of {rows} channels for {inputs}")
    if not isinstance(groups, int):
        raise UnknownSizeError(f"groups are {groups!r}")
    strides, dilations = (_each(node, name, directions, 1) for name in ("strides", "dilations"))
    outputs = output_shape(node, 0, directions + 2, directions + 2)[2:]
    row = transposed_row(
        node.name, batch, sizes, outputs, (per_group * groups, inputs), kernel, strides=strides, dilations=dilations,
        groups=_groups(node, inputs, per_group * groups), bias=node.is_weight(2), weight=node.is_weight(1),
    )  # fmt: skip
    return [row]


def _groups(node: Node, inputs: int, outputs: int) -> int:
    groups = node.attributes.get("group", 1)
    if not isinstance(groups, int) or groups < 1 or inputs % groups or outputs % groups:
        raise UnknownSizeError(f"{groups} groups of {inputs} and {outputs} channels")
    return groups


def _each(node: Node, name: str, count: int, default: int) -> list[int]:
    """Return a list attribute of known length; `default`, 0 or 1, is also the least that a value may be."""
    values = node.attributes.get(name) or [default] * count
    if (
        not isinstance(values, list)
        or len(values) != count
        or any(not isinstance(value, int) or value < default for value in values)
    ):
        raise UnknownSizeError(f"{name} are {values!r}")
    return values


# -- products ---------------------------------------------------------------------------------------------------------


def matrix_product(node: Node, left: int = 0, right: int = 1) -> list[Row]:
    """Return a product of the inputs of these numbers.

    Raises:
        UnknownSizeError: sizes that are not known, or do not fit.
    """
    shapes = shape_of(node, left), shape_of(node, right)
    return [product_row(node.name, *shapes, node.is_weight(left), node.is_weight(right))]


def general_product(node: Node, second: int = 1, third: int = 2) -> list[Row]:
    """Return `Gemm`, whose second operand and bias are the inputs of these numbers.

    Raises:
        UnknownSizeError: sizes that are not known, or do not fit.
    """
    left, right = (shape_of(node, index, 2, 2) for index in (0, second))
    left = left[::-1] if node.attributes.get("transA") else left
    right = right[::-1] if node.attributes.get("transB") else right
    bias = node.tensor(third)
    if bias is not None and bias.shape and bias.shape[-1] not in (1, right[1]):
        raise ContradictionError(f"{bias.shape[-1]} columns to add to {right[1]}")
    row = product_row(node.name, left, right, node.is_weight(0), node.is_weight(second))
    return [with_bias(row, node, third)]


def _einsum(node: Node) -> list[Row] | None:
    """Return None for one that multiplies nothing that it sums: it is folded."""
    count = len(node.inputs)
    shapes = [shape_of(node, index, 0) for index in range(count)]
    constants = [node.is_weight(index) for index in range(count)]
    return einsum_rows(node.name, str(node.attributes.get("equation", "")), shapes, constants) or None


# -- recurrent layers and attention -----------------------------------------------------------------------------------


def _recurrent(gates: int) -> Callable[[Node], list[Row]]:
    def describe(node: Node) -> list[Row]:
        first, second, inputs = shape_of(node, 0, 3, 3)
        steps, batch = (second, first) if node.attributes.get("layout") else (first, second)
        directions, _, hidden = shape_of(node, 2, 3, 3)
        weight = shape_of(node, 1, 3, 3)
        if weight != (directions, gates * hidden, inputs):
            raise ContradictionError(f"weights of {weight} for {inputs} inputs and a state of {hidden}")
        bias = node.is_weight(3)
        return recurrent_rows(node.name, steps, batch, inputs, hidden, gates, directions, bias)

    return describe


_COMPUTE: dict[str, Callable[[Node], list[Row] | None]] = {
    "Conv": convolution,
    "ConvInteger": lambda node: convolution(node, bias=None),
    "QLinearConv": lambda node: convolution(node, weight=3, bias=8),
    "ConvTranspose": _transposed,
    "Gemm": general_product,
    "MatMul": matrix_product,
    "MatMulInteger": matrix_product,
    "QLinearMatMul": lambda node: matrix_product(node, right=3),
    "Einsum": _einsum,
    "LSTM": _recurrent(4),
    "GRU": _recurrent(3),
    "RNN": _recurrent(1),
    "Attention": lambda node: standard_attention(node).rows(node.name),
}
