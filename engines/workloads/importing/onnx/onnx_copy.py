"""A copy of an ONNX file without its weights, of which `engines.workloads.runnable.cut` makes files that machines run.

Weights become tensors that are drawn by whoever runs the file. What follows from sizes alone (chains of Shape, Gather and Concat)
becomes constants, with the sizes that the network is imported with. Nodes and their results are named by the document's operations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import prod, sqrt

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, tensor_type
from engines.workloads.importing.onnx.onnx_file import graphs_in, nodes_in, tensors_in
from engines.workloads.importing.onnx.onnx_sizes import is_floating, is_standard
from engines.workloads.importing.onnx.onnx_values import Value
from engines.workloads.runnable.cut import reads_of
from engines.workloads.runnable.graph import PART, distinct_names, drawn_tensor, free_name

MAX_COPY_BYTES = 16_000_000
# Fewer numbers are no weights, but say how an operator works: bounds, scales, exponents.
_LEAST_WEIGHTS = 9
# Part of an operator's name -> the number in its vectors, which have to be above 0, or else would saturate everything.
_STEADY = (("Normalization", 1.0), ("Linear", 0.01), ("Integer", 0.0))
_VECTOR_DEVIATION, _WHOLE_DEVIATION = 0.01, 40.0
_INDICES = (TensorProto.BOOL, TensorProto.INT32, TensorProto.INT64)
_CONSTANT = ("Constant", "value")  # whose tensor is treated as others are
_Reader = tuple[onnx.NodeProto, int]


def without_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the model with tensors to draw in place of its weights; each node's `doc_string` is its number in the file.

    Raises:
        ProblemError: graphs within the graph hold weights, or what is left is too large.
    """
    graph = model.graph
    if any(_is_weight(tensor) for node in graph.node for inner in graphs_in(node) for tensor in tensors_in(inner)):
        raise ProblemError("file", "weights inside of loops or branches", "a network with its weights outside of them")
    if any(
        _holds_numbers(each)
        for node in nodes_in(graph)
        for each in node.attribute
        if (node.op_type, each.name) != _CONSTANT
    ):
        raise ProblemError("file", "weights as attributes of operators", "a network with its weights as tensors")
    readers = {name: (node, number) for node in nodes_in(graph) for number, name in enumerate(node.input)}
    copy = onnx.ModelProto(ir_version=max(model.ir_version, 4), opset_import=model.opset_import)
    dense = (
        TensorProto(name=each.values.name, data_type=each.values.data_type, dims=each.dims)
        for each in graph.sparse_initializer
    )
    held = set()
    for tensor in (*graph.initializer, *dense):
        held.add(tensor.name)
        _add(copy.graph, tensor, tensor.name, readers)
    for number, node in enumerate(graph.node):
        value = next((each.t for each in node.attribute if (node.op_type, each.name) == _CONSTANT), None)
        if value is not None and prod(value.dims) >= _LEAST_WEIGHTS:
            _add(copy.graph, value, node.output[0], readers)
        else:
            copy.graph.node.append(node)
            copy.graph.node[-1].doc_string = str(number)
    copy.graph.input.extend(each for each in graph.input if each.name not in held)
    copy.graph.output.extend(graph.output)
    _require_small(copy.ByteSize())
    return copy


