"""Types of the outputs of one ONNX operator, as ONNX itself infers them from types and values of the inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from onnx import defs, helper, shape_inference

from engines.workloads.importing.graph import ContradictionError
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, tensor_type
from engines.workloads.importing.onnx.onnx_file import graphs_in
from engines.workloads.importing.onnx.onnx_sizes import is_standard
from engines.workloads.importing.onnx.onnx_stand_ins import Shapes, stand_in

# What the library says of sizes; other errors are of a form that it does not take, and that runtimes may take all the same.
_CONTRADICTION = re.compile(
    r"(?i)incompatib|mismatch|differ|not match|same rank|must be 1 instead|negative|incorrect number"
)
Types = Mapping[str, onnx.TypeProto]


class Inference:
    """Inference for the operators of one model.

    Attributes:
        opset: version of the standard operators.
    """

    def __init__(self, model: onnx.ModelProto, weights: Shapes) -> None:
        """Take the versions of the operators.

        Args:
            model: whose operators follow.
            weights: name -> shape of every weight.
        """
        self._weights = weights
        self._opsets = list(model.opset_import)
        self._versions = {"" if is_standard(each.domain) else each.domain: each.version for each in model.opset_import}
        self._schemas: dict[tuple[str, str], Any] = {}
        self.opset = self._versions.get("", 1)

    def types(self, node: onnx.NodeProto, inputs: Sequence[OnnxFact | None]) -> Types:
        """Name -> type of each output, as far as it follows.

        Args:
            node: the operator.
            inputs: in its order; None for one that is left out.

        Raises:
            ContradictionError: sizes that the standard's operator does not take together.
        """
        types = {each: found.shown_type for each, found in zip(node.input, inputs, strict=True) if found is not None}
        asked = node
        if node.op_type == "ConcatFromSequence" and is_standard(node.domain):
            return _joined(node, inputs[0])
        if not is_standard(node.domain):
            found = stand_in(node, self._weights, "__weight")
            if found is not None:
                asked = found[0]
                types |= {} if found[1] is None else {found[1].name: found[1].type}
        schema = self._schema(asked)
        if schema is None or not schema.has_type_and_shape_inference_function or any(True for _ in graphs_in(node)):
            return self._by_body(asked, types) if schema is not None and schema.has_function else {}
        shown = {name: found.shown_value() for name, found in zip(node.input, inputs, strict=True) if found is not None}
        data = {name: value for name, value in shown.items() if value is not None and name in asked.input}
        types = {name: kind for name, kind in types.items() if name in asked.input}
        try:
            return shape_inference.infer_node_outputs(schema, asked, types, data, opset_imports=self._opsets)
        except Exception as error:
            _, shape_error, reason = str(error).partition("[ShapeInferenceError] ")
            if shape_error and is_standard(node.domain) and _CONTRADICTION.search(reason):
                raise ContradictionError(" ".join(reason.split())[:200]) from error
            return {}

    def _schema(self, node: onnx.NodeProto) -> Any:
        domain = "" if is_standard(node.domain) else node.domain
        key = (domain, node.op_type)
        if key not in self._schemas:
            try:
                self._schemas[key] = defs.get_schema(node.op_type, self._versions.get(domain, 1), domain)
            except defs.SchemaError:
                self._schemas[key] = None
        return self._schemas[key]

    def _by_body(self, node: onnx.NodeProto, types: Types) -> Types:
        """Return the types of an operator that is defined by others alone: inference of a graph looks into it."""
        given = [onnx.ValueInfoProto(name=name, type=kind) for name, kind in types.items()]
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        model = helper.make_model(helper.make_graph([node], "one", given, outputs), opset_imports=self._opsets)
        try:
            found = shape_inference.infer_shapes(model, data_prop=True).graph
        except Exception:  # noqa: BLE001  as above
            return {}
        return {each.name: each.type for each in (*found.value_info, *found.output) if each.HasField("type")}


def _joined(node: onnx.NodeProto, sequence: OnnxFact | None) -> Types:
    """Return `ConcatFromSequence`, by the members that are joined."""
    members = () if sequence is None or sequence.members is None else sequence.members
    settings = {each.name: each.i for each in node.attribute}
    shapes = [each.dimensions for each in members]
    if not members or any(shape is None for shape in shapes):
        return {}
    axis, first = settings.get("axis", 0), list(shapes[0] or ())
    if settings.get("new_axis"):
        first.insert(axis if axis >= 0 else axis + len(first) + 1, len(members))
    elif -len(first) <= axis < len(first) and all(len(shape or ()) == len(first) for shape in shapes):
        parts = [shape[axis] for shape in shapes if shape is not None]
        first[axis] = None if None in parts else sum(part for part in parts if part is not None)
    else:
        return {}
    return {node.output[0]: tensor_type(members[0].element_type, first)}
