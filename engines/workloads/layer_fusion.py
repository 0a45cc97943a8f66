"""Folds the operations of a network into schedulable layers.

A schedulable layer is one compute operation (convolution, GEMM, product of two activations) with the operations that follow
it up to the next one: batch and layer normalisation, activation, pooling, softmax, residual addition, concatenation, reshape.
They work element by element, or nearly so, on what the compute operation gives out, and run in its shadow on the chiplet.

- Operations before the first compute operation (embeddings, their sum, the first normalisation) go to the first layer.
- An operation with one input that is not what the layer before gives out (the pooling that opens a branch of an inception
  block) goes to the compute operation that follows it; when an addition or a concatenation comes first, it goes with that to
  the layer before (the pooling that is a whole branch of a reduction block).
- MACs, and parameters of folded operations, are kept; embedding tables are counted apart, as only single rows are read.
- Each attention product is a layer of its own, with one repeat per head: it computes and has operands to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.workloads.errors import WorkloadError
from engines.workloads.network import COMPUTE_KINDS, Layer, Operation, distinct_elements

# Several operands: their inputs are more than the output of the layer before.
_JOINING_KINDS = ("eltwise", "concat")


@dataclass
class _Group:
    """A compute operation and what is folded into it."""

    compute: Operation
    output_elements: int
    before: list[Operation] = field(default_factory=list)
    after: list[Operation] = field(default_factory=list)


def group_operations(operations: Sequence[Operation]) -> tuple[Layer, ...]:
    """Return the schedulable layers in the order of their compute operations.

    Raises:
        WorkloadError: no operation computes anything.
    """
    groups: list[_Group] = []
    pending: list[Operation] = []
    for operation in operations:
        if operation.kind in COMPUTE_KINDS:
            groups.append(_Group(operation, operation.output_elements, before=pending))
            pending = []
        elif groups and _follows(operation, groups[-1], pending):
            groups[-1].after += [*pending, operation]
            pending = []
            groups[-1].output_elements = operation.output_elements or groups[-1].output_elements
        else:
            pending.append(operation)
    if not groups:
        kinds = sorted({operation.kind for operation in operations})
        raise WorkloadError("operations", kinds, f"at least one that computes: {', '.join(COMPUTE_KINDS)}")
    groups[-1].after.extend(pending)
    return tuple(_to_layer(index, group) for index, group in enumerate(groups))


def lookup_elements(operations: Iterable[Operation]) -> int:
    """Return the parameters in embedding tables that no layer has among its weights."""
    layers: list[Operation] = []
    tables: list[Operation] = []
    for operation in operations:
        (tables if operation.kind == "embedding" else layers).append(operation)
    return distinct_elements([*layers, *tables]) - distinct_elements(layers)


def _follows(operation: Operation, group: _Group, pending: Sequence[Operation]) -> bool:
    if operation.kind in _JOINING_KINDS:
        return True
    if pending:
        return False
    return not operation.input_elements or operation.input_elements == group.output_elements


def _to_layer(index: int, group: _Group) -> Layer:
    operation = group.compute
    folded = [*group.before, *group.after]
    dimensions = _dimensions(operation)
    loaded = [each for each in (operation, *folded) if each.kind != "embedding"]
    return Layer(
        index=index,
        name=operation.name,
        **dimensions,
        macs=operation.macs,
        weight_elements=distinct_elements(loaded),
        input_elements=operation.input_elements,
        output_elements=group.output_elements,
        folded=tuple(o.name for o in folded),
        shared_weights=tuple({name: (name, count) for each in loaded for name, count in each.shared_weights}.values()),
    )


def _dimensions(operation: Operation) -> dict[str, Any]:
    """Return the layer's dimensions, input with padding, channels per group."""
    common: dict[str, Any] = {
        "kind": operation.kind,
        "r": operation.r,
        "s": operation.s,
        "y": operation.y + operation.padding_y,
        "x": operation.x + operation.padding_x,
        "stride": operation.stride,
        "depthwise": False,
        "groups": operation.groups,
        "repeats": operation.repeats,
    }
    if operation.kind == "depthwise":
        # A channel multiplier m means m filters over the same channels, one after the other.
        multiplier = operation.k // operation.c
        repeats = operation.repeats * multiplier
        return common | {"k": 1, "c": operation.c, "depthwise": True, "groups": 1, "repeats": repeats}
    if operation.kind == "transposed_conv":
        # Each input element gives r*s products per output channel: a 1x1 convolution to k*r*s channels. Where kernels overlap
        # or outputs are cut off, what meets is added up on the way out; those additions are no MACs.
        k, c = operation.k * operation.r * operation.s // operation.groups, operation.c // operation.groups
        return common | {"kind": "conv", "k": k, "c": c, "r": 1, "s": 1, "stride": 1}
    return common | {"k": operation.k // operation.groups, "c": operation.c // operation.groups}