def weightless_copy(
    bare: onnx.ModelProto, facts: Mapping[str, OnnxFact], rows: Mapping[int, Sequence[str]], names: Sequence[str]
) -> bytes:
    """Return the copy.

    Args:
        bare: from `without_weights`; it is changed.
        facts: on the tensors of the outermost graph.
        rows: number of a node -> distinct names of its operations.
        names: names of all operations, as the document has them.

    Raises:
        ProblemError: it is too large, or computes nothing for a sample.
    """
    graph = bare.graph
    nodes = _needed(graph, _with_constants(graph, facts))
    inputs = [each.name for each in graph.input if facts[each.name].value is None]
    made = _name_nodes(nodes, rows, distinct_names(names))
    renamed = made | {name: f"{PART}{name}" for name in inputs}
    renamed |= {each.name: f"{PART}#{number}" for number, each in enumerate(graph.initializer)}
    for node in nodes:
        _rename(node, renamed)
    read = {name for node in nodes for name in reads_of(node)}
    copy = onnx.ModelProto(ir_version=bare.ir_version, opset_import=bare.opset_import, doc_string=json.dumps([*names]))
    copy.graph.node.extend(nodes)
    for tensor in graph.initializer:
        tensor.name = renamed[tensor.name]
        if tensor.name in read:
            copy.graph.initializer.append(tensor)
    copy.graph.input.extend(_described(renamed, facts, inputs))
    copy.graph.value_info.extend(_described(renamed, facts, made))
    copy.graph.output.extend(_described(renamed, facts, (each.name for each in graph.output if each.name in made)))
    if not copy.graph.output:
        raise ProblemError("file", "no result of a sample", "a network that computes something")
    _require_small(copy.ByteSize())
    return bytes(copy.SerializeToString(deterministic=True))


# -- weights ----------------------------------------------------------------------------------------------------------


def _is_weight(tensor: TensorProto) -> bool:
    return prod(tensor.dims) >= _LEAST_WEIGHTS and is_floating(tensor_type(tensor.data_type, ()))


def _holds_numbers(found: onnx.AttributeProto) -> bool:
    """Return whether an attribute may hold weights."""
    tensors = [found.t, *found.tensors]
    return len(found.floats) >= _LEAST_WEIGHTS or found.HasField("sparse_tensor") or any(map(_is_weight, tensors))


def _add(graph: onnx.GraphProto, tensor: TensorProto, name: str, readers: Mapping[str, _Reader]) -> None:
    """Put into the graph what stands for a tensor."""
    shape, outside = tuple(tensor.dims), tensor.data_location == TensorProto.EXTERNAL
    reader = readers.get(name)
    operator = reader[0].op_type if reader is not None else ""
    steady = next((number for part, number in _STEADY if part in operator), None) if len(shape) < 2 else None
    weight = _is_weight(tensor)
    if weight and steady is None:
        _add_drawn(graph, name, shape, tensor.data_type, reader)
    elif weight or outside or (steady is not None and prod(shape) >= _LEAST_WEIGHTS):
        kind = helper.tensor_dtype_to_np_dtype(tensor.data_type)
        _require_small(prod(shape) * kind.itemsize)
        graph.initializer.append(numpy_helper.from_array(np.full(shape, steady or 0).astype(kind), name))
    else:
        _require_small(tensor.ByteSize())
        graph.initializer.append(tensor)
        graph.initializer[-1].name = name


def _add_drawn(graph: onnx.GraphProto, name: str, shape: Sequence[int], kind: int, reader: _Reader | None) -> None:
    """Put a tensor into the graph that is drawn as fractions of 32 bits; runtimes cast those of other types once."""
    same = kind == TensorProto.FLOAT
    tensor = drawn_tensor(name if same else f"{name}{PART}", shape)
    whole = np.issubdtype(helper.tensor_dtype_to_np_dtype(kind), np.integer)
    tensor.doc_string = repr(_WHOLE_DEVIATION if whole else _deviation(shape, reader))
    graph.initializer.append(tensor)
    if not same:
        graph.node.append(helper.make_node("Cast", [tensor.name], [name], to=kind, doc_string="-1"))


def _deviation(shape: Sequence[int], reader: _Reader | None) -> float:
    """Return the deviation that keeps the size of what goes through (He et al. 2015), by the shape alone."""
    if len(shape) < 2 or reader is None:
        return _VECTOR_DEVIATION
    node, number = reader
    turned = any(each.name == "transB" and each.i for each in node.attribute)
    by_columns = number == 1 and (node.op_type == "MatMul" or (node.op_type == "Gemm" and not turned))
    return sqrt(2.0 / max(1, shape[-2] if by_columns else prod(shape[1:])))


