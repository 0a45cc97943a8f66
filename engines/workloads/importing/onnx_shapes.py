"""The size of every tensor of an ONNX model: open dimensions by their values, the rest by ONNX's own inference.

Weights are taken out first: inference needs their sizes alone, and a model of a hundred megabytes becomes a small one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import onnx
from onnx import shape_inference

from engines.counts import counted
from engines.errors import ProblemError
from engines.workloads.importing.graph import ImportedGraph, Node, Tensor
from engines.workloads.importing.limits import MAX_DIMENSIONS, MAX_NAME, MAX_OPEN_SIZE, MAX_SIZE
from engines.workloads.importing.onnx_file import count_nodes, graphs_in, printable
from engines.workloads.importing.onnx_stand_ins import stands_in, with_stand_ins

# Small ones say sizes, axes and scales, by which others are shaped.
_KEPT_ELEMENTS = 4096
_FLOATING = {
    onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16,
    onnx.TensorProto.INT8, onnx.TensorProto.UINT8,  # weights of a quantised network
}  # fmt: skip
_STANDARD = ("", "ai.onnx")
# What they give depends on the size of their input, and sizes are known.
_OF_SIZES = ("Shape", "Size", "Constant")


def read_graph(model: onnx.ModelProto, dimensions: Mapping[str, Any]) -> ImportedGraph:
    """The operators of a model with the sizes of all tensors that can be known. The model is changed on the way.

    Args:
        model: as `parse_model` gave it.
        dimensions: name of an open dimension -> its value.

    Raises:
        ProblemError: an open dimension without a value, one that the model does not have, or a size out of bounds.
    """
    notes = _external_notes(model.graph)
    _fill_open_dimensions(model.graph, dimensions)
    weights = _take_weights_out(model.graph)
    inputs = [each for each in model.graph.input if each.name not in weights]
    _forget_told_shapes(model.graph)
    shapes = {name: shape for name, (shape, _) in weights.items() if shape is not None}
    types = _types(_inferred(with_stand_ins(model, shapes)).graph) | weights
    nodes = tuple(_nodes(model.graph, types, set(weights)))
    samples = tuple(_tensor(each.name, types, set()) for each in inputs)
    return ImportedGraph(nodes, samples, _source(model), notes)


# -- open dimensions --------------------------------------------------------------------------------------------------


def _fill_open_dimensions(graph: onnx.GraphProto, given: Mapping[str, Any]) -> None:
    """Put the given values where the inputs leave a dimension open.

    Raises:
        ProblemError: for all that are missing together, each with its place.
    """
    constants = {each.name for each in graph.initializer}
    places: dict[str, str] = {}
    for each in graph.input:
        if each.name in constants or not each.type.HasField("tensor_type"):
            continue
        if not each.type.tensor_type.HasField("shape"):
            raise ProblemError("file", printable(each.name), "an input with a shape; export the network with one")
        for axis, dimension in enumerate(each.type.tensor_type.shape.dim):
            name = _open_name(dimension, each.name, axis)
            if name is not None:
                places.setdefault(name, f"{name} (axis {axis} of {printable(each.name)})")
                if name in given:
                    dimension.dim_value = _checked_size(name, given[name])
    for name in given:
        if name not in places:
            accepted = f"one of the open dimensions {', '.join(places)}" if places else "left out: no dimension is open"
            raise ProblemError("dims", name, accepted)
    missing = [name for name in places if name not in given]
    if missing:
        words = ", ".join(places[name] for name in missing)
        accepted = (
            f"given as whole numbers (--dim {missing[0]}=1) for all dimensions that the network leaves open: {words}"
        )
        raise ProblemError("dims", {name: given.get(name) for name in places}, accepted)


def _open_name(dimension: Any, tensor: str, axis: int) -> str | None:
    """What an open dimension is called; None for one that has a value. Some exporters write -1 or 0 for an open one."""
    if dimension.HasField("dim_value") and dimension.dim_value > 0:
        return None
    return printable(dimension.dim_param) or f"{printable(tensor)}.{axis}"


def _checked_size(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_OPEN_SIZE:
        raise ProblemError(f"dims.{name}", value, f"a whole number from 1 to {counted(MAX_OPEN_SIZE)}")
    return value


# -- weights ----------------------------------------------------------------------------------------------------------

Type = tuple[tuple[int, ...] | None, bool]  # shape, floating


def _take_weights_out(graph: onnx.GraphProto) -> dict[str, Type]:
    """Name -> type of every weight; large ones become inputs of that size."""
    types: dict[str, Type] = {}
    kept, declared = [], {each.name for each in graph.input}
    tensors = [*graph.initializer, *(_dense(each) for each in graph.sparse_initializer)]
    for tensor in tensors:
        shape = tuple(tensor.dims)
        types[tensor.name] = (_checked_shape(tensor.name, shape), tensor.data_type in _FLOATING)
        if prod(shape) <= _KEPT_ELEMENTS and tensor.data_location != onnx.TensorProto.EXTERNAL:
            kept.append(tensor)
        elif tensor.name not in declared:
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, shape))
    kept = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in kept]
    del graph.initializer[:]
    del graph.sparse_initializer[:]
    graph.initializer.extend(kept)
    return types


def _dense(sparse: onnx.SparseTensorProto) -> onnx.TensorProto:
    """The size of a sparse weight; engines know no sparsity, so all its elements count."""
    dense = onnx.TensorProto(name=sparse.values.name, data_type=sparse.values.data_type)
    dense.dims.extend(sparse.dims)
    dense.data_location = onnx.TensorProto.EXTERNAL  # it has no dense values here
    return dense


def _external_notes(graph: onnx.GraphProto) -> tuple[str, ...]:
    outside = sum(each.data_location == onnx.TensorProto.EXTERNAL for each in graph.initializer)
    if not outside:
        return ()
    return (f"{outside} weights lie in another file. It was not read: their sizes stand in this one.",)


# -- inference --------------------------------------------------------------------------------------------------------


def _forget_told_shapes(graph: onnx.GraphProto) -> None:
    """Drop shapes that may hold open dimensions; of operators that inference does not know, they are all there is."""
    known = {name for node in graph.node if node.domain in _STANDARD or stands_in(node) for name in node.output}
    told = [each for each in graph.value_info if each.name not in known]
    del graph.value_info[:]
    graph.value_info.extend(told)
    for output in graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    try:
        return shape_inference.infer_shapes(model, data_prop=True)
    except (shape_inference.InferenceError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ProblemError("file", reason, "a network whose sizes fit together") from error


def _types(graph: onnx.GraphProto) -> dict[str, Type]:
    found: dict[str, Type] = {}
    for each in (*graph.input, *graph.value_info, *graph.output):
        if each.type.HasField("tensor_type"):
            tensor = each.type.tensor_type
            found[each.name] = (_shape(each.name, tensor), tensor.elem_type in _FLOATING)
    return found


def _shape(name: str, tensor: Any) -> tuple[int, ...] | None:
    if not tensor.HasField("shape"):
        return None
    dimensions = tensor.shape.dim
    if any(not dimension.HasField("dim_value") for dimension in dimensions):
        return None
    return _checked_shape(name, tuple(dimension.dim_value for dimension in dimensions))


def _checked_shape(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) > MAX_DIMENSIONS:
        raise ProblemError("file", printable(name), f"tensors of at most {MAX_DIMENSIONS} dimensions")
    for size in shape:
        if not 0 <= size <= MAX_SIZE:
            raise ProblemError("file", f"{printable(name)} of {list(shape)}", f"sizes from 0 to {counted(MAX_SIZE)}")
    return shape


# -- nodes ------------------------------------------------------------------------------------------------------------


def _nodes(graph: onnx.GraphProto, types: Mapping[str, Type], constants: set[str]) -> Iterator[Node]:
    """The operators in their order. `constants` grows with what is computed from constants alone."""
    numbers: dict[str, int] = {}
    for node in graph.node:
        # What a loop or branch computes may depend on tensors that it does not list as inputs.
        whole = not any(True for _ in graphs_in(node))
        constant = whole and (node.op_type in _OF_SIZES or all(name in constants for name in node.input if name))
        if constant:
            constants.update(node.output)
        numbers[node.op_type] = numbers.get(node.op_type, 0) + 1
        yield Node(
            name=(printable(node.name) or f"{printable(node.op_type)}_{numbers[node.op_type]}")[-MAX_NAME:],
            operator=_operator(node),
            inputs=tuple(_tensor(name, types, constants) if name else None for name in node.input),
            outputs=tuple(_tensor(name, types, constants) for name in node.output if name),
            attributes=dict(_attributes(node)),
            inside=sum(count_nodes(inner) for inner in graphs_in(node)),
        )


def _operator(node: onnx.NodeProto) -> str:
    name = printable(node.op_type)
    return name if node.domain in _STANDARD else f"{printable(node.domain)}.{name}"


def _tensor(name: str, types: Mapping[str, Type], constants: set[str]) -> Tensor:
    shape, floating = types.get(name, (None, True))
    return Tensor(printable(name), shape, name in constants, floating)


def _attributes(node: onnx.NodeProto) -> Iterator[tuple[str, Any]]:
    kinds = onnx.AttributeProto
    for each in node.attribute:
        if each.type in (kinds.INT, kinds.FLOAT, kinds.INTS, kinds.FLOATS):
            value = onnx.helper.get_attribute_value(each)
            yield each.name, list(value) if each.type in (kinds.INTS, kinds.FLOATS) else value
        elif each.type == kinds.STRING:
            yield each.name, each.s.decode(errors="replace")


def _source(model: onnx.ModelProto) -> str:
    opset = next((each.version for each in model.opset_import if each.domain in _STANDARD), 0)
    producer = " ".join(printable(part) for part in (model.producer_name, model.producer_version) if part)
    return f"ONNX, opset {opset}" + (f", written by {producer}" if producer else "")
