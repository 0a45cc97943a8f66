"""Operators as rows of a network document. What multiplies and accumulates; the rest is `folded_row`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from typing import Any

from engines.workloads.importing.graph import ContradictionError, Node, UnknownSizeError
from engines.workloads.network import INPUT

Row = dict[str, Any]


def listed_reads(sources: Collection[int]) -> list[int]:
    """Return the sources of a row as documents list them: ascending, empty for the network's input alone."""
    return [] if set(sources) == {INPUT} else sorted(sources)


def folded_row(node: Node, kind: str) -> Row:
    """Return an operator that is folded into the layer before it."""
    figures = {
        "weight_elements": node.weight_elements,
        "input_elements": node.activation_elements,
        "output_elements": node.output_elements,
    }
    return {"name": node.name, "kind": kind, **{name: value for name, value in figures.items() if value}}


def convolution_row(
    name: str,
    batch: int,
    sizes: Sequence[int],
    channels: tuple[int, int],
    kernel: Sequence[int],
    *,
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[int],
    groups: int,
    bias: bool,
    weight: bool = True,
) -> Row:
    """Return a convolution over one or two directions.

    Args:
        name: name of the row.
        batch: samples that the operator takes at once; each is computed by itself.
        sizes: sizes of the input, per direction.
        channels: out and in, of all groups together.
        kernel: size per direction.
        strides: steps of the kernel per direction.
        dilations: inputs from one weight to the next, per direction.
        pads: zeros before each direction, then zeros after each.
        groups: independent groups of channels.
        bias: whether a weight per output channel is added.
        weight: whether the kernel is one; else it is computed for each sample and belongs to what is read.

    Raises:
        UnknownSizeError: another number of directions.
    """
    outputs, inputs = channels
    (y, x), (r, s) = _two(sizes, 1), _two(kernel, 1)
    one = len(sizes) == 1
    top, left, bottom, right = (pads[0], 0, pads[1], 0) if one else tuple(pads)
    depthwise = groups == inputs and groups > 1 and outputs % groups == 0
    row = {
        "name": name, "kind": "depthwise" if depthwise else "conv", "k": outputs, "c": inputs, "r": r, "s": s, "y": y, "x": x,
        "stride": _shortest(_two(strides, strides[0])), "pad": [top, bottom, left, right], "groups": groups, "repeats": batch,
        "dilation": _shortest(_two(dilations, dilations[0])),
        "weight_elements": _kernel_elements(outputs * (inputs // groups) * r * s, outputs, weight, bias),
    }  # fmt: skip
    return _without_defaults(row)


def transposed_row(
    name: str,
    batch: int,
    sizes: Sequence[int],
    output_sizes: Sequence[int],
    channels: tuple[int, int],
    kernel: Sequence[int],
    *,
    strides: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    bias: bool,
    weight: bool = True,
) -> Row:
    """Return a transposed convolution; what is cut off or added at the sides follows from the sizes.

    Arguments as `convolution_row`.
    """
    outputs, inputs = channels
    (y, x), (r, s) = _two(sizes, 1), _two(kernel, 1)
    stride, dilation = _two(strides, 1), _two(dilations, 1)
    whole = [(size - 1) * step + apart * (width - 1) + 1
             for size, step, apart, width in zip((y, x), stride, dilation, (r, s), strict=True)]  # fmt: skip
    beyond = [full - size for full, size in zip(whole, _two(output_sizes, 1), strict=True)]
    cut, added = [max(each, 0) for each in beyond], [max(-each, 0) for each in beyond]
    row = {
        "name": name, "kind": "transposed_conv", "k": outputs, "c": inputs, "r": r, "s": s, "y": y, "x": x,
        "stride": _shortest(stride), "dilation": _shortest(dilation), "pad": [cut[0], 0, cut[1], 0],
        "output_pad": _shortest((added[0], added[1])), "groups": groups, "repeats": batch,
        "weight_elements": _kernel_elements(outputs // groups * inputs * r * s, outputs, weight, bias),
    }  # fmt: skip
    return _without_defaults(row)


def _kernel_elements(kernel: int, outputs: int, weight: bool, bias: bool) -> int:
    """Return the weights of a convolution.

    As many as the kernel has always mean the kernel, so that a bias that is as large is none.
    """
    added = outputs if bias and (weight or kernel != outputs) else 0
    return (kernel if weight else 0) + added


def gemm_row(name: str, m: int, c: int, k: int, *, bias: bool = False, repeats: int = 1) -> Row:
    """Return `m x c` by a weight of `c x k`, `repeats` times with the same weight."""
    weights = c * k + (k if bias else 0)
    row = {"name": name, "kind": "gemm", "y": m, "c": c, "k": k, "repeats": repeats, "weight_elements": weights}
    return _without_defaults(row)


def matmul_row(name: str, m: int, c: int, k: int, repeats: int = 1) -> Row:
    """Return `repeats` products of two activations, or of one and numbers that are no weights, `m x c` by `c x k`."""
    return _without_defaults({"name": name, "kind": "matmul", "y": m, "c": c, "k": k, "repeats": repeats})


def product_row(name: str, left: Sequence[int], right: Sequence[int], left_weight: bool, right_weight: bool) -> Row:
    """Return a matrix product as NumPy defines it.

    Args:
        name: name of the row.
        left: shape of the left operand.
        right: shape of the right operand.
        left_weight: whether the left operand is a weight.
        right_weight: whether the right one is.

    Raises:
        UnknownSizeError: shapes that cannot be multiplied.
    """
    left, right = (1, *left) if len(left) == 1 else tuple(left), (*right, 1) if len(right) == 1 else tuple(right)
    (m, c), (rows, k) = left[-2:], right[-2:]
    if rows != c:
        raise ContradictionError(f"{c} columns by {rows} rows")
    copies = prod(_broadcast(left[:-2], right[:-2]))
    if left_weight and not right_weight:
        m, k, weights = k, m, prod(left[:-2])  # the same product, turned
    elif right_weight:
        weights = prod(right[:-2])
    else:
        return matmul_row(name, m, c, k, copies)
    if weights == 1:
        return gemm_row(name, m * copies, c, k)
    # A weight for each product is a convolution of as many groups over m positions.
    return _grouped_product(name, m, c, k, weights, copies // weights)


def with_bias(row: Row, node: Node, index: int) -> Row:
    """Return the row of a product with the bias that is the input of that number, if that is a weight of one number per column."""
    bias = node.tensor(index)
    if row["kind"] in ("gemm", "matmul") and bias is not None and bias.weight and bias.elements == row["k"]:
        row["weight_elements"] = row.get("weight_elements", 0) + bias.elements
    return row


def recurrent_rows(
    name: str,
    steps: int,
    batch: int,
    inputs: int,
    hidden: int,
    gates: int,
    directions: int,
    bias: bool,
    projection: int = 0,
) -> list[Row]:
    """Return a recurrent layer of `gates` gates: all inputs at once, then the state step after step, for each direction.

    Where there is a `projection`, the state is a product of what the gates give, and of that many elements.
    """
    rows = []
    for direction in range(directions):
        place = f"{name}.{direction}" if directions > 1 else name
        state = projection or hidden
        rows.append(gemm_row(f"{place}.input", steps * batch, inputs, gates * hidden, bias=bias))
        rows.append(gemm_row(f"{place}.state", batch, state, gates * hidden, bias=bias, repeats=steps))
        if projection:
            rows.append(gemm_row(f"{place}.projection", batch, hidden, projection, repeats=steps))
    return rows


def attention_rows(name: str, heads: int, queries: int, keys: int, width: int, value_width: int) -> list[Row]:
    """Return the two products of attention and the softmax between them; `heads` of all samples together."""
    scores = heads * queries * keys
    return [
        matmul_row(f"{name}.scores", queries, width, keys, heads),
        {"name": f"{name}.softmax", "kind": "softmax", "input_elements": scores, "output_elements": scores},
        matmul_row(f"{name}.values", queries, keys, value_width, heads),
    ]


def contraction_row(name: str, equation: str, left: Sequence[int], right: Sequence[int], right_weight: bool) -> Row:
    """Return a contraction of two operands that is a matrix product ("bhqd,bhkd->bhqk").

    Raises:
        UnknownSizeError: it is none: an index is repeated in an operand, or summed over one operand alone.
    """
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    first, _, second = inputs.partition(",")
    whole = arrow and all(len(set(part)) == len(part) for part in (first, second, result)) and "." not in inputs
    if not whole or (len(first), len(second)) != (len(left), len(right)):
        raise UnknownSizeError(f"the contraction {equation!r}")
    sizes = dict(zip(first + second, (*left, *right), strict=True))
    alone = set(first) ^ set(second)
    if not alone <= set(result) or not set(result) <= set(sizes):
        raise UnknownSizeError(f"the contraction {equation!r}")

    def over(indices: set[str]) -> int:
        return prod(sizes[index] for index in indices)

    both = set(first) & set(second)
    copies, summed = over(both & set(result)), over(both - set(result))
    m, k = over(set(first) - both), over(set(second) - both)
    if right_weight and copies == 1:
        return gemm_row(name, m, summed, k)
    return _grouped_product(name, m, summed, k, copies, 1) if right_weight else matmul_row(name, m, summed, k, copies)


def _grouped_product(name: str, m: int, c: int, k: int, groups: int, repeats: int) -> Row:
    return convolution_row(name, repeats, (m,), (k * groups, c * groups), (1,), strides=(1,), dilations=(1,), pads=(0, 0),
                           groups=groups, bias=False)  # fmt: skip


def _two(values: Sequence[int], missing: int) -> tuple[int, int]:
    """Return the height and width; a single direction is the height."""
    if not 1 <= len(values) <= 2:
        raise UnknownSizeError(f"cost models support one or two spatial dimensions, not {len(values)}")
    return (values[0], values[1]) if len(values) == 2 else (values[0], missing)


def _shortest(pair: tuple[int, int]) -> int | list[int]:
    return pair[0] if pair[0] == pair[1] else list(pair)


def _broadcast(left: Sequence[int], right: Sequence[int]) -> list[int]:
    longest = max(len(left), len(right))
    padded = [(1,) * (longest - len(each)) + tuple(each) for each in (left, right)]
    if any(a != b and 1 not in (a, b) for a, b in zip(*padded, strict=True)):
        raise ContradictionError(f"batches of {tuple(left)} and {tuple(right)}")
    return [max(pair) if 0 not in pair else 0 for pair in zip(*padded, strict=True)]


_DEFAULTS: Row = {"x": 1, "r": 1, "s": 1, "stride": 1, "dilation": 1, "groups": 1, "repeats": 1, "output_pad": 0}


def _without_defaults(row: Row) -> Row:
    """Leave out what a document need not say: networks have thousands of rows."""
    if row.get("pad") is not None and len(set(row["pad"])) == 1 and row["kind"] != "transposed_conv":
        row["pad"] = row["pad"][0]
    elif row.get("pad") == [0, 0, 0, 0]:
        row["pad"] = 0
    return {key: value for key, value in row.items() if _DEFAULTS.get(key) != value and (key, value) != ("pad", 0)}
