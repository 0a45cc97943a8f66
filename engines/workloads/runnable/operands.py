"""Operands of an operation: those that the document names, or results of matching size.

Traced and drawn tables are lists: where an operation needs more than the result before it (a residual addition, a concatenation,
an attention product), it gets the newest earlier result of that size that nothing else is folded into. What an addition adds does
not change how long it takes; how much it reads does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from engines.workloads.network import COMPUTE_KINDS, Operation
from engines.workloads.runnable.graph import GraphWriter, Shape, Tensor

_FOLDABLE = ("batchnorm", "activation")


class Operands:
    """Finds operands among the results so far.

    Args:
        writer: writer of the graph.
        operations: operations of the whole network.
    """

    def __init__(self, writer: GraphWriter, operations: Sequence[Operation]) -> None:
        self._writer, self._operations = writer, operations

    def one(self, operation: Operation, shape: Shape) -> Tensor:
        """Return a result of that many elements in that shape; an input of the network where there is none."""
        return self._writer.reshaped(self.sized(operation, prod(shape), shape), shape, operation)

    def sized(self, operation: Operation, elements: int, shape: Shape = ()) -> Tensor:
        """Return a result of that many elements, as it is; an input of the network where the document says so, or there is none."""
        if operation.reads == ():
            given = next((tensor for tensor in self._writer.inputs if tensor.elements == elements), None)
            return given or self._writer.given(shape or (1, elements))
        for tensor in self._in_turn(operation):
            if tensor.elements == elements:
                return tensor
        larger = next((tensor for tensor in self._in_turn(operation) if tensor.elements > elements), None)
        if larger is None:
            return self._writer.given(shape or (1, elements))
        return self._first(operation, larger, elements)

    def named(self, operation: Operation) -> list[Tensor]:
        """Return the results that the document lists as operands; an empty list if it lists none."""
        return [self._writer.results[number] for number in operation.sources] if operation.reads else []

    def others(self, operation: Operation, elements: int, without: Sequence[Tensor] = ()) -> Iterator[Tensor]:
        """Yield the results with that many elements, unread ones first; skip results that a runtime fuses into others."""
        taken = {tensor.name for tensor in without}
        fitting = [
            tensor
            for tensor in self._in_turn(operation)
            if tensor.elements == elements and tensor.name not in taken and not self._folded(tensor)
        ]
        return iter(sorted(fitting, key=lambda tensor: tensor.name in self._writer.consumed))

    def unread(self, operation: Operation) -> list[Tensor]:
        """Return the results that nothing reads yet, newest first."""
        return [tensor for tensor in self._in_turn(operation) if tensor.name not in self._writer.consumed]

    def newest(self, operation: Operation, kind: str) -> Operation | None:
        """Return the last operation of a kind before one."""
        before = self._operations[: operation.index]
        return next((each for each in reversed(before) if each.kind == kind), None)

    def gates(self, operation: Operation) -> bool:
        """Return whether the operation gives out the smaller factor of the next one: how much of each channel continues."""
        after = self._operations[operation.index + 1 : operation.index + 2]
        smaller = [each.input_elements - each.output_elements for each in after if each.kind == "eltwise"]
        return bool(smaller) and smaller[0] == operation.output_elements < after[0].output_elements

    def _in_turn(self, operation: Operation) -> Iterator[Tensor]:
        """Yield what the document says that it reads, then all results, newest first."""
        results = self._writer.results
        named = self.named(operation)
        yield from named
        yield from (tensor for tensor in reversed(results) if tensor not in named)

    def _folded(self, tensor: Tensor) -> bool:
        """Return whether the operation after that of the tensor becomes a part of it."""
        if tensor.maker < 0 or tensor.maker + 1 >= len(self._operations):
            return False
        made, after = self._operations[tensor.maker], self._operations[tensor.maker + 1]
        return after.kind in _FOLDABLE and made.kind in (*COMPUTE_KINDS, "batchnorm")

    def _first(self, operation: Operation, tensor: Tensor, elements: int) -> Tensor:
        """Return the first elements of a result: the class token of a transformer, a half of the channels."""
        writer = self._writer
        flat = writer.reshaped(tensor, (1, tensor.elements), operation, "flat")
        ends = [writer.numbers([0]), writer.numbers([elements]), writer.numbers([1])]
        return writer.node("Slice", [flat, *ends], (1, elements), operation, "first")
