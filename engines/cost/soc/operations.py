"""The operation table: work, traffic and launches of each operation of a network, the input of the SoC cost model.

Batch normalisation and activation directly after a compute operation are part of it (every deployment runtime folds them), a
reshape moves nothing, and an operation whose sizes the document leaves out works on what the one before gives out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.workloads.network import COMPUTE_KINDS, Operation

_FOLDABLE = ("batchnorm", "activation")
_FREE = ("reshape",)
KINDS_TOGETHER = " + "  # between the kinds of operators that run as one kernel
# Runtimes of processors keep channels in blocks of a vector register (16 fp32 at most): a group whose channels do not fill blocks,
# or a convolution whose channels are no multiple of the smallest register, is unrolled into a product of matrices instead
# (onnxruntime:onnxruntime/core/optimizer/nchwc_transformer.cc).
_BLOCK_CHANNELS, _LEAST_CHANNELS = 16, 4


@dataclass(frozen=True)
class OperationTable:
    """A table of `n` operations in topological order, with values for one sample.

    Attributes:
        names: names of the operations.
        kinds: kinds of the operations; the operator's name for one without a kind, all kinds for fused ones.
        runs: False for an operation that is fused into another, moves no data or was excluded on request; it costs nothing.
        macs: multiply-accumulates.
        activation_elements: elements read and written, summed.
        output_elements: number of elements that the next operation reads.
        weight_elements: weights, read once per batch.
        launches: number of started kernels; groups of a convolution run one after the other.
        finer_kinds: kind on a CPU: the kind, or one of `hardware.calibration.model.FINER_KINDS`.
        unrolled_elements: elements that a CPU copies to multiply the input as a matrix (im2col).
        weight_bits, activation_bits: bits stated by the network; 0 if it states none.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    runs: BoolArray
    macs: FloatArray
    activation_elements: FloatArray
    output_elements: FloatArray
    weight_elements: FloatArray
    launches: FloatArray
    finer_kinds: tuple[str, ...]
    unrolled_elements: FloatArray
    weight_bits: FloatArray
    activation_bits: FloatArray

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
    def distinct_finer_kinds(self) -> tuple[str, ...]:
        """Every finer kind once, in alphabetical order."""
        return tuple(sorted(set(self.finer_kinds)))

    @cached_property
    def finer_kind_places(self) -> IntArray:
        """Index of each operation's finer kind in `distinct_finer_kinds`, shape `n`."""
        places = {kind: place for place, kind in enumerate(self.distinct_finer_kinds)}
        return np.array([places[kind] for kind in self.finer_kinds], dtype=np.int64)

    @cached_property
    def kind_places(self) -> IntArray:
        """Index of each operation's kind in `distinct_kinds`, shape `n`."""
        places = {kind: place for place, kind in enumerate(self.distinct_kinds)}
        return np.array([places[kind] for kind in self.kinds], dtype=np.int64)

    @cached_property
    def stated_bits(self) -> tuple[tuple[float, float], ...]:
        """Distinct pairs of bits of weights and activations that the network states; empty if it states none."""
        pairs = set(zip(self.weight_bits.tolist(), self.activation_bits.tolist(), strict=True))
        return tuple(sorted(pairs)) if pairs - {(0.0, 0.0)} else ()

    def blocks(self, depth: int = 1) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the blocks of consecutive operations with a common name prefix: their names, and the first operation of each.

        Args:
            depth: number of dot-separated parts that name the block (1: "grapher3" of "grapher3.post.conv").
        """
        labels = [".".join(name.split(".")[:depth]) for name in self.names]
        starts = [index for index, label in enumerate(labels) if index == 0 or label != labels[index - 1]]
        return tuple(labels[start] for start in starts), tuple(starts)

    def take(self, names: Iterable[str]) -> OperationTable:
        """Return only the operations of those names, in the order of the network."""
        wanted = set(names)
        places = np.array([index for index, name in enumerate(self.names) if name in wanted], dtype=np.int64)
        columns: dict[str, Any] = {}
        for field in fields(self):
            column = getattr(self, field.name)
            columns[field.name] = tuple(column[row] for row in places) if isinstance(column, tuple) else column[places]
        return OperationTable(**columns)


def operation_table(operations: Iterable[Operation]) -> OperationTable:
    """Return the table of a network's operations."""
    operations = tuple(operations)
    read, written, runs = [], [], []
    before, foldable, last = 0, False, -1
    finer = [_finer_kind(operation) for operation in operations]
    for place, operation in enumerate(operations):
        read.append(operation.input_elements or before)
        written.append(operation.output_elements or read[-1])
        before = written[-1]
        folded = foldable and operation.kind in _FOLDABLE
        runs.append(not (folded or operation.kind in _FREE or operation.excluded))
        last = place if operation.kind in COMPUTE_KINDS else last
        if folded and operation.kind == "activation" and operations[last].kind == "gemm" and operations[last].y > 1:
            finer[last] = "activated_gemm"
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
        finer_kinds=tuple(finer),
        unrolled_elements=np.array([_unrolled_elements(operation) for operation in operations], dtype=np.float64),
        weight_bits=np.array([operation.weight_bits for operation in operations], dtype=np.float64),
        activation_bits=np.array([operation.activation_bits for operation in operations], dtype=np.float64),
    )


def joined(tables: Sequence[OperationTable]) -> OperationTable:
    """Return the operations of all tables, one table after the other."""
    columns: dict[str, Any] = {}
    for field in fields(OperationTable):
        parts = [getattr(table, field.name) for table in tables]
        columns[field.name] = (
            tuple(chain.from_iterable(parts)) if isinstance(parts[0], tuple) else np.concatenate(parts)
        )
    return OperationTable(**columns)


def _finer_kind(operation: Operation) -> str:
    """Return the kind of an operation on a CPU.

    A product followed by an activation is recognised by the order of operations instead.
    """
    if operation.kind != "conv" or operation.operator:
        return operation.operator or operation.kind
    pixels = operation.oy * operation.ox
    if pixels > 1 and not _in_blocks(operation):
        return "unblocked_conv"
    return "pointwise_conv" if operation.r * operation.s == 1 else "conv"


def _in_blocks(operation: Operation) -> bool:
    """Return whether the channels fill blocks of a CPU kernel; the few channels of an image use other kernels."""
    if operation.kind == "conv" and operation.groups > 1:
        each = (operation.c // operation.groups, operation.k // operation.groups)
        return not any(channels % _BLOCK_CHANNELS for channels in each)
    few = operation.kind == "conv" and operation.c < _BLOCK_CHANNELS
    return not (operation.k % _LEAST_CHANNELS or (operation.c % _LEAST_CHANNELS and not few))


def _unrolled_elements(operation: Operation) -> int:
    kernel = operation.r * operation.s
    if operation.kind not in ("conv", "depthwise") or kernel == 1 or _in_blocks(operation):
        return 0
    return operation.c * kernel * operation.oy * operation.ox
