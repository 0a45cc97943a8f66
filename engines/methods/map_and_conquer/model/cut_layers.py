"""A network as a chain of layers that can be cut by width (odema-2024 equations 2.8 to 2.10), with exits in place of its last one.

A layer begins with a product whose outputs are free to cut: a convolution of one group, or a matrix product with weights. All that
follows until the next one (activation, pooling, attention, depthwise and grouped convolutions, additions) works on each part by
itself. The last such product is the classifier: it is not cut, every stage has one of its own, which reads what the stage has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.soc.operations import OperationTable
from engines.workloads.network import Operation

_CUT_KINDS = ("conv", "transposed_conv", "gemm")


@dataclass(frozen=True)
class CutNetwork:
    """Operations grouped into `n` layers that are cut, and one that is not: the exit.

    Attributes:
        operations: all of the network, `o` of them.
        names: names of the `n + 1` layers, the exit last.
        starts: first operation of each layer, the first is 0.
        widths: width by which each of the `n` layers is cut: output channels, or heads before attention.
        leading: mask of operations that begin a layer, shape `o`; they read the stage's features and write its part.
        whole: mask of operations before the first layer, shape `o`, which every stage computes completely.
        read_elements: number of elements that each operation reads, shape `o`.
    """

    operations: OperationTable
    names: tuple[str, ...]
    starts: tuple[int, ...]
    widths: tuple[int, ...]
    leading: BoolArray
    whole: BoolArray
    read_elements: FloatArray

    @property
    def layers(self) -> int:
        """Layers that are cut."""
        return len(self.names) - 1

    @cached_property
    def last_operations(self) -> tuple[int, ...]:
        """Last operation of each cut layer, whose result later stages may read."""
        return tuple(start - 1 for start in self.starts[1:])

    @cached_property
    def feature_elements(self) -> FloatArray:
        """Features of each cut layer, all stages together, shape `n`."""
        return self.operations.output_elements[list(self.last_operations)]

    def scaled(self, written: float, read: float) -> OperationTable:
        """Return operations of a stage that makes a share `written` of every layer's width and has a share `read` of what it reads.

        The exit writes all classes whatever `written` is. Launches stay: a part is started like a whole.
        """
        table, exit_start = self.operations, self.starts[-1]
        part = np.full(len(table), written)
        part[exit_start:] = 1.0
        part[self.whole] = 1.0
        inputs = np.where(self.leading, read, part)
        work = np.where(self.leading, part * read, part)
        outputs = table.output_elements * part
        return replace(
            table,
            macs=table.macs * work,
            weight_elements=table.weight_elements * work,
            output_elements=outputs,
            activation_elements=self.read_elements * inputs + outputs,
        )


def cut_network(operations: Sequence[Operation], table: OperationTable) -> CutNetwork:
    """Return the layers of a network.

    Args:
        operations: operations of the network.
        table: the same as the cost model sees them.

    Raises:
        ProblemError: fewer than two layers.
    """
    leading = np.array([_begins_a_layer(each) for each in operations], dtype=bool) & table.runs
    heads = np.flatnonzero(leading)
    if len(heads) < 2:
        accepted = "a network with at least two layers"
        reason = "Layers are convolutions of one group, or matrix products with weights."
        got = f"{many(len(heads), 'layer')} that can be cut"
        raise ProblemError("inputs.workload", got, accepted, reason=reason)
    whole = np.arange(len(operations)) < heads[0]
    starts = (0, *heads[1:].tolist())
    ends = (*starts[1:], len(operations))
    widths = tuple(
        _width(operations[head], operations[head:end]) for head, end in zip(heads[:-1].tolist(), ends[:-1], strict=True)
    )
    names = tuple(operations[head].name for head in heads.tolist())
    read = table.activation_elements - table.output_elements
    return CutNetwork(table, names, starts, widths, leading, whole, read)


def _begins_a_layer(operation: Operation) -> bool:
    return operation.kind in _CUT_KINDS and operation.groups == 1 and operation.weight_elements > 0


def _width(head: Operation, operations: Sequence[Operation]) -> int:
    """Return the heads where attention follows within the layer, else output channels."""
    heads = [each.repeats for each in operations if each.kind == "matmul" and each.repeats > 1]
    return min(heads) if heads else head.k
