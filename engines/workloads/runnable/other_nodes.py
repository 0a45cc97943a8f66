"""Nodes of the operations that compute no products: normalisations, activations, poolings, sums, concatenations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod, sqrt

import numpy as np

from engines.contract.errors import ProblemError
from engines.workloads.network import Operation
from engines.workloads.runnable.graph import GraphWriter, Shape, Tensor
from engines.workloads.runnable.graphs import joined, over_neighbours
from engines.workloads.runnable.operands import Operands

_MERGED = 4  # neighbouring places that a Swin transformer puts together


def batch_normalisation(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a normalisation per channel, which runtimes fold into the convolution before."""
    read = operands.sized(operation, operation.output_elements)
    channels = operation.weight_elements // 2 or read.shape[1]
    if len(read.shape) != 4 or read.shape[1] != channels:
        read = writer.reshaped(read, (1, channels, read.elements // channels, 1), operation)
    ones, zeros = np.ones(channels, np.float32), np.zeros(channels, np.float32)
    values = [writer.numbers(each, np.float32) for each in (ones, zeros, zeros, ones)]
    return writer.node("BatchNormalization", [read, *values], read.shape, operation)


def normalisation(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a normalisation of every token over its width."""
    read = operands.sized(operation, operation.output_elements)
    width = operation.weight_elements // 2 or read.shape[-1]
    if read.shape[-1] != width or len(read.shape) == 4:
        read = writer.reshaped(read, (1, read.elements // width, width), operation)
    ones, zeros = np.ones(width, np.float32), np.zeros(width, np.float32)
    values = [writer.numbers(each, np.float32) for each in (ones, zeros)]
    return writer.node("LayerNormalization", [read, *values], read.shape, operation, axis=-1)


def activation(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return an activation. Documents do not say which: a sigmoid before a gate, GELU on tokens, ReLU elsewhere."""
    read = operands.sized(operation, operation.output_elements)
    tokens = "Gelu" if len(read.shape) == 3 else "Relu"
    return writer.node("Sigmoid" if operands.gates(operation) else tokens, [read], read.shape, operation)


def softmax(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a softmax over the last dimension."""
    read = operands.sized(operation, operation.output_elements)
    return writer.node("Softmax", [read], read.shape, operation, axis=-1)


def pooling(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a pooling to the size that the document says: over everything, or in windows."""
    read, given = operands.sized(operation, operation.input_elements), operation.output_elements
    if len(read.shape) != 4:
        return _mean(writer, read, operation)
    _, channels, height, width = read.shape
    if operation.r > 1:
        return _window_of(writer, read, operation)
    if given == channels:
        return writer.node("GlobalAveragePool", [read], (1, channels, 1, 1), operation)
    windows = _windows(height, width, given / channels)
    if windows is None and given == channels * height:  # over the columns, as AttentiveNAS squeezes in two steps
        shape = (1, channels, height, 1)
        return writer.node("ReduceMean", [read, writer.numbers([3])], shape, operation, keepdims=1)
    if windows is None:
        got = f"{operation.name} from {height} x {width} to {given / channels:g} places"
        raise ProblemError(f"operations.{operation.index}", got, "a pooling with windows of 2 or 3")
    kernel, stride, pad, ceil, (oy, ox) = windows
    return writer.node(
        "MaxPool", [read], (1, channels, oy, ox), operation,
        kernel_shape=[kernel, kernel], strides=[stride, stride], pads=[pad] * 4, ceil_mode=ceil,
    )  # fmt: skip


def _window_of(writer: GraphWriter, read: Tensor, operation: Operation) -> Tensor:
    """Return a maximum over the very window that the operation says, without zeros around; documents say none, engines may."""
    kernel, strides = (operation.r, operation.s), (operation.stride, operation.stride if operation.s > 1 else 1)
    sides = [(side - size) // step + 1 for side, size, step in zip(read.shape[2:], kernel, strides, strict=True)]
    shape = (1, read.shape[1], *sides)
    return writer.node("MaxPool", [read], shape, operation, kernel_shape=kernel, strides=strides)


def reduction(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a mean, sum or maximum over a part of the dimensions."""
    read = operands.sized(operation, operation.input_elements)
    return over_neighbours(writer, read, operation) or _mean(writer, read, operation)


def resizing(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the tensor of an enlarged feature map."""
    read = operands.sized(operation, operation.input_elements)
    _, channels, height, width = read.shape if len(read.shape) == 4 else (1, 1, 1, read.elements)
    ratio = sqrt(operation.output_elements / operation.input_elements)
    shape = (1, channels, round(height * ratio), round(width * ratio))
    if prod(shape) != operation.output_elements:
        factor = max(1, int(ratio))
        shape = (1, channels, height * factor, width * factor)
    source = writer.reshaped(read, (1, channels, height, width), operation)
    return writer.node("Resize", [source, "", "", writer.numbers(list(shape))], shape, operation, mode="nearest")


def element_wise(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return a sum of two results, or of one with something smaller: gates, masks, positions."""
    given = operation.output_elements
    first = operands.sized(operation, given)
    rest = operation.input_elements - given
    operator = "Add" if rest == given else "Mul"
    if operation.weight_elements:
        shape = _broadcast(first.shape, operation.weight_elements)
        return writer.node("Add", [first, writer.drawn(shape, 0.02)], first.shape, operation)
    if rest <= 0:
        return writer.node("Mul", [first, writer.numbers(0.9, np.float32)], first.shape, operation)
    second = next(operands.others(operation, rest, [first]), None)
    if second is None:
        return writer.node(operator, [first, writer.drawn(_broadcast(first.shape, rest), 0.02)], first.shape, operation)
    second = writer.reshaped(second, _broadcast(first.shape, rest), operation, "second")
    return writer.node(operator, [first, second], first.shape, operation)


def concatenation(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the results one after the other: channels of maps, tokens."""
    given = operation.output_elements
    if operation.weight_elements:  # a class token, or several learnt ones
        read = operands.sized(operation, given - operation.weight_elements)
        width = gcd(operation.weight_elements, read.elements)
        tokens = writer.reshaped(read, (1, read.elements // width, width), operation)
        learnt = writer.drawn((1, operation.weight_elements // width, width), 0.02)
        return writer.node("Concat", [learnt, tokens], (1, given // width, width), operation, axis=1)
    named = operands.named(operation)
    rest = given - sum(part.elements for part in named)
    if named and rest > 0 and operation.reads_input:
        named.append(writer.given((1, rest)))
    if len(named) > 1 and sum(part.elements for part in named) == given:
        return _joined_results(writer, named, operation)
    newest = writer.results[-1] if writer.results else None
    if newest is not None and newest.elements == given and len(newest.shape) == 3 and newest.shape[1] % _MERGED == 0:
        return _merged(writer, newest, operation)
    neighbours = joined(writer, operands, operation)
    if neighbours is not None:
        return neighbours
    parts = _parts(operands, operation)
    if not parts:
        got = f"{operation.name} of {given} elements"
        raise ProblemError(f"operations.{operation.index}", got, "a concatenation of all elements of earlier results")
    places = parts[0].shape[2:]
    shape = (1, sum(part.shape[1] for part in parts), *places)
    return writer.node("Concat", parts, shape, operation, axis=1)


def _joined_results(writer: GraphWriter, parts: Sequence[Tensor], operation: Operation) -> Tensor:
    """Return maps of equal sides joined along their channels, and all other results as one row of numbers."""
    if len({part.shape[2:] for part in parts}) > 1 or any(len(part.shape) != 4 for part in parts):
        parts = [
            writer.reshaped(part, (1, part.elements), operation, f"part{number}") for number, part in enumerate(parts)
        ]
    shape = (1, sum(part.shape[1] for part in parts), *parts[0].shape[2:])
    return writer.node("Concat", list(parts), shape, operation, axis=1)


def table_rows(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the rows of an embedding table."""
    count = operation.input_elements
    width = operation.output_elements // count
    rows = max(1, operation.weight_elements // width)
    numbers = writer.given_rows(count, rows)
    return writer.node("Gather", [writer.drawn((rows, width), 1.0), numbers], (1, count, width), operation, axis=0)


def passed_on(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the input unchanged, for operations without data movement in the cost model."""
    return operands.sized(operation, operation.output_elements or operation.input_elements)


def _merged(writer: GraphWriter, read: Tensor, operation: Operation) -> Tensor:
    """Return the tokens of neighbouring places one after the other, as between the stages of Swin transformers."""
    _, tokens, width = read.shape
    shapes: list[Shape] = [(1, tokens // _MERGED, width)] * _MERGED
    sizes = writer.numbers([tokens // _MERGED] * _MERGED)
    parts = writer.several("Split", [read, sizes], shapes, operation, "places", axis=1)
    return writer.node("Concat", parts, (1, tokens // _MERGED, width * _MERGED), operation, axis=2)


def _mean(writer: GraphWriter, read: Tensor, operation: Operation) -> Tensor:
    given = operation.output_elements
    if len(read.shape) == 3 and given == read.shape[2]:  # over the tokens
        return writer.node("ReduceMean", [read, writer.numbers([1])], (1, given), operation, keepdims=0)
    flat = writer.reshaped(read, (1, given, read.elements // given), operation, "rows")
    return writer.node("ReduceMean", [flat, writer.numbers([2])], (1, given), operation, keepdims=0)


def _windows(height: int, width: int, places: float) -> tuple[int, int, int, int, tuple[int, int]] | None:
    """Return kernel, stride, padding, rounding up and output size of a pooling to that many places."""
    for stride in (1, 2, 3, 4, 8):
        for kernel, pad, ceil in ((3, 1, 0), (2, 0, 0), (3, 0, 0), (3, 0, 1), (2, 0, 1), (stride, 0, 0), (5, 2, 0)):
            more = stride - 1 if ceil else 0
            sides = [(side + 2 * pad - kernel + more) // stride + 1 for side in (height, width)]
            if min(sides) > 0 and sides[0] * sides[1] == places:
                return kernel, stride, pad, ceil, (sides[0], sides[1])
    return None


def _parts(operands: Operands, operation: Operation) -> list[Tensor]:
    """Return the maps of one size, newest first, whose elements add up to what is given out.

    An older one where only it is lacking.
    """
    given = operation.output_elements
    found: list[Tensor] = []
    for tensor in operands.unread(operation):
        same = not found or tensor.shape[2:] == found[0].shape[2:]
        if len(tensor.shape) == 4 and same and sum(each.elements for each in found) + tensor.elements <= given:
            found.append(tensor)
        rest = given - sum(each.elements for each in found)
        if rest == 0:
            return list(reversed(found))
        older = _older(operands, operation, found, rest)
        if older is not None:
            return [older, *reversed(found)]
    return []


def _older(operands: Operands, operation: Operation, found: Sequence[Tensor], rest: int) -> Tensor | None:
    """Return a map that was read before and completes a concatenation."""
    if not found:
        return None
    fitting: Iterator[Tensor] = operands.others(operation, rest, found)
    return next((tensor for tensor in fitting if tensor.shape[2:] == found[0].shape[2:]), None)


def _broadcast(shape: Shape, elements: int) -> Shape:
    """Return the shape in which that many elements meet a result: channels of a map, the width of tokens, places, or one row."""
    if elements == shape[0] * _product(shape[1:]):
        return shape
    if len(shape) == 4 and elements == shape[1]:
        return (1, elements, 1, 1)
    for start in range(1, len(shape)):
        if _product(shape[start:]) == elements:
            return shape[start:]
    for start in range(1, len(shape)):
        if _product(shape[1 : start + 1]) == elements:
            return (1, *shape[1 : start + 1], *([1] * (len(shape) - start - 1)))
    return (1,)


def _product(sizes: Shape) -> int:
    return int(np.prod(sizes, dtype=np.int64))
