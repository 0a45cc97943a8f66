"""An ONNX model as a graph of operators and tensors of known size.

Weights are taken out first: inference needs their sizes alone, and a model of a hundred megabytes becomes a small one. Then ONNX's
own inference goes over the whole model, and a walk finds what depends on values: `engines.workloads.importing.onnx.onnx_walk`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from math import prod
from typing import Any

import onnx
from onnx import shape_inference

from engines.contract.errors import ProblemError
from engines.workloads.importing.graph import EMPTY_INPUT, ImportedGraph
from engines.workloads.importing.onnx.onnx_control_flow import Scope
from engines.workloads.importing.onnx.onnx_dimensions import fill_open_dimensions, unknown_name
from engines.workloads.importing.onnx.onnx_facts import OnnxFact
from engines.workloads.importing.onnx.onnx_file import printable, tensors_in
from engines.workloads.importing.onnx.onnx_sizes import checked_shape, is_floating, is_standard
from engines.workloads.importing.onnx.onnx_stand_ins import stands_in, with_stand_ins
from engines.workloads.importing.onnx.onnx_walk import Walk, as_tensor

# Small ones say sizes, axes and scales, by which others are shaped.
_KEPT_ELEMENTS = 4096


def read_graph(model: onnx.ModelProto, dimensions: Mapping[str, Any]) -> ImportedGraph:
    """Return the operators of `read_facts`."""
    return read_facts(model, dimensions)[0]


def read_facts(model: onnx.ModelProto, dimensions: Mapping[str, Any]) -> tuple[ImportedGraph, Scope]:
    """Return the operators of a model with the sizes of all tensors that can be known. The model is changed on the way.

    Beside them stands what is known of each tensor of the outermost graph, by its name.

    Args:
        model: as `parse_model` gave it.
        dimensions: name of an open dimension -> its value.

    Raises:
        ProblemError: an open dimension without a value, one that the model does not have, or a size out of bounds.
    """
    _check_places(model.graph)
    notes = _external_notes(model.graph)
    dims = fill_open_dimensions(model.graph, dimensions)
    weights = _take_weights_out(model.graph)
    samples = [each for each in model.graph.input if each.name not in weights]
    _forget_told_shapes(model.graph)
    told = _types(_inferred(with_stand_ins(model, weights)).graph)
    walk = Walk(model, told, dimensions, weights)
    kept = {each.name for each in model.graph.initializer}
    inputs = {
        each.name: OnnxFact(each.name, each.type, True, weight=each.name if is_floating(each.type) else "")
        if each.name in weights
        else OnnxFact(each.name, each.type)
        for each in model.graph.input
    }
    scope: Scope = ChainMap({name: walk.given(found) for name, found in inputs.items() if name not in kept})
    walk.follow(model.graph, scope)
    for name in dims.inner:
        if name not in walk.used:
            raise unknown_name(name, (*dims.places, *walk.open_sizes))
    notes += _frozen_notes(walk.frozen) + _kept_notes(walk.kept)
    tensors = tuple(as_tensor(inputs[each.name]) for each in samples)
    open_sizes = walk.open_sizes | dict.fromkeys(dims.empty, EMPTY_INPUT)
    return ImportedGraph(tuple(walk.nodes), tensors, _source(model), notes, dict(dimensions), open_sizes), scope


# -- weights ----------------------------------------------------------------------------------------------------------


def _take_weights_out(graph: onnx.GraphProto) -> dict[str, tuple[int, ...]]:
    """Name -> shape of every weight; large ones become inputs of that size."""
    shapes: dict[str, tuple[int, ...]] = {}
    kept, declared = [], {each.name for each in graph.input}
    tensors = [*graph.initializer, *(_dense(each) for each in graph.sparse_initializer)]
    for tensor in tensors:
        shape = tuple(tensor.dims)
        shapes[tensor.name] = checked_shape(tensor.name, shape)
        if prod(shape) <= _KEPT_ELEMENTS and tensor.data_location != onnx.TensorProto.EXTERNAL:
            kept.append(tensor)
        elif tensor.name not in declared:
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, shape))
    kept = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in kept]
    del graph.initializer[:]
    del graph.sparse_initializer[:]
    graph.initializer.extend(kept)
    return shapes


def _dense(sparse: onnx.SparseTensorProto) -> onnx.TensorProto:
    """Return the size of a sparse weight; engines know no sparsity, so all its elements count."""
    dense = onnx.TensorProto(name=sparse.values.name, data_type=sparse.values.data_type)
    dense.dims.extend(sparse.dims)
    dense.data_location = onnx.TensorProto.EXTERNAL  # it has no dense values here
    return dense


def _check_places(graph: onnx.GraphProto) -> None:
    """Refuse weights in files outside of the network's own folder, as ONNX does; other files are not read either way.

    Raises:
        ProblemError: names the weight and the place.
    """
    for tensor in tensors_in(graph):
        for entry in tensor.external_data:
            parts = entry.value.replace("\\", "/").split("/")
            if entry.key == "location" and (".." in parts or parts[0] == "" or ":" in parts[0]):
                place = f"{printable(tensor.name)} in {printable(entry.value)}"
                ways = ["Save the network with its weights in such a place."]
                raise ProblemError("file", place, "a network with its weights in its own file or folder", remedies=ways)


def _external_notes(graph: onnx.GraphProto) -> tuple[str, ...]:
    outside = sum(each.data_location == onnx.TensorProto.EXTERNAL for each in graph.initializer)
    if not outside:
        return ()
    if outside == 1:
        return ("1 weight is in another file, which was not read: its size is in this one.",)
    return (f"{outside} weights are in another file, which was not read: their sizes are in this one.",)


def _frozen_notes(frozen: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    if not frozen:
        return ()
    name, (before, after) = next(iter(frozen.items()))
    sentence = (
        f"The export fixed sizes that the file leaves open, in {len(frozen)} reshapes: {name} has {before} "
        f"instead of {after}. The network is read with the given sizes; the file runs only with those of "
        "its export."
    )
    return (sentence,)


def _kept_notes(kept: Mapping[str, int]) -> tuple[str, ...]:
    if not kept:
        return ()
    name, size = next(iter(kept.items()))
    sentence = (
        f"The export squeezes an axis of {size} ({name}; {len(kept)} in all). PyTorch keeps such an axis, and the network "
        "is read so. Runtimes refuse the file."
    )
    return (sentence,)


# -- inference --------------------------------------------------------------------------------------------------------


def _forget_told_shapes(graph: onnx.GraphProto) -> None:
    """Drop shapes that may hold open dimensions; of operators that inference does not know, they are all there is."""
    known = {name for node in graph.node if is_standard(node.domain) or stands_in(node) for name in node.output}
    told = [each for each in graph.value_info if each.name not in known]
    del graph.value_info[:]
    graph.value_info.extend(told)
    for output in graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    try:
        return shape_inference.infer_shapes(model)
    except (shape_inference.InferenceError, RuntimeError, ValueError, IndexError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ProblemError("file", reason, "a network whose sizes fit together") from error


def _types(graph: onnx.GraphProto) -> dict[str, onnx.TypeProto]:
    found = (*graph.input, *graph.value_info, *graph.output)
    return {each.name: each.type for each in found if each.type.WhichOneof("value") is not None}


def _source(model: onnx.ModelProto) -> str:
    opset = next((each.version for each in model.opset_import if is_standard(each.domain)), 0)
    producer = " ".join(printable(part) for part in (model.producer_name, model.producer_version) if part)
    return f"ONNX, opset {opset}" + (f", written by {producer}" if producer else "")
