"""Sequences of tensors, into which exporters split what they cannot count: their members, where their number is known.

https://onnx.ai/onnx/operators/: SequenceConstruct and those around it. Each function gives None where the members are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import onnx

from engines.workloads.importing.onnx.onnx_facts import OnnxFact, from_value

MAX_MEMBERS = 4096
Inputs = Sequence[OnnxFact | None]


def sequence_output(node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    """Return the output of a sequence operator: a sequence, a member, or the length.

    Args:
        node: the operator.
        inputs: in its order; None for one that is left out.
        name: name of the output.
    """
    make = _OPERATORS.get(node.op_type)
    return None if make is None else make(node, inputs, name)


def _empty(_node: onnx.NodeProto, _inputs: Inputs, name: str) -> OnnxFact:
    return _sequence(name, ())


def _made(_node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    members = [each for each in inputs if each is not None]
    return _sequence(name, members) if len(members) == len(inputs) else None


def _split(node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    """Return `SplitToSequence`: members of given sizes, or one for each place, without a dimension of its own unless asked."""
    whole, given = inputs[0], inputs[1] if len(inputs) > 1 else None
    sizes = None if whole is None else whole.dimensions
    axis = _whole(node, "axis", 0)
    if whole is None or sizes is None or not -len(sizes) <= axis < len(sizes):
        return None
    parts = _parts(sizes[axis], given)
    if parts is None or len(parts) > MAX_MEMBERS:
        return None
    flat = given is None and not _whole(node, "keepdims", 1)
    ends = np.cumsum(parts)
    members = []
    for number, (part, end) in enumerate(zip(parts, ends, strict=True)):
        weight = whole.weight and f"{whole.weight}[{number}]"
        member = replace(whole.with_size(axis, part), name=f"{name}[{number}]", weight=weight)
        if whole.value is not None:
            value = np.take(whole.value, range(int(end) - part, int(end)), axis)
            value = value[(slice(None),) * (axis % len(sizes)) + (0,)] if flat else value
            member = replace(from_value(member.name, value), weight=weight)
        elif flat:
            member = _without_axis(member, axis)
        members.append(member)
    return _sequence(name, members)


def _parts(size: int | None, given: OnnxFact | None) -> list[int] | None:
    """Return the sizes of the members; None where they are not known."""
    if given is None:
        return None if size is None or size > MAX_MEMBERS else [1] * size
    if given.value is None:
        return None
    if given.value.ndim:
        return [int(each) for each in given.value.ravel()]
    step = given.whole
    if size is None or step is None or step < 1 or size > step * MAX_MEMBERS:
        return None
    return [min(step, size - start) for start in range(0, size, step)]


def _without_axis(member: OnnxFact, axis: int) -> OnnxFact:
    sizes = list(member.dimensions or ())
    del sizes[axis]
    kind = onnx.helper.make_tensor_type_proto(member.element_type, sizes)
    return replace(member, type=kind)


def _at(_node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    members, place = _members(inputs[0]), _place(inputs, 1)
    if members is None or place is None or not -len(members) <= place < len(members):
        return None
    return replace(members[place], name=name)


def _inserted(_node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    members, new = _members(inputs[0]), inputs[1]
    place = len(members or ()) if len(inputs) < 3 else _place(inputs, 2)
    if members is None or new is None or place is None or len(members) >= MAX_MEMBERS:
        return None
    return _sequence(name, (*members[:place], new, *members[place:]))


def _erased(_node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    members = _members(inputs[0])
    place = -1 if len(inputs) < 2 else _place(inputs, 1)
    if members is None or place is None or not -len(members) <= place < len(members):
        return None
    place %= len(members)
    return _sequence(name, (*members[:place], *members[place + 1 :]))


def _length(_node: onnx.NodeProto, inputs: Inputs, name: str) -> OnnxFact | None:
    members = _members(inputs[0])
    return None if members is None else from_value(name, np.array(len(members), np.int64))


def _members(sequence: OnnxFact | None) -> tuple[OnnxFact, ...] | None:
    return None if sequence is None else sequence.members


def _place(inputs: Inputs, index: int) -> int | None:
    position = inputs[index]
    return None if position is None else position.whole


def _whole(node: onnx.NodeProto, name: str, default: int) -> int:
    return next((int(each.i) for each in node.attribute if each.name == name), default)


def _sequence(name: str, members: Sequence[OnnxFact]) -> OnnxFact:
    return OnnxFact(name, None, all(each.constant for each in members), None, tuple(members))


_OPERATORS: dict[str, Callable[[onnx.NodeProto, Inputs, str], OnnxFact | None]] = {
    "SequenceEmpty": _empty,
    "SequenceConstruct": _made,
    "SplitToSequence": _split,
    "SequenceAt": _at,
    "SequenceInsert": _inserted,
    "SequenceErase": _erased,
    "SequenceLength": _length,
}
