"""A network that can be built and trained: a chain of convolutions with ReLU and pooling, and one matrix product at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines.contract.errors import ProblemError
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork
from engines.workloads.network import Operation

_REASON = (
    "A chain has convolutions of one group, with or without activation and pooling. "
    "One matrix product at the end reads the mean of each channel."
)


@dataclass(frozen=True)
class ConvLayer:
    """A convolution with what follows it.

    Attributes:
        width: output channels.
        kernel, stride, padding: shape of the convolution; padding on each side.
        activated: whether ReLU follows.
        pooled: size and step of a largest-value pooling after it; 1 for none.
    """

    width: int
    kernel: int
    stride: int
    padding: int
    activated: bool = False
    pooled: int = 1


@dataclass(frozen=True)
class Chain:
    """The network to build: `channels x height x width` images to `classes`; after the last layer the mean over each channel."""

    channels: int
    height: int
    width: int
    layers: tuple[ConvLayer, ...]
    classes: int


def chain_of(operations: Sequence[Operation], cut: CutNetwork) -> Chain:
    """Return the chain that a network is.

    Args:
        operations: operations of the network.
        cut: its layers.

    Raises:
        ProblemError: it is something else; names the operation.
    """
    first, last = operations[0], operations[-1]
    _require(first.kind == "conv", first)
    _require(last.kind == "gemm" and cut.starts[-1] == len(operations) - 1, last)
    found: list[ConvLayer] = []
    for operation in operations[:-1]:
        if operation.kind == "conv" and operation.groups == 1 and operation.r == operation.s:
            _require(operation.padding_y == operation.padding_x and operation.padding_y % 2 == 0, operation)
            _require(not found or operation.c == found[-1].width, operation)
            found.append(ConvLayer(operation.k, operation.r, operation.stride, operation.padding_y // 2))
        elif operation.kind == "activation":
            found[-1] = replace(found[-1], activated=True)
        elif operation.kind == "pool":
            found[-1] = replace(found[-1], pooled=found[-1].pooled * _pooling(operation, operations))
        else:
            _require(operation.kind == "reshape", operation)
    _require(last.c == found[-1].width, last)
    return Chain(first.c, first.y, first.x, tuple(found), last.k)


def _pooling(operation: Operation, operations: Sequence[Operation]) -> int:
    """Return the step of a pooling by how many elements remain.

    1 of the mean over each channel before the end, which is taken anyway.
    """
    if operation.index == len(operations) - 2:
        return 1
    ratio = operation.input_elements / operation.output_elements
    step: int = round(float(ratio) ** 0.5)
    _require(step * step == ratio, operation)
    return int(step)


def _require(good: bool, operation: Operation) -> None:
    if not good:
        raise ProblemError(
            "inputs.workload", f"{operation.name} ({operation.kind})", "a chain that can be trained", reason=_REASON
        )
