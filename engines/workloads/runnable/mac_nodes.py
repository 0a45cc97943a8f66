"""Nodes of the operations that multiply and accumulate: convolutions, products with weights, attention products."""

from __future__ import annotations

from math import prod, sqrt

from engines.contract.errors import ProblemError
from engines.workloads.network import Operation
from engines.workloads.runnable.graph import GraphWriter, Shape, Tensor
from engines.workloads.runnable.operands import Operands


def convolution(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a convolution; all zeros of a side that are one too many are below and to the right."""
    if min(operation.padding_y, operation.padding_x) < 0:
        got = f"{operation.name} with more stride in one direction, or a dilated kernel"
        raise ProblemError(f"operations.{operation.index}", got, "convolutions with one stride, without dilation")
    read = operands.one(operation, (1, operation.c, operation.y, operation.x))
    kernel = (operation.k, operation.c // operation.groups, operation.r, operation.s)
    top, left = operation.padding_y // 2, operation.padding_x // 2
    return writer.node(
        "Conv",
        [read, *_weights_and_bias(writer, operation, kernel)],
        (1, operation.k, operation.oy, operation.ox),
        operation,
        kernel_shape=kernel[2:],
        strides=[operation.stride, operation.stride],
        group=operation.groups,
        pads=[top, left, operation.padding_y - top, operation.padding_x - left],
    )


def transposed_convolution(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a transposed convolution to the size that the document says."""
    read = operands.one(operation, (1, operation.c, operation.y, operation.x))
    kernel = (operation.c, operation.k // operation.groups, operation.r, operation.s)
    return writer.node(
        "ConvTranspose",
        [read, *_weights_and_bias(writer, operation, kernel)],
        (1, operation.k, operation.oy, operation.ox),
        operation,
        kernel_shape=kernel[2:],
        strides=[operation.stride, operation.stride],
        group=operation.groups,
        output_shape=[operation.oy, operation.ox],
    )


def product_with_weights(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a fully connected layer on one row or on tokens."""
    rows, kernel = operation.y, (operation.c, operation.k)
    if rows == 1:
        read = operands.one(operation, (1, operation.c))
        return writer.node("Gemm", [read, *_weights_and_bias(writer, operation, kernel)], (1, operation.k), operation)
    read = operands.one(operation, (1, rows, operation.c))
    weights, *bias = _weights_and_bias(writer, operation, kernel)
    shape = (1, rows, operation.k)
    found = writer.node("MatMul", [read, weights], shape, operation)
    return writer.node("Add", [found, bias[0]], shape, operation, "bias") if bias else found


def product(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the products of two results, one per head (and window): tokens are split into heads and put together again."""
    rows, inner, columns, repeats = operation.y, operation.c, operation.k, operation.repeats
    first, second = _factors(writer, operands, operation)
    left = _in_heads(writer, operation, first, rows, inner, "left")
    right = _in_heads(writer, operation, second, columns, inner, "keys", turned=True)
    if right is None:
        right = _in_heads(writer, operation, second, inner, columns, "values")
    heads = next((found.shape[:2] for found in (right, left) if found is not None), (repeats, 1))
    left = left or writer.reshaped(first, (*heads, rows, inner), operation, "left")
    right = right or writer.reshaped(second, (*heads, inner, columns), operation, "right")
    if left.shape[:2] != heads:
        left = writer.reshaped(left, (*heads, rows, inner), operation, "left-heads")
    found = writer.node("MatMul", [left, right], (*heads, rows, columns), operation)
    if not _joins(first):
        return found
    windows, count = heads
    turned = writer.node("Transpose", [found], (windows, rows, count, columns), operation, "join", perm=[0, 2, 1, 3])
    return writer.reshaped(turned, (1, windows * rows, count * columns), operation, "joined")


def _joins(first: Tensor) -> bool:
    """Return whether the left factor is attention (windows x heads x rows x columns): its product is tokens again."""
    return len(first.shape) == 4


def _factors(writer: GraphWriter, operands: Operands, operation: Operation) -> tuple[Tensor, Tensor]:
    """Return the two factors of a product: parts of one result with queries, keys and values, or two results."""
    left = operation.repeats * operation.y * operation.c
    right = operation.repeats * operation.c * operation.k
    newest = writer.results[-1] if writer.results else None
    if newest is not None and len(newest.shape) == 3 and newest.elements == left + 2 * right:
        width = newest.shape[2]
        widths = [width * part // newest.elements for part in (left, right, right)]
        shapes: list[Shape] = [(*newest.shape[:2], each) for each in widths]
        parts = writer.several("Split", [newest, writer.numbers(widths)], shapes, operation, "split", axis=2)
        writer.results[operation.index - 1 : operation.index] = [parts[2]]  # the values wait for their product
        return parts[0], parts[1]
    first = operands.sized(operation, left)
    second = next(operands.others(operation, right, [first]), None)
    if second is None:  # nothing else of that size: the product of a result with itself
        second = first if left == right else operands.sized(operation, right)
    return first, second


def _in_heads(
    writer: GraphWriter, operation: Operation, tensor: Tensor, tokens: int, width: int, part: str, turned: bool = False
) -> Tensor | None:
    """Return the tokens as windows x heads x tokens x width of a head (the last two turned); None where they cannot be read so."""
    if len(tensor.shape) == 4 and tensor.shape[2:] == (tokens, width) and not turned:
        return tensor
    if len(tensor.shape) != 3 or tensor.shape[2] % width or operation.repeats % (tensor.shape[2] // width):
        return None
    heads = tensor.shape[2] // width
    windows = operation.repeats // heads
    if windows * tokens != tensor.shape[1]:
        return None
    split = writer.reshaped(tensor, (windows, tokens, heads, width), operation, f"{part}-heads")
    perm = [0, 2, 3, 1] if turned else [0, 2, 1, 3]
    shape = (windows, heads, width, tokens) if turned else (windows, heads, tokens, width)
    return writer.node("Transpose", [split], shape, operation, part, perm=perm)


def _weights_and_bias(writer: GraphWriter, operation: Operation, kernel: Shape) -> list[str]:
    """Return the weights that keep the size of what goes through (He et al. 2015), and the bias where the document counts one."""
    inner = kernel[0] if len(kernel) == 2 else prod(kernel[1:])
    found = [writer.drawn(kernel, sqrt(2.0 / inner))]
    if operation.weight_elements == prod(kernel) + operation.k:
        found.append(writer.drawn((operation.k,), 0.01))
    return found
