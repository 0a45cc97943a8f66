"""Fusion of operators that a runtime starts as one kernel: attention, norms written as several operators, element-wise chains.

Runtimes such as TensorRT and ONNX Runtime replace these patterns by one kernel each. It is launched once, and what only its own
operators read never reaches the memory. A network whose document does not say what its operators read stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from engines.cost.soc.operations import KINDS_TOGETHER, OperationTable
from engines.workloads.network import INPUT, Operation, has_graph

Fusion = Literal["none", "elementwise", "attention"]
_ELEMENT_WISE = frozenset({"eltwise", "activation", "batchnorm"})
_BETWEEN_PRODUCTS = _ELEMENT_WISE | {"reshape"}


def fused_table(
    table: OperationTable, operations: Sequence[Operation], fusion: Fusion, starts: Sequence[int] = ()
) -> OperationTable:
    """Return the table with each fused group in the row of its first operator that runs; the group's other rows cost nothing.

    Args:
        table: table of `operations`, `n` of them.
        operations: operations of a whole network.
        fusion: element-wise chains and norms, or attention as well.
        starts: first operation of each block; no group crosses from one to the next. () where there are none yet: then the
            operators of a group follow one another.
    """
    if fusion == "none" or not has_graph(operations):
        return table
    kinds, columns = list(table.kinds), {name: getattr(table, name).copy() for name in _COLUMNS}
    graph = _Graph(operations, table, starts)
    for group in graph.groups(attention=fusion == "attention"):
        first, *rest = running = graph.running(group)
        kinds[first] = KINDS_TOGETHER.join(dict.fromkeys(table.kinds[row] for row in running))
        for name in ("macs", "weight_elements", "unrolled_elements"):
            columns[name][first] = getattr(table, name)[running].sum()
        columns["activation_elements"][first] = graph.moved_elements(group)
        columns["launches"][first] = 1
        columns["runs"][rest] = False
    return replace(table, kinds=tuple(kinds), **columns)


_COLUMNS = ("runs", "macs", "activation_elements", "weight_elements", "launches", "unrolled_elements")


class _Graph:
    """The operators of a network with what reads them, in which groups are found."""

    def __init__(self, operations: Sequence[Operation], table: OperationTable, starts: Sequence[int]) -> None:
        self._operations, self._runs, self._written = operations, table.runs, table.output_elements
        self._readers: list[set[int]] = [set() for _ in operations]
        for row, operation in enumerate(operations):
            for source in operation.sources:
                self._readers[source].add(row)
        self._blocks = np.searchsorted(np.asarray(starts, np.int64), np.arange(len(operations)), side="right")

    def groups(self, *, attention: bool) -> Iterator[set[int]]:
        """Yield groups of at least two operators that run; none has two groups."""
        taken: set[int] = set()
        finders: list[Callable[[int, set[int]], Iterable[set[int]]]] = [self._norm, self._chain]
        for find in [self._attention, *finders] if attention else finders:
            for row in reversed(range(len(self._operations))):
                for group in find(row, taken):
                    if not group & taken and self._fits(group):
                        taken |= group
                        yield group
                        break

    def running(self, group: set[int]) -> list[int]:
        """Return the operators of a group that run by themselves, in order."""
        return [row for row in sorted(group) if self._runs[row]]

    def moved_elements(self, group: set[int]) -> float:
        """Return the elements that the kernel of a group reads and writes: inputs from outside once, and results used outside."""
        outside = {source for row in group for source in self._sources(row)} - group
        produced, read = float(self._written[list(outside)].sum()), 0.0
        for row in group:
            inner = self._written[list(self._sources(row) & group)].sum()
            beyond = max(0.0, self._operations[row].input_elements - float(inner))
            read += beyond
            produced += beyond if self._operations[row].reads_input else 0.0
        written = [row for row in group if not self._readers[row] or self._readers[row] - group]
        return min(read, produced) + float(self._written[written].sum())

    def _fits(self, group: set[int]) -> bool:
        return len(self.running(group)) > 1 and group == self._together(group)

    def _together(self, group: set[int]) -> set[int]:
        """Return the part of a group in its last block, after all other running operators."""
        last = max(group)
        others = (row for row in range(min(group), last) if self._runs[row] and row not in group)
        after = max(others, default=-1)
        return {row for row in group if row > after and self._blocks[row] == self._blocks[last]}

    def _kind(self, row: int) -> str:
        operation = self._operations[row]
        return operation.operator or operation.kind

    def _sources(self, row: int) -> set[int]:
        return set(self._operations[row].sources)

    def _only_source(self, row: int, kinds: Iterable[str] = _ELEMENT_WISE) -> int | None:
        """Return the one result that an operator of these kinds reads; None of any other operator."""
        sources = self._sources(row)
        reads_more = INPUT in (self._operations[row].reads or ())
        return sources.pop() if len(sources) == 1 and self._kind(row) in kinds and not reads_more else None

    # -- chains --------------------------------------------------------------------------------------------------------

    def _chain(self, row: int, taken: set[int]) -> Iterator[set[int]]:
        """Yield the element-wise operators that end in this one: results of all others are read by them alone."""
        if self._kind(row) in _ELEMENT_WISE and row not in taken:
            yield self._together(self._with_inner(row, taken))

    def _with_inner(self, row: int, taken: set[int]) -> set[int]:
        group = {row}
        while more := {
            source
            for row in group
            for source in self._sources(row) - group - taken
            if self._kind(source) in _ELEMENT_WISE and self._readers[source] <= group
        }:
            group |= more
        return group

    # -- norms ---------------------------------------------------------------------------------------------------------

    def _norm(self, row: int, taken: set[int]) -> Iterator[set[int]]:
        """Yield a norm that divides here: x, or x less its mean, by the root of the mean of its squares; then scale and shift."""
        if self._kind(row) not in _ELEMENT_WISE:
            return
        for centred in self._sources(row):
            for other in self._sources(row) - {centred}:
                deviation = self._deviation(centred, other)
                if deviation:
                    group = {row, *deviation, *self._centring(centred)}
                    yield self._with_scale(row, group)
                    yield group

    def _deviation(self, centred: int, row: int) -> set[int]:
        """Return operators from squares over their mean to the root at `row`; empty where it is none of `centred`."""
        found: set[int] = set()
        seen_reduce, squared = False, False
        while row != centred:
            source = self._only_source(row, _ELEMENT_WISE | {"reduce"})
            if source is None:
                return set()
            found.add(row)
            squared |= seen_reduce and self._kind(row) in _ELEMENT_WISE
            seen_reduce |= self._kind(row) == "reduce"
            row = source
        return found if squared else set()

    def _centring(self, row: int) -> set[int]:
        """Return the operators that subtract the mean; empty if `row` is the input of the norm itself."""
        sources = self._sources(row)
        for mean in sources if self._kind(row) == "eltwise" and len(sources) == 2 else ():
            if {self._only_source(mean, ("reduce",))} == sources - {mean}:
                return {row, mean}
        return set()

    def _with_scale(self, row: int, group: set[int]) -> set[int]:
        group = set(group)
        while len(self._readers[row]) == 1:
            (row,) = self._readers[row]
            if self._only_source(row, ("eltwise",)) is None:
                break
            group.add(row)
        return group

    # -- attention -----------------------------------------------------------------------------------------------------

    def _attention(self, row: int, taken: set[int]) -> Iterator[set[int]]:
        """Yield the product here with the softmax and the product before it, and the scales of that one's operands."""
        softmax = self._back_to("softmax", row) if self._kind(row) == "matmul" else None
        scores = self._back_to("matmul", softmax[-1]) if softmax else None
        if softmax and scores:
            group = {row, *softmax, *scores}
            yield {*group, *self._scales(scores[-1])}
            yield group

    def _back_to(self, kind: str, row: int) -> list[int]:
        """Return operators from the one that `row` reads back to one of `kind`, each read by the next alone; else []."""
        for source in self._sources(row):
            if self._readers[source] != {row}:
                continue
            if self._kind(source) == kind:
                return [source]
            path = self._back_to(kind, source) if self._kind(source) in _BETWEEN_PRODUCTS else []
            if path:
                return [source, *path]
        return []

    def _scales(self, product: int) -> set[int]:
        found: set[int] = set()
        for start in self._sources(product):
            path, row = set[int](), start
            while (
                self._readers[row] <= {product, *path}
                and (source := self._only_source(row, _BETWEEN_PRODUCTS)) is not None
            ):
                path.add(row)
                if self._kind(row) == "eltwise":
                    found |= path
                row = source
        return found
