"""Files that machines run, cut out of the copy of an uploaded ONNX file (`engines.workloads.importing.onnx.onnx_copy`).

A node belongs to the operations in its `doc_string`. One that belongs to none depends on no sample and goes with what reads it.
What a piece reads of others is an input of its file, with the type and the sizes that the import found.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod

import onnx
from onnx import TensorProto, ValueInfoProto

from engines.contract.errors import ProblemError
from engines.workloads.network import Operation
from engines.workloads.runnable.graph import RunnableNetwork, Shape, Weights, place_weights, runnable_file

# Operators whose result holds the numbers of their inputs, and no others.
_SAME = (
    "Cast", "Concat", "Expand", "Flatten", "Gather", "Identity", "Reshape", "Slice", "Split", "Squeeze", "Tile", "Transpose",
    "Unsqueeze",
)  # fmt: skip
# Operator -> input with numbers of rows, and the input that is their table.
_TABLES = {"Gather": {1: 0}, "GatherElements": {1: 0}, "EmbedLayerNormalization": {0: 2, 1: 4}}
_INDICES = {"GatherND": 1, "ScatterND": 1, "ScatterElements": 1}  # of any direction: 0 is always one
_TRUTHS = 2  # what nothing takes for a number of a row is a mask
_UNCUT = "This piece cannot be cut out of the uploaded file."
_FRACTIONS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16)


def cut_network(copy: bytes, names: Collection[str] | None = None) -> RunnableNetwork:
    """Return the file of some of the operations.

    Args:
        copy: copy of the uploaded file.
        names: names of the operations; None for all of them.

    Raises:
        ProblemError: nothing of them is left, an operator is in two pieces, or the size of a tensor between pieces is not known.
    """
    model = onnx.ModelProto.FromString(copy)
    graph = model.graph
    chosen = _chosen(graph, names)
    made = {output for node in chosen for output in node.output}
    stored = {tensor.name for tensor in graph.initializer}
    read = dict.fromkeys(name for node in chosen for name in reads_of(node) if name)
    known = {each.name: each for each in (*graph.input, *graph.value_info)}
    everywhere = {output for node in graph.node for output in node.output} | {each.name for each in graph.input}
    inputs = [_given(known, name) for name in read if name in everywhere and name not in made and name not in stored]
    own = {id(node) for node in chosen}
    further = {each.name for each in graph.output}
    further.update(name for node in graph.node if id(node) not in own for name in reads_of(node))
    ends = [name for node in chosen for name in node.output if name in further and name]
    tensors, weights, offset = _initializers(graph, read)
    found = onnx.GraphProto(name="network", node=chosen, initializer=tensors, input=inputs)
    found.output.extend(_without_sizes(known, name) for name in ends)
    for node in found.node:
        node.ClearField("doc_string")
    cut = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import, graph=found)
    return runnable_file(cut, weights, offset, _whole_numbers(found, known))


def cut_piece(copy: bytes, operations: Sequence[Operation]) -> tuple[RunnableNetwork, list[int]]:
    """Return the file of a piece of the network, and the numbers of those operations of the piece that the network does not have.

    Raises:
        ProblemError: as `cut_network`, or operations of the network share a name.
    """
    known: list[str] = json.loads(onnx.ModelProto.FromString(copy).doc_string)
    own = [each.name for each in operations if each.name in known]
    added = [number for number, each in enumerate(operations) if each.name not in known]
    if len(own) >= len(known):
        return cut_network(copy), added
    if len(set(known)) < len(known):
        raise ProblemError(
            "network", "operators that share a name", "a network of distinct operator names", reason=_UNCUT
        )
    return cut_network(copy, set(own)), added


def reads_of(node: onnx.NodeProto) -> Iterator[str]:
    """Yield the names of the tensors that a node reads, and the graphs that it holds."""
    yield from node.input
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            yield from (each.name for each in graph.output)
            for inner in graph.node:
                yield from reads_of(inner)


def _chosen(graph: onnx.GraphProto, names: Collection[str] | None) -> list[onnx.NodeProto]:
    """Return the nodes of operations, with those that belong to none and that they read; in the order of the file."""
    chosen, wanted = [], set[str]()
    for node in reversed(graph.node):
        own = json.loads(node.doc_string)
        inside = bool(own) and (names is None or all(name in names for name in own))
        if own and not inside and names is not None and any(name in names for name in own):
            reason = "The design cuts inside of an operator."
            raise ProblemError("network", node.name, "a cut between operators of the file", reason=reason)
        if inside or (not own and wanted.intersection(node.output)):
            chosen.append(node)
            wanted.update(reads_of(node))
    if not chosen:
        raise ProblemError("network", "no operator", "a piece with at least one operator of the file", reason=_UNCUT)
    return chosen[::-1]


def _given(known: Mapping[str, ValueInfoProto], name: str) -> ValueInfoProto:
    """Return the ONNX description of an input."""
    found = known.get(name, ValueInfoProto(name=name))
    if _sizes(found) is None:
        raise ProblemError("network", name, "tensors of known size between the pieces", reason=_UNCUT)
    return found


def _sizes(found: ValueInfoProto) -> Shape | None:
    tensor = found.type.tensor_type
    sizes = tuple(each.dim_value if each.HasField("dim_value") else -1 for each in tensor.shape.dim)
    return sizes if tensor.HasField("shape") and min(sizes, default=0) >= 0 else None


def _without_sizes(known: Mapping[str, ValueInfoProto], name: str) -> ValueInfoProto:
    """Return an output: its sizes are the runtime's affair."""
    found = ValueInfoProto(name=name)
    found.CopyFrom(known.get(name, found))
    if found.type.HasField("tensor_type"):
        found.type.tensor_type.ClearField("shape")
    return found


def _initializers(graph: onnx.GraphProto, read: Collection[str]) -> tuple[list[TensorProto], list[Weights], int]:
    """Return the tensors that a piece reads, the weights among them, and the size of their file."""
    tensors, weights, offset = [], [], 0
    for tensor in graph.initializer:
        if tensor.name not in read:
            continue
        tensors.append(tensor)
        if tensor.data_location == TensorProto.EXTERNAL:
            weights.append(Weights(prod(tensor.dims), float(tensor.doc_string), offset))
            tensor.ClearField("doc_string")
            offset = place_weights(tensor, offset)
    return tensors, weights, offset


def _whole_numbers(graph: onnx.GraphProto, known: Mapping[str, ValueInfoProto]) -> dict[str, int]:
    """Return input of whole numbers -> what they stay below: the rows of the tables from which it takes some."""
    limits: dict[str, list[int]] = {
        each.name: [] for each in graph.input if each.type.tensor_type.elem_type not in _FRACTIONS
    }
    sizes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    of = {name: name for name in limits}
    for node in graph.node:
        axis = next((each.i for each in node.attribute if each.name == "axis"), 0)
        for number, name in enumerate(node.input):
            if name not in of:
                continue
            table = _TABLES.get(node.op_type, {}).get(number)
            if table is not None:
                place = node.input[table]
                rows = sizes.get(place) or _sizes(known.get(place, ValueInfoProto())) or (1,)
                limits[of[name]].append(rows[axis])
            elif _INDICES.get(node.op_type) == number:
                limits[of[name]].append(1)
            elif node.op_type in _SAME and (number == 0 or node.op_type == "Concat"):
                of.update(dict.fromkeys(node.output, of[name]))
    return {name: min(found, default=_TRUTHS) for name, found in limits.items()}
