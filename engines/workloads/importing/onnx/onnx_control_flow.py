"""Branches and loops of an ONNX model: followed where their condition is known, unrolled where the number of their turns is.

https://onnx.ai/onnx/operators/: If, Loop, Scan.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import helper

from engines.workloads.importing.graph import Node
from engines.workloads.importing.limits import MAX_NODES
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, from_value, tensor_type
from engines.workloads.importing.onnx.onnx_file import attributes_of, count_nodes, printable
from engines.workloads.importing.onnx.onnx_identities import OnnxIdentities
from engines.workloads.importing.onnx.onnx_inference import Inference
from engines.workloads.importing.onnx.onnx_sizes import is_floating, is_standard
from engines.workloads.importing.onnx.onnx_values import MAX_ELEMENTS
from engines.workloads.importing.refusals import in_words, sizes_that_contradict

Scope = ChainMap[str, OnnxFact]
_Noted = tuple[int, int, int, set[str]]
_MAX_TURNS = 4096  # of a loop
_UNKNOWN_TURNS = "the number of its turns depends on the data"
_TOO_MANY = f"unrolled, the network has more than {MAX_NODES} operators"


class ControlFlow:
    """The part of a walk that goes into the graphs that operators hold. Attributes as those of the walk."""

    nodes: list[Node]
    open_sizes: dict[str, str]
    used: set[str]
    frozen: dict[str, tuple[int, int]]
    _given: Mapping[str, int]
    _identities: OnnxIdentities
    _inference: Inference
    _steps: int

    def follow(self, graph: onnx.GraphProto, scope: Scope, prefix: str = "") -> None:
        """Walk through a graph; what it computes is then in `scope`."""
        raise NotImplementedError

    def _add(
        self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], outputs: Sequence[OnnxFact], prefix: str
    ) -> None:
        raise NotImplementedError

    def _entered(self, node: onnx.NodeProto, scope: Scope, prefix: str) -> str | None:
        """Walk through the graph that a node holds, in its place; the reason where that cannot be done, "" for other operators."""
        if not is_standard(node.domain) or node.op_type not in ("If", "Loop", "Scan"):
            return ""
        if self._steps > 2 * MAX_NODES:
            return _TOO_MANY
        graphs = {each.name: each.g for each in node.attribute if each.HasField("g")}
        own = f"{node.name or node.output[0] if node.output else node.name}/"
        inside = prefix + own
        self._identities.place(inside, prefix, own)
        if node.op_type == "If" and node.input:
            return self._branched(node, graphs, scope, inside)
        if "body" not in graphs:
            return "it has no body"
        return (self._looped if node.op_type == "Loop" else self._scanned)(node, graphs["body"], scope, inside)

    def _branched(
        self, node: onnx.NodeProto, graphs: Mapping[str, onnx.GraphProto], scope: Scope, prefix: str
    ) -> str | None:
        condition = scope.get(node.input[0])
        truth = _truth(condition)
        if truth is None:
            name = printable(node.input[0] if condition is None else condition.name)
            self.open_sizes[name] = "If"
            return f"{name} depends on the data (1 takes its first branch, 0 the other)"
        branch = graphs.get("then_branch" if truth else "else_branch")
        if branch is None or len(branch.output) != len(node.output):
            return "its branches have other outputs"
        inner: Scope = scope.new_child()
        self.follow(branch, inner, prefix)
        ends = [inner.get(each.name, OnnxFact(prefix + each.name)) for each in branch.output]
        scope.update((name, end) for name, end in zip(node.output, ends, strict=True) if name)
        return None

    def _looped(self, node: onnx.NodeProto, body: onnx.GraphProto, scope: Scope, prefix: str) -> str | None:
        """Return a loop, turn by turn: https://onnx.ai/onnx/operators/onnx__Loop.html."""
        limit = scope.get(node.input[0]) if node.input and node.input[0] else None
        going = True if len(node.input) < 2 or not node.input[1] else _truth(scope.get(node.input[1]))
        turns = _MAX_TURNS + 1 if limit is None else limit.whole
        states = [scope.get(name, OnnxFact(prefix + name)) for name in node.input[2:]]
        if len(body.input) != 2 + len(states) or not len(node.output) == len(body.output) - 1 >= len(states):
            return "its body has other inputs or outputs"
        wanted = self._given.get(printable(f"{prefix}turns"))  # then its conditions are of no account
        turns, going = (turns, going) if wanted is None else (wanted, True)

        def bind(turn: int, place: str) -> list[OnnxFact]:
            number, condition = (place + each.name for each in body.input[:2])
            return [from_value(number, np.array(turn, np.int64)), from_value(condition, np.array(True))]

        reason: str | None = _UNKNOWN_TURNS
        if going is not None and turns is not None:
            reason = self._repeated(node, body, scope, prefix, turns if going else 0, states, bind, wanted is None)
        if wanted is not None:
            self.used.add(printable(f"{prefix}turns"))
        elif reason == _UNKNOWN_TURNS:
            self.open_sizes[printable(f"{prefix}turns")] = "Loop"
        return reason

    def _scanned(self, node: onnx.NodeProto, body: onnx.GraphProto, scope: Scope, prefix: str) -> str | None:
        """Return a body for each place of a sequence: https://onnx.ai/onnx/operators/onnx__Scan.html."""
        if self._inference.opset < 9:
            return "before opset 9 it has another form"
        settings = dict(attributes_of(node))
        count = settings.get("num_scan_inputs", 0)
        inputs = [scope.get(name, OnnxFact(prefix + name)) for name in node.input]
        if not isinstance(count, int) or not 1 <= count <= len(inputs) == len(body.input):
            return "its body has other inputs"
        states, scanned = inputs[:-count], inputs[-count:]
        axes = _axes(settings, "scan_input_axes", count)
        if not len(node.output) == len(body.output) >= len(states) or axes is None:
            return "its body has other outputs, or an axis for none of them"
        parts = [_length(each, axis) for each, axis in zip(scanned, axes, strict=True)]
        if None in parts:
            return "the length of its sequence is not known"
        if len(set(parts)) > 1:
            shapes = in_words(each.shape for each in scanned)
            raise sizes_that_contradict(f"Scan {printable(node.name)} of {shapes}", self._given)

        def bind(turn: int, place: str) -> list[OnnxFact]:
            names = [each.name for each in body.input[len(states) :]]
            return [self._slice(*each, place, turn) for each in zip(scanned, axes, names, strict=True)]

        return self._repeated(node, body, scope, prefix, parts[0] or 0, states, bind)

    def _repeated(
        self,
        node: onnx.NodeProto,
        body: onnx.GraphProto,
        scope: Scope,
        prefix: str,
        turns: int,
        states: Sequence[OnnxFact],
        bind: Callable[[int, str], list[OnnxFact]],
        conditional: bool = True,
    ) -> str | None:
        """Walk through a body turn by turn; None, or the reason why that cannot be done.

        Args:
            node: `Loop`, whose body begins with a number and a condition, or `Scan`, whose body ends with parts of sequences.
            body: its graph.
            scope: scope of the node; the outputs are put there.
            prefix: prefix of names.
            turns: largest number of turns.
            states: state that each turn passes to the next.
            bind: number of a turn and prefix of its names -> the inputs of the body that are no states.
            conditional: whether the condition that a turn of a `Loop` gives is heeded.
        """
        loop, before, work = node.op_type == "Loop", self._noted(), count_nodes(body)
        first = int(loop)
        stacked: list[list[OnnxFact]] = [[] for _ in body.output[first + len(states) :]]
        axes = _axes(dict(attributes_of(node)), "scan_output_axes", len(stacked))
        if axes is None:
            return "it has not one axis for each sequence that it gives"
        certain = not loop or not conditional
        for turn in range(turns):
            reason = self._beyond(turns - 1 if certain else turn, work)
            if reason:
                self._restore(before)
                return reason
            place = f"{prefix}{turn}/"
            self._identities.place(place, prefix)
            ends = self._turn(body, scope, place, bind(turn, place), states, loop)
            begun = [] if turn else self._begun(node, states, ends[first:], before, prefix)
            if begun:
                states = begun
                ends = self._turn(body, scope, place, bind(turn, place), states, loop)
            states = ends[first : first + len(states)]
            for each, end in zip(stacked, ends[first + len(states) :], strict=True):
                each.append(end)
            going = _truth(ends[0]) if loop and conditional else True
            if going is None:
                self._restore(before)
                return _UNKNOWN_TURNS
            if not going:
                break
        names = [prefix + name for name in node.output[len(states) :]]
        scans = [self._stacked(node, *each) for each in zip(stacked, names, axes, strict=True)]
        scope.update((name, end) for name, end in zip(node.output, [*states, *scans], strict=True) if name)
        return None

    def _turn(
        self,
        body: onnx.GraphProto,
        scope: Scope,
        place: str,
        bound: list[OnnxFact],
        states: Sequence[OnnxFact],
        loop: bool,
    ) -> list[OnnxFact]:
        """Return the results of one turn."""
        inner: Scope = scope.new_child()
        inputs = [*bound, *states] if loop else [*states, *bound]
        inner.update(zip((each.name for each in body.input), inputs, strict=True))
        self.follow(body, inner, place)
        return [inner.get(each.name, OnnxFact(place + each.name)) for each in body.output]

    def _begun(
        self, node: onnx.NodeProto, states: Sequence[OnnxFact], ends: Sequence[OnnxFact], before: _Noted, prefix: str
    ) -> list[OnnxFact]:
        """Return first states that are equal for every sample as different ones: the first turn then computes all the others.

        Empty where no state is such a one; else what the turn brought is forgotten.
        """
        begins = [first.constant and not end.constant and is_floating(first.type)
                  for first, end in zip(states, ends, strict=False)]  # fmt: skip
        if not any(begins):
            return []
        self._restore(before)
        results = [
            OnnxFact(f"{prefix}{each.name}", each.type) if begin else each
            for each, begin in zip(states, begins, strict=True)
        ]
        for first, state, begin in zip(states, results, begins, strict=True):
            if begin and first.weight:
                self._add(helper.make_node("Identity", [], [], node.name), [first], [state], "")
        return results

    def _beyond(self, turn: int, work: int) -> str:
        """Return why a turn is not unrolled; "" where it may be."""
        if turn >= _MAX_TURNS:
            return f"it has more than {_MAX_TURNS} turns"
        return _TOO_MANY if len(self.nodes) + work > MAX_NODES or self._steps > 2 * MAX_NODES else ""

    def _noted(self) -> _Noted:
        """Return how much was found so far, for a loop that may be given up; no copies, as loops may be many."""
        return len(self.nodes), len(self.open_sizes), len(self.frozen), set(self.used)

    def _restore(self, noted: _Noted) -> None:
        """Forget what the turns of a loop brought that is listed as a whole after all."""
        nodes, open_sizes, frozen, self.used = noted
        del self.nodes[nodes:]
        while len(self.open_sizes) > open_sizes:
            self.open_sizes.popitem()
        while len(self.frozen) > frozen:
            self.frozen.popitem()

    def _slice(self, whole: OnnxFact, axis: int, name: str, place: str, turn: int) -> OnnxFact:
        """Return a part of a sequence that a turn takes; its own operator, as it is a copy."""
        sizes = list(whole.dimensions or ())
        del sizes[axis]
        kind = tensor_type(whole.element_type, sizes)
        value = None if whole.value is None else np.take(whole.value, turn, axis)
        weight = f"{whole.weight}[{turn}]" if whole.weight else ""
        part = replace(whole, name=place + name, type=kind, value=value, weight=weight)
        self._add(helper.make_node("Slice", [], [], name), [replace(whole, type=kind, value=None)], [part], place)
        return part

    def _stacked(self, node: onnx.NodeProto, parts: Sequence[OnnxFact], name: str, axis: int) -> OnnxFact:
        """Return the results of all turns of a loop, one behind the other; its own operator, as it is a copy."""
        shapes = {each.dimensions for each in parts}
        kind, value = None, None
        sizes = list(shapes.pop() or ()) if len(shapes) == 1 and None not in shapes else None
        if sizes is not None and -len(sizes) - 1 <= axis <= len(sizes):
            sizes.insert(axis if axis >= 0 else axis + len(sizes) + 1, len(parts))
            kind = tensor_type(parts[0].element_type, sizes)
        values = [each.value for each in parts if each.value is not None]
        if kind is not None and len(values) == len(parts) and sum(each.size for each in values) <= MAX_ELEMENTS:
            value = np.stack(values, axis)
        constant = bool(parts) and all(each.constant for each in parts)
        weight = name if constant and any(each.weight for each in parts) else ""
        joined = OnnxFact(name, kind, constant, value, weight=weight)
        self._add(helper.make_node("Concat", [], [], node.name), parts, [joined], "")
        return joined


def _axes(settings: Mapping[str, Any], name: str, count: int) -> list[int] | None:
    """Return a list of as many axes; None where the attribute is another."""
    axes = settings.get(name) or [0] * count
    whole = isinstance(axes, list) and len(axes) == count and all(isinstance(each, int) for each in axes)
    return axes if whole else None


def _length(tensor: OnnxFact, axis: int) -> int | None:
    sizes = tensor.dimensions or ()
    return sizes[axis] if -len(sizes) <= axis < len(sizes) else None


def _truth(condition: OnnxFact | None) -> bool | None:
    value = None if condition is None else condition.whole
    return None if value is None else bool(value)
