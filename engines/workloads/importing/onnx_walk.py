"""Walks through an ONNX model operator by operator, with the size of every tensor and the value of every small one.

Sizes of one operator are ONNX's own inference, which is shown the values that stand before it (sizes, axes, repeats, also where a
long chain of operators computed them). Branches whose condition is known are followed, loops whose turns are known are unrolled.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import helper

from engines.contract.errors import ProblemError
from engines.workloads.importing.graph import Node, Tensor
from engines.workloads.importing.limits import MAX_NAME, MAX_NODES
from engines.workloads.importing.onnx_file import count_nodes, graphs_in, printable
from engines.workloads.importing.onnx_found import Found, elements, from_value, merged, others, tensor_type
from engines.workloads.importing.onnx_identities import OnnxIdentities, multiplies_one_number, weight_of
from engines.workloads.importing.onnx_inference import Inference
from engines.workloads.importing.onnx_sequences import sequence_output
from engines.workloads.importing.onnx_sizes import checked_shape, is_floating, is_standard
from engines.workloads.importing.onnx_values import MAX_ELEMENTS, Value, computed, constant_value, value_of

Scope = ChainMap[str, Found]
# What they give depends on the size of their input, and sizes are known.
_OF_SIZES = ("Shape", "Size", "Constant", "EyeLike")
# Elements that are computed in all: a file that asks for more is not worth the time.
_MAX_WORK = 20_000_000
_WORK_OF_PART = 500  # to make a part of a sequence takes as long as to compute so many elements
_MAX_TURNS = 4096  # of a loop


class Walk:
    """One walk through a model.

    Attributes:
        nodes: the operators that it came past, in topological order.
        open_sizes: name of a size that depends on the data ("detections.0") -> the operator that gives it.
        used: the sizes of `given` that it met.
        frozen: name of a tensor -> a size that the exporter froze in it, and the one that the given sizes make of it.
    """

    def __init__(
        self,
        model: onnx.ModelProto,
        told: Mapping[str, onnx.TypeProto],
        given: Mapping[str, int],
        weights: Mapping[str, Any],
    ) -> None:
        """Prepare the walk.

        Args:
            model: weights are taken out already, as far as they are large.
            told: types of tensors of the outermost graph, as far as another source knows them.
            given: sizes that depend on the data, as somebody gives them.
            weights: name -> shape of every weight.
        """
        self.nodes: list[Node] = []
        self.open_sizes: dict[str, str] = {}
        self.used: set[str] = set()
        self.frozen: dict[str, tuple[int, int]] = {}
        self._joins: dict[str, list[Found]] = {}
        self._told, self._given = told, given
        self._inference = Inference(model, weights)
        self._numbers: dict[str, int] = {}
        self._identities = OnnxIdentities()
        self._work = 0
        self._steps = 0

    def follow(self, graph: onnx.GraphProto, scope: Scope, prefix: str = "") -> None:
        """Walk through a graph; what it computes is then in `scope`.

        Args:
            graph: its inputs are in the scope already.
            scope: name in the graph -> what is known of the tensor.
            prefix: put before names, where a graph is walked through more than once.
        """
        for tensor in graph.initializer:
            if tensor.name in scope.maps[0]:
                continue
            kind = tensor_type(tensor.data_type, checked_shape(tensor.name, tuple(tensor.dims)))
            weight = self._identities.stored(prefix, tensor.name, kind)
            scope[tensor.name] = Found(prefix + tensor.name, kind, True, value_of(tensor), literal=True, weight=weight)
        for node in graph.node:
            self._steps += 1
            if not self._entered(node, scope, prefix):
                self._pass(node, scope, prefix)

    # -- one operator ---------------------------------------------------------------------------------------------------

    def _pass(self, node: onnx.NodeProto, scope: Scope, prefix: str) -> None:
        inputs = [scope.get(name, Found(prefix + name)) if name else None for name in node.input]
        inner = [*graphs_in(node)]
        # What a loop or branch computes may depend on tensors that it does not list as inputs.
        constant = not inner and (node.op_type in _OF_SIZES or all(each is None or each.constant for each in inputs))
        constant = constant and not multiplies_one_number(node, inputs)
        literal = node.op_type not in ("Shape", "Size") and all(each is None or each.literal for each in inputs)
        outputs = [
            replace(each, constant=constant or each.value is not None, literal=literal)
            for each in self._outputs(node, inputs, prefix)
        ]
        if constant:
            outputs = self._identities.of_constants(node, inputs, outputs, prefix)
        if node.op_type == "Concat" and outputs and outputs[0].value is not None:
            self._joins[outputs[0].name] = [each for each in inputs if each is not None]
        if node.op_type == "Reshape" and is_standard(node.domain) and len(inputs) == 2:
            outputs = [self._kept(node, inputs, outputs[0])]
        scope.update(zip((name for name in node.output if name), outputs, strict=True))
        for each in outputs:
            checked_shape(each.name, tuple(size or 0 for size in each.dimensions or ()))
        self._add(node, inputs, outputs, prefix, sum(count_nodes(graph) for graph in inner))

    def _add(
        self,
        node: onnx.NodeProto,
        inputs: Sequence[Found | None],
        outputs: Sequence[Found],
        prefix: str,
        inside: int = 0,
    ) -> None:
        kind = printable(node.op_type)
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        made = Node(
            name=(printable(prefix + node.name) if node.name else f"{kind}_{self._numbers[kind]}")[-MAX_NAME:],
            operator=kind if is_standard(node.domain) else f"{printable(node.domain)}.{kind}",
            inputs=tuple(
                None if each is None else as_tensor(each, weight_of(node, number, each))
                for number, each in enumerate(inputs)
            ),
            outputs=tuple(map(as_tensor, outputs)),
            attributes=dict(_attributes(node)),
            inside=inside,
            loop=self._identities.loop(prefix),
        )
        self.nodes.append(made)

    def _outputs(self, node: onnx.NodeProto, inputs: Sequence[Found | None], prefix: str) -> list[Found]:
        """What is known of each output that has a name."""
        names = [name for name in node.output if name]
        if is_standard(node.domain) and len(names) == 1 and self._work <= _MAX_WORK:
            found = sequence_output(node, inputs, prefix + names[0])
            if found is not None:
                self._work += len(found.members or ()) * (_WORK_OF_PART if node.op_type == "SplitToSequence" else 1)
                return [found]
        inferred = self._inference.types(node, inputs)
        outputs = []
        for name in names:
            told = None if prefix else self._told.get(name)
            outputs.append(Found(prefix + name, merged(inferred.get(name), told)))
        values = self._values(node, inputs, outputs)
        if values is not None:
            return [from_value(each.name, value) for each, value in zip(outputs, values, strict=True)]
        return [self._completed(each, node, inputs) for each in outputs]

    def _values(
        self, node: onnx.NodeProto, inputs: Sequence[Found | None], outputs: Sequence[Found]
    ) -> tuple[Value, ...] | None:
        """The numbers that a standard operator gives; None where they are not known."""
        if not is_standard(node.domain) or len(outputs) != len(node.output):
            return None
        if node.op_type == "Constant":
            value = constant_value(node)
            return None if value is None else (value,)
        first = inputs[0] if inputs else None
        if node.op_type in ("Shape", "Size"):
            return None if first is None else _value_of_size(node, first)
        if self._work > _MAX_WORK or not inputs or any(each is not None and each.value is None for each in inputs):
            return None
        values = [None if each is None else each.value for each in inputs]
        found = computed(node, values, [each.dimensions for each in outputs], self._inference.opset)
        self._work += sum(each.size for each in (*values, *(found or ())) if each is not None)
        return found

    def _completed(self, output: Found, node: onnx.NodeProto, inputs: Sequence[Found | None]) -> Found:
        """The output with the sizes that somebody gives; those that are then open are noted where they first appear."""
        for axis, size in enumerate(output.dimensions or ()):
            if size is not None:
                continue
            name = f"{printable(output.name)}.{axis}"
            if name in self._given:
                self.used.add(name)
                output = output.with_size(axis, self._given[name])
            elif all(each is None or each.members or elements(each.dimensions) is not None for each in inputs):
                self.open_sizes[name] = printable(node.op_type)
        return output

    def _kept(self, node: onnx.NodeProto, inputs: Sequence[Found | None], after: Found) -> Found:
        """What a reshape gives, which has as many elements as before.

        Exporters that trace freeze sizes that the module takes for plain numbers. Where the sizes of a reshape no longer fit, and a
        single one of them stands in the file while the others follow from the inputs, that one is what was frozen.

        Raises:
            ProblemError: they do not fit; names the sizes that were given, if any were.
        """
        before, wanted = inputs
        counts = [None if each is None else elements(each.dimensions) for each in (before, after)]
        if before is None or wanted is None or None in counts or counts[0] == counts[1]:
            return after
        shape, total = after.shape or (), counts[0] or 0
        literals = [
            each.literal for each in self._joins.get(wanted.name, ()) for _ in range(elements(each.dimensions) or 0)
        ]
        frozen = [axis for axis, literal in enumerate(literals) if literal and total % max(others(shape, axis), 1) == 0]
        place = printable(after.name)
        if len(frozen) == 1 and len(literals) == len(shape) and 0 not in shape:
            (axis,) = frozen
            size = total // others(shape, axis)
            self.frozen[place] = (shape[axis], size)
            return after.with_size(axis, size)
        shapes = " to ".join(" x ".join(map(str, each.shape or ())) for each in (before, after))
        if not self._given:
            raise ProblemError("file", f"{place} reshapes {shapes}", "a network whose sizes fit together")
        accepted = (
            "sizes that fit the file: the ones that it was exported with always do. Its exporter froze some of them, although they "
            f"are open: {place} reshapes {shapes}"
        )
        raise ProblemError("dims", dict(self._given), accepted)

    # -- branches and loops ---------------------------------------------------------------------------------------------

    def _entered(self, node: onnx.NodeProto, scope: Scope, prefix: str) -> bool:
        """Walk through the graph that a node holds, in its place; False where it is not known how it runs."""
        if not is_standard(node.domain) or self._steps > 2 * MAX_NODES:
            return False
        graphs = {each.name: each.g for each in node.attribute if each.HasField("g")}
        own = f"{node.name or node.output[0] if node.output else node.name}/"
        inside = prefix + own
        self._identities.place(inside, prefix, own)
        if node.op_type == "If" and node.input:
            condition = _truth(scope.get(node.input[0]))
            branch = graphs.get("then_branch" if condition else "else_branch")
            if condition is None or branch is None or len(branch.output) != len(node.output):
                return False
            inner: Scope = scope.new_child()
            self.follow(branch, inner, inside)
            ends = [inner.get(each.name, Found(inside + each.name)) for each in branch.output]
            scope.update((name, end) for name, end in zip(node.output, ends, strict=True) if name)
            return True
        if node.op_type == "Loop" and "body" in graphs:
            return self._unrolled(node, graphs["body"], scope, inside)
        return False

    def _unrolled(self, node: onnx.NodeProto, body: onnx.GraphProto, scope: Scope, prefix: str) -> bool:
        """A loop, turn by turn: https://onnx.ai/onnx/operators/onnx__Loop.html."""
        limit = scope.get(node.input[0]) if node.input and node.input[0] else None
        going = True if len(node.input) < 2 or not node.input[1] else _truth(scope.get(node.input[1]))
        turns = _MAX_TURNS if limit is None else limit.whole
        carried = [scope.get(name, Found(prefix + name)) for name in node.input[2:]]
        fits = len(body.input) == 2 + len(carried) and len(node.output) == len(body.output) - 1 >= len(carried)
        if going is None or turns is None or not fits:
            return False
        before, work = self._noted(), count_nodes(body)
        stacked: list[list[Found]] = [[] for _ in body.output[1 + len(carried) :]]
        turn, whole = 0, False  # whole: that the first turn computes what all others do
        while going and turn < turns:
            if turn >= _MAX_TURNS - 1 or len(self.nodes) + work > MAX_NODES or self._steps > 2 * MAX_NODES:
                self._restore(before)
                return False
            place = f"{prefix}{turn}/"
            self._identities.place(place, prefix)
            inner: Scope = scope.new_child()
            inner[body.input[0].name] = from_value(place + body.input[0].name, np.array(turn, np.int64))
            inner[body.input[1].name] = from_value(place + body.input[1].name, np.array(True))
            inner.update(zip((each.name for each in body.input[2:]), carried, strict=True))
            self.follow(body, inner, place)
            ends = [inner.get(each.name, Found(place + each.name)) for each in body.output]
            begins = [first.constant and not end.constant and is_floating(first.type)
                      for first, end in zip(carried, ends[1:], strict=False)]  # fmt: skip
            if not whole and any(begins):
                self._restore(before)
                carried = [self._begun(node, each, prefix) if begin else each
                           for each, begin in zip(carried, begins, strict=True)]  # fmt: skip
                whole = True
                continue
            whole = True
            going, carried = _truth(ends[0]), ends[1 : 1 + len(carried)]
            if going is None:
                self._restore(before)
                return False
            for each, end in zip(stacked, ends[1 + len(carried) :], strict=True):
                each.append(end)
            turn += 1
        scans = [
            self._stacked(node, each, prefix + node.output[len(carried) + number])
            for number, each in enumerate(stacked)
        ]
        scope.update((name, end) for name, end in zip(node.output, [*carried, *scans], strict=True) if name)
        return True

    def _begun(self, node: onnx.NodeProto, first: Found, prefix: str) -> Found:
        """The first state of a loop, which is the same for every sample, as one of the states that are not."""
        found = Found(f"{prefix}{first.name}", first.type)
        if first.weight:
            self._add(helper.make_node("Identity", [], [], node.name), [first], [found], "")
        return found

    def _noted(self) -> tuple[int, int, int, set[str]]:
        """How much was found so far, for a loop that may be given up; no copies, as loops may be many."""
        return len(self.nodes), len(self.open_sizes), len(self.frozen), set(self.used)

    def _restore(self, noted: tuple[int, int, int, set[str]]) -> None:
        """Forget what the turns of a loop brought that is listed as a whole after all."""
        nodes, open_sizes, frozen, self.used = noted
        del self.nodes[nodes:]
        while len(self.open_sizes) > open_sizes:
            self.open_sizes.popitem()
        while len(self.frozen) > frozen:
            self.frozen.popitem()

    def _stacked(self, node: onnx.NodeProto, parts: Sequence[Found], name: str) -> Found:
        """What each turn of a loop gives, one behind the other; its own operator, as it is a copy."""
        shapes = {each.dimensions for each in parts}
        kind, value = None, None
        if len(shapes) == 1 and None not in shapes:
            kind = tensor_type(parts[0].element_type, (len(parts), *(shapes.pop() or ())))
        values = [each.value for each in parts if each.value is not None]
        if kind is not None and len(values) == len(parts) and sum(each.size for each in values) <= MAX_ELEMENTS:
            value = np.stack(values)
        constant = bool(parts) and all(each.constant for each in parts)
        weight = name if constant and any(each.weight for each in parts) else ""
        found = Found(name, kind, constant, value, weight=weight)
        self._add(helper.make_node("Concat", [], [], node.name), parts, [found], "")
        return found


