"""Operators of PyTorch (ATen) as rows of a network. Names without overload and without the underscore of in-place forms.

Definitions: `aten/src/ATen/native/native_functions.yaml` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any

from engines.workloads.importing.einsum import einsum_rows
from engines.workloads.importing.graph import Node, UnknownSizeError, output_shape, shape_of
from engines.workloads.importing.rows import (
    Row,
    attention_rows,
    convolution_row,
    matmul_row,
    product_row,
    recurrent_rows,
    transposed_row,
    with_bias,
)

_FOLDED = {
    "batchnorm": "batch_norm _native_batch_norm_legit_no_training",
    "activation": "relu relu6 gelu silu sigmoid tanh hardswish hardsigmoid hardtanh leaky_relu elu selu celu mish softplus "
    "softsign prelu exp log log1p sqrt rsqrt neg abs pow erf sin cos tan clamp clamp_min clamp_max dropout feature_dropout "
    "alpha_dropout logical_not bitwise_not reciprocal floor ceil round sign square threshold hardshrink softshrink "
    "logsigmoid isnan isinf",
    "pool": "max_pool1d max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d "
    "adaptive_max_pool2d max_pool2d_with_indices",
    "norm": "layer_norm group_norm instance_norm rms_norm native_layer_norm native_group_norm",
    "softmax": "softmax log_softmax _softmax _log_softmax",
    "eltwise": "add sub rsub mul div maximum minimum eq ne gt lt ge le where logical_and logical_or logical_xor bitwise_and "
    "bitwise_or einsum outer ger masked_fill remainder fmod lerp addcmul addcdiv",
    "concat": "cat concat stack hstack vstack",
    "reshape": "view reshape permute transpose slice select squeeze unsqueeze expand expand_as contiguous clone flatten unflatten "
    "chunk split split_with_sizes unbind pad constant_pad_nd repeat repeat_interleave roll to _to_copy detach detach_ alias t mT "
    "numpy_T movedim swapaxes narrow tril triu flip pixel_shuffle pixel_unshuffle channel_shuffle view_as copy "
    "lift_fresh_copy type_as float unfold im2col col2im",
    "resize": "upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_bicubic2d "
    "upsample_trilinear3d _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d _upsample_bilinear2d_aa "
    "_upsample_bicubic2d_aa",
    "reduce": "mean sum amax amin max min argmax argmin prod var std norm cumsum all any linalg_vector_norm logsumexp",
    "gather": "gather index_select index scatter index_put masked_select take_along_dim",
    "topk": "topk sort argsort",
}
FOLDED_KINDS = {f"aten.{name}": kind for kind, names in _FOLDED.items() for name in names.split()}


def folded_kind(node: Node) -> str | None:
    """Return the kind under which an operator is folded into the layer before it; None for one that is not."""
    if node.operator in ("aten.embedding", "aten.embedding_bag"):
        table = node.tensor(0)
        return "embedding" if table is not None and table.weight else "gather"
    return FOLDED_KINDS.get(node.operator)


def compute_rows(node: Node) -> list[Row] | None:
    """Return the rows of an operator that multiplies and accumulates; None for any other.

    Raises:
        UnknownSizeError: a size that is needed is not known, or is none that a cost model takes.
    """
    describe = _COMPUTE.get(node.operator)
    return None if describe is None else describe(node)


# -- convolution ------------------------------------------------------------------------------------------------------


def _convolution(node: Node) -> list[Row]:
    if node.attributes.get("transposed"):
        return _transposed(node)
    batch, inputs, sizes = _image(node)
    outputs, _, *kernel = shape_of(node, 1, 3)
    count = len(sizes)
    row = convolution_row(
        node.name, batch, sizes, (outputs, inputs), kernel, strides=_each(node, "stride", count, 1),
        dilations=_each(node, "dilation", count, 1), pads=_pads(node, sizes, kernel), groups=node.attributes.get("groups", 1),
        bias=node.is_weight(2), weight=node.is_weight(1),
    )  # fmt: skip
    return [row]


def _pads(node: Node, sizes: list[int], kernel: list[int]) -> list[int]:
    """Return the zeros before each direction, then after each; "same" and "valid" are words for them."""
    padding = node.attributes.get("padding", 0)
    if padding == "valid":
        return [0] * (2 * len(sizes))
    if padding == "same":
        dilations = _each(node, "dilation", len(sizes), 1)
        totals = [dilation * (width - 1) for dilation, width in zip(dilations, kernel, strict=True)]
        return [total // 2 for total in totals] + [total - total // 2 for total in totals]
    return 2 * _each(node, "padding", len(sizes), 0)


def _transposed(node: Node) -> list[Row]:
    batch, inputs, sizes = _image(node)
    _, per_group, *kernel = shape_of(node, 1, 3)
    groups = node.attributes.get("groups", 1)
    outputs = list(output_shape(node, 0, 2))[-len(sizes) :]
    row = transposed_row(
        node.name, batch, sizes, outputs, (per_group * groups, inputs), kernel, strides=_each(node, "stride", len(sizes), 1),
        dilations=_each(node, "dilation", len(sizes), 1), groups=groups, bias=node.is_weight(2), weight=node.is_weight(1),
    )  # fmt: skip
    return [row]


def _image(node: Node) -> tuple[int, int, list[int]]:
    """Return samples, channels, sizes; a single sample may come without its dimension."""
    shape, weight = shape_of(node, 0, 2), shape_of(node, 1, 3)
    shape = (1, *shape) if len(shape) == len(weight) - 1 else shape
    return shape[0], shape[1], list(shape[2:])


def _each(node: Node, name: str, count: int, default: int) -> list[int]:
    value: Any = node.attributes.get(name, default)
    values = list(value) if isinstance(value, list | tuple) else [value]
    values = values * count if len(values) == 1 else values or [default] * count
    if len(values) != count or any(not isinstance(each, int) for each in values):
        raise UnknownSizeError(f"{name} {value!r}")
    return values


# -- products ---------------------------------------------------------------------------------------------------------


def _linear(node: Node) -> list[Row]:
    outputs, inputs = shape_of(node, 1, 2, 2)
    row = product_row(node.name, shape_of(node, 0), (inputs, outputs), False, node.is_weight(1))
    return [with_bias(row, node, 2)]


def _product(left: int = 0, right: int = 1, bias: int | None = None) -> Callable[[Node], list[Row]]:
    def describe(node: Node) -> list[Row]:
        shapes = shape_of(node, left), shape_of(node, right)
        row = product_row(node.name, *shapes, node.is_weight(left), node.is_weight(right))
        return [row if bias is None else with_bias(row, node, bias)]

    return describe


def _einsum(node: Node) -> list[Row] | None:
    """Return None for one that multiplies nothing that it sums: it is folded."""
    count = len(node.inputs)
    shapes = [shape_of(node, index, 0) for index in range(count)]
    constants = [node.is_weight(index) for index in range(count)]
    return einsum_rows(node.name, str(node.attributes.get("equation", "")), shapes, constants) or None


def _inner(node: Node) -> list[Row]:
    """Return a product over the last direction of both."""
    left, right = shape_of(node, 0), shape_of(node, 1)
    return _contracted(node, left, right, [len(left) - 1], [len(right) - 1])


def _tensordot(node: Node) -> list[Row]:
    left, right = shape_of(node, 0, 0), shape_of(node, 1, 0)
    axes = (node.attributes.get(name) for name in ("dims_self", "dims_other"))
    first, second = (
        [axis % len(shape) for axis in each or ()] for each, shape in zip(axes, (left, right), strict=True)
    )
    return _contracted(node, left, right, first, second)


def _contracted(
    node: Node, left: Sequence[int], right: Sequence[int], first: list[int], second: list[int]
) -> list[Row]:
    """Return a product of two tensors that is summed over these directions of each."""
    rows = prod(size for axis, size in enumerate(left) if axis not in first)
    columns = prod(size for axis, size in enumerate(right) if axis not in second)
    summed = [prod(shape[axis] for axis in axes) for shape, axes in ((left, first), (right, second))]
    return [product_row(node.name, (rows, summed[0]), (summed[1], columns), node.is_weight(0), node.is_weight(1))]


def _bilinear(node: Node) -> list[Row]:
    """Return `out[n, o] = sum over i, j of left[n, i] weight[o, i, j] right[n, j]`, by the left operand first."""
    left, right, weight = shape_of(node, 0), shape_of(node, 1), shape_of(node, 2, 3, 3)
    batch, outputs = prod(left[:-1]), weight[0]
    row = product_row(
        f"{node.name}.weight", (batch, left[-1]), (weight[1], outputs * weight[2]), False, node.is_weight(2)
    )
    return [row, matmul_row(f"{node.name}.right", outputs, right[-1], 1, batch)]


def _chain(node: Node) -> list[Row]:
    """Return a product of several matrices, in the order of the fewest multiplications, as PyTorch takes them."""
    shapes = [shape_of(node, index, 1, 2) for index in range(len(node.inputs))]
    sizes = [1, *shapes[0]][-2:] + [each[1] if len(each) == 2 else 1 for each in shapes[1:]]

    @cache
    def best(first: int, last: int) -> tuple[int, int]:
        """Return the multiplications of a part of the chain, and behind which matrix it is split."""
        ways = []
        for cut in range(first, last):
            joined = sizes[first] * sizes[cut + 1] * sizes[last + 1]
            ways.append((best(first, cut)[0] + best(cut + 1, last)[0] + joined, cut))
        return min(ways, default=(0, first))

    def rows(first: int, last: int) -> list[Row]:
        if first == last:
            return []
        cut = best(first, last)[1]
        weights = [start == end and node.is_weight(start) for start, end in ((first, cut), (cut + 1, last))]
        name = f"{node.name}.{first}-{last}"
        made = product_row(name, (sizes[first], sizes[cut + 1]), (sizes[cut + 1], sizes[last + 1]), *weights)
        return [*rows(first, cut), *rows(cut + 1, last), made]

    return rows(0, len(shapes) - 1)


def _distances(node: Node) -> list[Row]:
    """Return `cdist` of Euclid: as many multiplications as the product of all pairs."""
    left, right = shape_of(node, 0, 2), shape_of(node, 1, 2)
    if node.attributes.get("p", 2) != 2:
        raise UnknownSizeError(f"a distance of the norm {node.attributes['p']}")
    return [product_row(node.name, left, (*right[:-2], right[-1], right[-2]), node.is_weight(0), node.is_weight(1))]


# -- recurrent layers and attention -----------------------------------------------------------------------------------


def _attention(node: Node) -> list[Row]:
    query, key, value = (shape_of(node, index, 3) for index in range(3))
    heads = 1
    for size in query[:-2]:
        heads *= size
    return attention_rows(node.name, heads, query[-2], key[-2], query[-1], value[-1])


def _recurrent(gates: int, states: int) -> Callable[[Node], list[Row]]:
    """Return a recurrent network of several layers and directions; its weights follow the input and `states` states.

    Of each layer and direction: those of the input, those of the state, two biases, and the projection where there is one.
    """

    def describe(node: Node) -> list[Row]:
        shape = shape_of(node, 0, 3, 3)
        steps, batch = (shape[1], shape[0]) if node.attributes.get("batch_first") else (shape[0], shape[1])
        bias = bool(node.attributes.get("has_biases"))
        directions = 2 if node.attributes.get("bidirectional") else 1
        rows: list[Row] = []
        layers = int(node.attributes.get("num_layers", 1))
        tensors = (len(node.inputs) - 1 - states) // max(layers * directions, 1)
        projected = tensors == (5 if bias else 3)
        for layer in range(layers):
            first = 1 + states + layer * directions * tensors
            (outputs, inputs), state = shape_of(node, first, 2, 2), shape_of(node, first + 1, 2, 2)[1]
            rows += recurrent_rows(
                f"{node.name}.{layer}", steps, batch, inputs, outputs // gates, gates, directions, bias, state if projected else 0
            )  # fmt: skip
        return rows

    return describe


def _cell(states: int) -> Callable[[Node], list[Row]]:
    """Return one step of a recurrent layer; its weights follow the input and `states` states."""

    def describe(node: Node) -> list[Row]:
        batch, inputs = (1, *shape_of(node, 0, 1, 2))[-2:]
        outputs, hidden = shape_of(node, 2 + states, 2, 2)
        if outputs % hidden:
            raise UnknownSizeError(f"{outputs} gates of a state of {hidden}")
        rows = recurrent_rows(node.name, 1, batch, inputs, hidden, outputs // hidden, 1, node.is_weight(3 + states))
        return [{**rows[0], "inputs": [0]}, {**rows[1], "inputs": [*range(1, 1 + states)]}]

    return describe


_COMPUTE: dict[str, Callable[[Node], list[Row] | None]] = {
    **dict.fromkeys(("aten.conv1d", "aten.conv2d", "aten.conv3d", "aten.convolution"), _convolution),
    **dict.fromkeys(("aten.conv_transpose1d", "aten.conv_transpose2d", "aten.conv_transpose3d"), _transposed),
    "aten.linear": _linear,
    "aten.matmul": _product(),
    "aten.mm": _product(),
    "aten.bmm": _product(),
    "aten.mv": _product(),
    "aten.dot": _product(),
    "aten.vdot": _product(),
    "aten.addmv": _product(1, 2, bias=0),
    "aten.inner": _inner,
    "aten.tensordot": _tensordot,
    "aten.linalg_multi_dot": _chain,
    "aten.bilinear": _bilinear,
    "aten.cdist": _distances,
    "aten.addmm": _product(1, 2, bias=0),
    "aten.baddbmm": _product(1, 2),
    "aten.einsum": _einsum,
    "aten.scaled_dot_product_attention": _attention,
    "aten.lstm": _recurrent(4, 2),
    "aten.gru": _recurrent(3, 1),
    "aten.rnn_tanh": _recurrent(1, 1),
    "aten.rnn_relu": _recurrent(1, 1),
    "aten.lstm_cell": _cell(2),
    **dict.fromkeys(("aten.gru_cell", "aten.rnn_tanh_cell", "aten.rnn_relu_cell"), _cell(1)),
}
