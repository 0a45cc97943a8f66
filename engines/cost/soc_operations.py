"""What the SoC cost model sees of a network: per operation its work, its traffic, its launches, and whether it runs at all.

Batch normalisation and activation directly after a compute operation are part of it (every deployment runtime folds them), a
reshape moves nothing, and an operation whose sizes the document leaves out works on what the one before gives out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engines.workloads.network import COMPUTE_KINDS, Operation

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
_FOLDABLE = ("batchnorm", "activation")
_FREE = ("reshape",)


@dataclass(frozen=True)
class OperationTable:
    """Operations in topological order, `n` of them; figures of one sample.

    Attributes:
        names: of each.
        kinds: what each is; of an operation without a kind of its own the name of its operator.
        runs: False where an operation is folded into another, moves nothing or was left out on request: it costs nothing.
        macs: multiply-accumulates.
        activation_elements: read and written together.
        output_elements: what the next operation reads.
        weight_elements: read once per batch.
        launches: kernels that are started; groups of a convolution run one after the other.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    runs: BoolArray
    macs: FloatArray
    activation_elements: FloatArray
    output_elements: FloatArray
    weight_elements: FloatArray
    launches: FloatArray

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def distinct_kinds(self) -> tuple[str, ...]:
        """Every kind once, in alphabetical order."""
        return tuple(sorted(set(self.kinds)))

    @cached_property
    def running_kinds(self) -> tuple[str, ...]:
        """Kinds of the operations that run by themselves, each once, in alphabetical order."""
        return tuple(sorted({kind for kind, runs in zip(self.kinds, self.runs, strict=True) if runs}))

    @cached_property
    def kind_places(self) -> IntArray:
        """Place of each operation's kind among `distinct_kinds`, shape `n`."""
        places = {kind: place for place, kind in enumerate(self.distinct_kinds)}
        return np.array([places[kind] for kind in self.kinds], dtype=np.int64)

    def blocks(self, depth: int = 1) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Runs of operations whose names begin alike: their names, and the first operation of each.

        Args:
            depth: how many parts of a name, apart by dots, name the block ("grapher3" of "grapher3.post.conv" is 1).
        """
        labels = [".".join(name.split(".")[:depth]) for name in self.names]
        starts = [index for index, label in enumerate(labels) if index == 0 or label != labels[index - 1]]
        return tuple(labels[start] for start in starts), tuple(starts)

    def take(self, names: Iterable[str]) -> OperationTable:
        """Only the operations of those names, in the order of the network."""
        wanted = set(names)
        rows = np.array([index for index, name in enumerate(self.names) if name in wanted], dtype=np.int64)
        arrays = ("runs", "macs", "activation_elements", "output_elements", "weight_elements", "launches")
        return OperationTable(
            names=tuple(self.names[row] for row in rows),
            kinds=tuple(self.kinds[row] for row in rows),
            **{name: getattr(self, name)[rows] for name in arrays},
        )


def operation_table(operations: Iterable[Operation]) -> OperationTable:
    """The table of a network's operations."""
    operations = tuple(operations)
    read, written, runs = [], [], []
    before, foldable = 0, False
    for operation in operations:
        read.append(operation.input_elements or before)
        written.append(operation.output_elements or read[-1])
        before = written[-1]
        folded = foldable and operation.kind in _FOLDABLE
        runs.append(not (folded or operation.kind in _FREE or operation.excluded))
        foldable = folded or operation.kind in COMPUTE_KINDS
    kept = [0 if operation.kind == "embedding" else operation.weight_elements for operation in operations]
    launches = [operation.groups if operation.kind == "conv" else 1 for operation in operations]
    return OperationTable(
        names=tuple(operation.name for operation in operations),
        kinds=tuple(operation.operator or operation.kind for operation in operations),
        runs=np.array(runs, dtype=bool),
        macs=np.array([operation.macs for operation in operations], dtype=np.float64),
        activation_elements=np.array(read, dtype=np.float64) + np.array(written, dtype=np.float64),
        output_elements=np.array(written, dtype=np.float64),
        weight_elements=np.array(kept, dtype=np.float64),
        launches=np.array(launches, dtype=np.float64),
    )