# -- graph ------------------------------------------------------------------------------------------------------------


def _with_constants(graph: onnx.GraphProto, facts: Mapping[str, OnnxFact]) -> list[onnx.NodeProto]:
    """Return the nodes that are left when what is known is a constant."""
    for each in graph.input:
        if (value := facts[each.name].value) is not None:
            _add_known(graph, each.name, value)
    left = []
    for node in graph.node:
        found = [facts.get(name) for name in node.output if name]
        values = [each.value for each in found if each is not None and each.value is not None]
        if len(values) == len(found) and all(each is not None and each.element_type in _INDICES for each in found):
            for name, value in zip(filter(None, node.output), values, strict=True):
                _add_known(graph, name, value)
            continue
        left.append(node)
        after = facts.get(node.output[0]) if node.output else None
        reshapes = node.op_type == "Reshape" and is_standard(node.domain) and len(node.input) == 2
        if reshapes and after is not None and after.shape and 0 not in after.shape:
            name = f"{node.output[0]}{PART}shape"  # also where the exporter froze a size that the file leaves open
            _add_known(graph, name, np.array(after.shape, np.int64))
            node.input[1] = name
    return left


def _add_known(graph: onnx.GraphProto, name: str, value: Value) -> None:
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name))


def _needed(graph: onnx.GraphProto, nodes: Sequence[onnx.NodeProto]) -> list[onnx.NodeProto]:
    """Return the nodes on which results depend."""
    needed, found = {each.name for each in graph.output}, []
    for node in reversed(nodes):
        if needed.intersection(filter(None, node.output)):
            needed.update(reads_of(node))
            found.append(node)
    return found[::-1]


def _name_nodes(
    nodes: Iterable[onnx.NodeProto], rows: Mapping[int, Sequence[str]], names: Sequence[str]
) -> dict[str, str]:
    """Name nodes and their results by operations, which `doc_string` then lists; return the new names of results.

    A node without a row of its own counts with the last operation that it reads.
    """
    taken, order = set(names), {name: number for number, name in enumerate(names)}
    owners: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for node in nodes:
        own = rows.get(int(node.doc_string), ())
        before = max((owners[name] for name in node.input if name in owners), key=order.__getitem__, default="")
        about = own or ([before] if before else [])
        node.name = own[-1] if own else free_name(f"{before}{PART}{node.op_type}", taken)
        node.doc_string = json.dumps([*about])
        for number, output in enumerate(node.output):
            if output:
                renamed[output] = node.output[number] = f"{node.name}:{number}"
                owners.update({output: about[-1]} if about else {})
    return renamed


def _rename(node: onnx.NodeProto, renamed: Mapping[str, str]) -> None:
    """Give what a node reads, and the graphs that it holds, their new names; forget where exporters saw it in code."""
    node.ClearField("metadata_props")
    node.input[:] = [renamed.get(name, name) for name in node.input]
    for graph in graphs_in(node):
        for inner in graph.node:
            _rename(inner, renamed)
        for end in graph.output:
            end.name = renamed.get(end.name, end.name)


def _described(
    renamed: Mapping[str, str], facts: Mapping[str, OnnxFact], names: Iterable[str]
) -> list[onnx.ValueInfoProto]:
    """Return types and sizes of tensors, as far as they are known."""
    kinds = ((renamed[name], facts[name].type if name in facts else None) for name in names)
    return [onnx.ValueInfoProto(name=name, type=kind) for name, kind in kinds]


def _require_small(size: int) -> None:
    if size > MAX_COPY_BYTES:
        got = f"{counted(size)} bytes without weights"
        raise ProblemError("file", got, f"a network of at most {counted(MAX_COPY_BYTES)} bytes without weights")
