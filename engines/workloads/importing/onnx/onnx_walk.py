"""Walks through an ONNX model operator by operator, with the size of every tensor and the value of every small one.

Sizes of one operator are ONNX's own inference, which is shown the values that stand before it (sizes, axes, repeats, also where a
long chain of operators computed them). Branches whose condition is known are followed, loops whose turns are known are unrolled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np
import onnx

from engines.contract.errors import ProblemError
from engines.workloads.importing.graph import ContradictionError, Node, Tensor
from engines.workloads.importing.limits import MAX_DIMENSIONS, MAX_NAME
from engines.workloads.importing.onnx.onnx_attention import CONTRIB_ATTENTION, DOMAIN, output_shapes
from engines.workloads.importing.onnx.onnx_control_flow import ControlFlow, Scope
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, elements, from_value, merged, others, tensor_type
from engines.workloads.importing.onnx.onnx_file import attributes_of, count_nodes, graphs_in, nodes_in, printable
from engines.workloads.importing.onnx.onnx_identities import OnnxIdentities, multiplies_one_number, weight_of
from engines.workloads.importing.onnx.onnx_inference import Inference
from engines.workloads.importing.onnx.onnx_sequences import sequence_output
from engines.workloads.importing.onnx.onnx_sizes import checked_shape, is_standard
from engines.workloads.importing.onnx.onnx_values import Value, computed, constant_value, value_of
from engines.workloads.importing.refusals import in_words, sizes_that_contradict

# What they give depends on the size of their input, and sizes are known.
_OF_SIZES = ("Shape", "Size", "Constant", "EyeLike")
# Elements that are computed in all: a file that asks for more is not worth the time.
_MAX_WORK = 20_000_000
_WORK_OF_PART = 500  # to make a part of a sequence takes as long as to compute so many elements
_QUANTISED = (onnx.TensorProto.INT8, onnx.TensorProto.UINT8)
# A size for each direction of their outputs does not help: of these the turns or the condition are asked for.
_NOT_ASKED = ("If", "Loop", "Scan")
_MOST_NUMBERS = 16  # of a tensor whose elements operators use: lengths of sequences, one for each sample


class Walk(ControlFlow):
    """One walk through a model.

    Attributes:
        nodes: the operators that it came past, in topological order.
        open_sizes: name of a size that depends on the data ("detections.0") -> the operator that gives it.
        used: the sizes of `given` that it met.
        frozen: name of a tensor -> a size that the exporter froze in it, and the one that the given sizes make of it.
        kept: name of a tensor -> the first size other than 1 that PyTorch's `squeeze` leaves in it, as runtimes do not.
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
            given: sizes that depend on the data, as a person gives them.
            weights: name -> shape of every weight.
        """
        self.nodes: list[Node] = []
        self.open_sizes: dict[str, str] = {}
        self.used: set[str] = set()
        self.frozen: dict[str, tuple[int, int]] = {}
        self.kept: dict[str, int] = {}
        self._by_torch = model.producer_name == "pytorch"
        self._joins: dict[str, list[OnnxFact]] = {}
        self._told, self._given = told, given
        self._inference = Inference(model, weights)
        self._numbers: dict[str, int] = {}
        self._identities = OnnxIdentities()
        self._work = 0
        self._steps = 0
        self._origin = -1
        self._read = {name for each in nodes_in(model.graph) for name in each.input}
        self._read.update(each.name for each in model.graph.output)

    def given(self, found: OnnxFact) -> OnnxFact:
        """Return a tensor with the value that the user may set by its name."""
        if found.value is not None or not found.is_whole_number:
            return found
        name = printable(found.name)
        if name not in self._given:
            return found
        self.used.add(name)
        return found.given(self._given[name])

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
            scope[tensor.name] = OnnxFact(
                prefix + tensor.name, kind, True, value_of(tensor), literal=True, weight=weight
            )
        for number, node in enumerate(graph.node):
            self._steps += 1
            self._origin = self._origin if prefix else number
            reason = self._entered(node, scope, prefix)
            if reason is not None:
                self._pass(node, scope, prefix, reason)

    # -- one operator ---------------------------------------------------------------------------------------------------

    def _pass(self, node: onnx.NodeProto, scope: Scope, prefix: str, reason: str) -> None:
        inputs = [scope.get(name, OnnxFact(prefix + name)) if name else None for name in node.input]
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
        self._add(node, inputs, outputs, prefix, sum(count_nodes(graph) for graph in inner), reason)

    def _add(
        self,
        node: onnx.NodeProto,
        inputs: Sequence[OnnxFact | None],
        outputs: Sequence[OnnxFact],
        prefix: str,
        inside: int = 0,
        reason: str = "",
    ) -> None:
        kind = printable(node.op_type)
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        made = Node(
            name=(printable(prefix + node.name) if node.name else f"{kind}_{self._numbers[kind]}")[-MAX_NAME:],
            operator=_operator(node),
            inputs=tuple(
                None if each is None else as_tensor(each, weight_of(node, number, each))
                for number, each in enumerate(inputs)
            ),
            outputs=tuple(map(as_tensor, outputs)),
            attributes=dict(attributes_of(node)),
            inside=inside,
            loop=self._identities.loop(prefix),
            reason=reason,
            origin=self._origin,
        )
        self.nodes.append(made)

    def _outputs(self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], prefix: str) -> list[OnnxFact]:
        """Return name -> known facts of each output with a name."""
        names = [name for name in node.output if name]
        if is_standard(node.domain) and len(names) == 1 and self._work <= _MAX_WORK:
            found = sequence_output(node, inputs, prefix + names[0])
            if found is not None:
                self._work += len(found.members or ()) * (_WORK_OF_PART if node.op_type == "SplitToSequence" else 1)
                return [found]
        inferred = self._types(node, inputs)
        outputs = []
        for name in names:
            told = None if prefix else self._told.get(name)
            outputs.append(OnnxFact(prefix + name, merged(inferred.get(name), told)))
        values = self._values(node, inputs, outputs)
        if values is not None:
            return [from_value(each.name, value) for each, value in zip(outputs, values, strict=True)]
        return [self._completed(each, node, inputs, prefix) for each in outputs]

    def _types(self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None]) -> Mapping[str, onnx.TypeProto]:
        """Name -> type of each output, as far as it follows.

        Raises:
            ProblemError: the sizes exclude each other.
        """
        if node.domain == DOMAIN and _operator(node) in CONTRIB_ATTENTION:
            tensors = tuple(None if each is None else as_tensor(each) for each in inputs)
            shapes = output_shapes(Node("", _operator(node), tensors, (), dict(attributes_of(node))))
            whole = inputs[0] is None or inputs[0].element_type in _QUANTISED
            element = onnx.TensorProto.FLOAT if whole or inputs[0] is None else inputs[0].element_type
            sized = zip(node.output, shapes or (), strict=False)
            return {name: tensor_type(element, checked_shape(name, shape)) for name, shape in sized}
        try:
            return self._inference.types(node, inputs)
        except ContradictionError as error:
            if self._by_torch and node.op_type == "Squeeze" and (kept := self._unsqueezed(node, inputs)) is not None:
                return {node.output[0]: kept}
            sizes = in_words(None if each is None else each.shape for each in inputs)
            place = (
                f"{_operator(node)} {printable(node.name or node.output[0])} of {sizes or 'unknown sizes'} ({error})"
            )
            raise sizes_that_contradict(place, self._given) from error

    def _unsqueezed(self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None]) -> onnx.TypeProto | None:
        """Return the type by PyTorch: its `squeeze` leaves axes of other sizes than 1; its exporter writes Squeeze all the same."""
        before, axes_input = (*inputs, None)[:2]
        given = axes_input.value if axes_input else dict(attributes_of(node)).get("axes")
        if before is None or before.shape is None or given is None:
            return None
        rank = len(before.shape)
        axes = [int(axis) for axis in np.ravel(np.asarray(given))]
        if not all(-rank <= axis < rank for axis in axes):
            return None
        gone = {axis % rank for axis in axes if before.shape[axis] == 1}
        self.kept[printable(node.output[0])] = next(before.shape[axis] for axis in axes if before.shape[axis] != 1)
        return tensor_type(before.element_type, [size for axis, size in enumerate(before.shape) if axis not in gone])

    def _values(
        self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], outputs: Sequence[OnnxFact]
    ) -> tuple[Value, ...] | None:
        """Return the numbers that a standard operator gives; None where they are not known."""
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

    def _completed(
        self, output: OnnxFact, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], prefix: str
    ) -> OnnxFact:
        """Return the output with the sizes that a person gives; those that are then open are noted where they first appear."""
        if output.shape is not None:
            return self.given(output)
        place, first = printable(output.name), not any(_open(each) for each in inputs)
        if output.type is None:
            wanted = first and output.name.removeprefix(prefix) in self._read and node.op_type not in _NOT_ASKED
            output = self._shaped(output, node, inputs if wanted else ())
        for axis, size in enumerate(output.dimensions or ()):
            if size is not None:
                continue
            name = f"{place}.{axis}"
            if name in self._given:
                self.used.add(name)
                output = output.with_size(axis, self._given[name])
            elif first and node.op_type not in _NOT_ASKED:
                self.open_sizes[name] = _operator(node)
        return self.given(output)

    def _shaped(self, output: OnnxFact, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None]) -> OnnxFact:
        """Return an output of which nothing is known, with the sizes that a person gives, one for each direction."""
        place = printable(output.name)
        names = list(takewhile(self._given.__contains__, (f"{place}.{axis}" for axis in range(MAX_DIMENSIONS))))
        self.used.update(names)
        if names:
            return replace(output, type=tensor_type(onnx.TensorProto.FLOAT, [self._given[name] for name in names]))
        # As many directions as its first input has, which mostly is right; somebody may give more or fewer.
        known = [each.dimensions for each in inputs if each is not None and each.dimensions]
        self.open_sizes.update((f"{place}.{axis}", _operator(node)) for axis in range(len(known[0]) if known else 0))
        return output

    def _kept(self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None], after: OnnxFact) -> OnnxFact:
        """Return the output of a reshape, which has as many elements as its input.

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
        accepted = "sizes that fit the file"
        reason = f"The exporter fixed some sizes although they are open: {place} reshapes {shapes}."
        ways = ["Use the sizes of the export."]
        raise ProblemError("dims", dict(self._given), accepted, reason=reason, remedies=ways)


def as_tensor(found: OnnxFact, weight: str = "") -> Tensor:
    """Return a tensor as the network describes it, and the identity of the weight that it is."""
    value, numbers = found.value, None
    if value is not None and 0 < value.size <= _MOST_NUMBERS and value.dtype.kind in "iu":
        numbers = tuple(map(int, value.ravel()))
    return Tensor(printable(found.name), found.shape, found.constant, weight and printable(weight), numbers)


def _value_of_size(node: onnx.NodeProto, tensor: OnnxFact) -> tuple[Value] | None:
    shape = tensor.shape
    if shape is None:
        return None
    if node.op_type == "Size":
        count = elements(shape) or 0
        return (np.array(count, np.int64),) if count < 2**63 else None
    ends = {each.name: each.i for each in node.attribute}
    return (np.array(shape[ends.get("start") : ends.get("end")], np.int64),)


def _operator(node: onnx.NodeProto) -> str:
    kind = printable(node.op_type)
    return kind if is_standard(node.domain) else f"{printable(node.domain)}.{kind}"


def _open(found: OnnxFact | None) -> bool:
    """Return whether a tensor has sizes that are not known."""
    return found is not None and not found.members and elements(found.dimensions) is None