def as_tensor(found: Found, weight: str = "") -> Tensor:
    """A tensor as the network describes it, and the identity of the weight that it is."""
    return Tensor(printable(found.name), found.shape, found.constant, weight and printable(weight))


def _value_of_size(node: onnx.NodeProto, tensor: Found) -> tuple[Value] | None:
    shape = tensor.shape
    if shape is None:
        return None
    if node.op_type == "Size":
        count = elements(shape) or 0
        return (np.array(count, np.int64),) if count < 2**63 else None
    ends = {each.name: each.i for each in node.attribute}
    return (np.array(shape[ends.get("start") : ends.get("end")], np.int64),)


def _truth(condition: Found | None) -> bool | None:
    value = None if condition is None else condition.whole
    return None if value is None else bool(value)


def _attributes(node: onnx.NodeProto) -> Iterator[tuple[str, Any]]:
    kinds = onnx.AttributeProto
    for each in node.attribute:
        if each.type in (kinds.INT, kinds.FLOAT, kinds.INTS, kinds.FLOATS):
            value = onnx.helper.get_attribute_value(each)
            yield each.name, list(value) if each.type in (kinds.INTS, kinds.FLOATS) else value
        elif each.type == kinds.STRING:
            yield each.name, each.s.decode(errors="replace")
