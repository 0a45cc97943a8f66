"""Nodes of vision graphs: the nearest candidates of every node, and the features that are gathered of them.

Which candidates are nearest depends on weights, which are drawn; how many are ranked, gathered and moved does not.
"""

from __future__ import annotations

from engines.contract.errors import ProblemError
from engines.workloads.network import Operation
from engines.workloads.runnable.graph import GraphWriter, Shape, Tensor
from engines.workloads.runnable.operands import Operands


def nearest(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the nearest candidates of every node, by a matrix of distances (nodes x candidates)."""
    products = _distances(operands, operation)
    nodes, ranked = products.y, operation.output_elements // products.y
    distances = operands.one(operation, (1, nodes, products.k))
    values, numbers = writer.several(
        "TopK", [distances, writer.numbers([ranked])], [(1, nodes, ranked)] * 2, operation, "ranked", axis=2, largest=0
    )
    writer.neighbours = numbers
    return values


def gathered(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor:
    """Return the features of the neighbours of every node: channels x nodes x neighbours.

    Every so many of those that were ranked.
    """
    if writer.neighbours is None:
        accepted = "a gather of neighbours, behind the search for them (topk)"
        raise ProblemError(f"operations.{operation.index}", f"{operation.name} (gather)", accepted)
    products, (_, nodes, ranked) = _distances(operands, operation), writer.neighbours.shape
    channels, candidates = products.c, products.k
    count, over = divmod(operation.output_elements, nodes * channels)
    if over or not 0 < count <= ranked:
        got = f"{operation.name} of {operation.output_elements} elements"
        raise ProblemError(f"operations.{operation.index}", got, f"a gather of {nodes} nodes x {channels} channels")
    ends = [writer.numbers([each]) for each in (0, ranked // count * count, 2, ranked // count)]
    taken = writer.node("Slice", [writer.neighbours, *ends], (1, nodes, count), operation, "dilated")
    flat = _reshaped(writer, taken, (nodes * count,), operation, "numbers")
    source = operands.sized(operation, channels * candidates)
    features = _reshaped(writer, source, (1, channels, candidates), operation, "features")
    found = writer.node("Gather", [features, flat], (1, channels, nodes * count), operation, axis=2)
    return _reshaped(writer, found, (1, channels, nodes, count), operation, "edges")


def over_neighbours(writer: GraphWriter, read: Tensor, operation: Operation) -> Tensor | None:
    """Return the largest over the neighbours of every node; None where the operation reduces something else."""
    edges = writer.neighbours is not None and len(read.shape) == 4
    if not edges or operation.output_elements != read.shape[1] * read.shape[2]:
        return None
    shape = (*read.shape[:3], 1)
    return writer.node("ReduceMax", [read, writer.numbers([3])], shape, operation, keepdims=1)


def joined(writer: GraphWriter, operands: Operands, operation: Operation) -> Tensor | None:
    """Return node features joined with the aggregate of their neighbours; None if the operation joins other tensors."""
    newest = writer.results[-1] if writer.results else None
    if writer.neighbours is None or newest is None or 2 * newest.elements != operation.output_elements:
        return None
    other = next(operands.others(operation, newest.elements, [newest]), None)
    if other is None or len(newest.shape) != 4:
        return None
    first = other if other.shape == newest.shape else _reshaped(writer, other, newest.shape, operation, "nodes")
    shape = (1, 2 * newest.shape[1], *newest.shape[2:])
    return writer.node("Concat", [first, newest], shape, operation, axis=1)


def _distances(operands: Operands, operation: Operation) -> Operation:
    """Return the product whose results are ranked: nodes x channels by channels x candidates."""
    found = operands.newest(operation, "matmul")
    if found is None:
        raise ProblemError(f"operations.{operation.index}", operation.name, "an operation after a matmul of distances")
    return found


def _reshaped(writer: GraphWriter, tensor: Tensor, shape: Shape, operation: Operation, part: str) -> Tensor:
    """Return the same numbers in their order: here maps and rows are never turned."""
    return writer.node("Reshape", [tensor, writer.numbers(shape)], shape, operation, part)
