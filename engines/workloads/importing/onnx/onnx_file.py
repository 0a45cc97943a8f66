"""Bytes to an ONNX model that is safe to look at: whole, of bounded size and depth, in topological order.

ONNX: https://github.com/onnx/onnx/blob/main/docs/IR.md. Nothing outside of the bytes is ever read: weights that lie in
other files are known by their sizes, which stand in the model itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import onnx
from google.protobuf.message import DecodeError, Message
from onnx import helper, inliner

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.limits import MAX_DEPTH, MAX_FILE_BYTES, MAX_NODES


def parse_model(data: bytes, name: str) -> onnx.ModelProto:
    """Return the model in a file.

    Raises:
        ProblemError: the file is damaged, is no ONNX, or passes a limit.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ProblemError("file", f"{len(data)} bytes", f"a file of at most {counted(MAX_FILE_BYTES)} bytes")
    try:
        model: onnx.ModelProto = onnx.ModelProto.FromString(data)
    except DecodeError as error:
        raise ProblemError(
            "file", name, "a complete ONNX file", reason="The file is cut off, damaged or of another format."
        ) from error
    if not model.HasField("graph") or not model.graph.node:
        raise ProblemError("file", name, "an ONNX file with a graph of operators")
    _check_count(count_nodes(model.graph))
    _check_texts(model)
    _check_functions(model)
    if model.functions:
        model = inliner.inline_local_functions(model)
    _check_count(count_nodes(model.graph))
    _check_order(model.graph)
    return model


def count_nodes(graph: onnx.GraphProto, depth: int = 0) -> int:
    """Count the operators of a graph and its subgraphs.

    Raises:
        ProblemError: graphs lie too deep in each other.
    """
    if depth > MAX_DEPTH:
        raise ProblemError(
            "file", f"more than {MAX_DEPTH} levels", f"a network with graphs nested at most {MAX_DEPTH} deep"
        )
    return len(graph.node) + sum(count_nodes(inner, depth + 1) for node in graph.node for inner in graphs_in(node))


def graphs_in(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the graphs that a node holds: bodies of loops, branches."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes_in(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    """Yield the operators of a graph and its subgraphs."""
    for node in graph.node:
        yield node
        for inner in graphs_in(node):
            yield from nodes_in(inner)


def tensors_in(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    """Yield the tensors whose values a graph or its subgraphs contain."""
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
        for inner in graphs_in(node):
            yield from tensors_in(inner)


def attributes_of(node: onnx.NodeProto) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the attributes that are numbers, texts and lists of numbers."""
    kinds = onnx.AttributeProto
    for each in node.attribute:
        if each.type in (kinds.INT, kinds.FLOAT, kinds.INTS, kinds.FLOATS):
            value = helper.get_attribute_value(each)
            yield each.name, list(value) if each.type in (kinds.INTS, kinds.FLOATS) else value
        elif each.type == kinds.STRING:
            yield each.name, each.s.decode(errors="replace")


def _check_count(count: int) -> None:
    if count > MAX_NODES:
        raise ProblemError("file", f"{count} operators", f"a network of at most {counted(MAX_NODES)} operators")


def _check_texts(message: Message) -> None:
    """Refuse names that are no UTF-8: the library hands them out as bytes."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else (value,)
        if field.type == field.TYPE_MESSAGE:
            for each in values:
                _check_texts(each)
        elif field.type == field.TYPE_STRING and any(isinstance(each, bytes) for each in values):
            raise ProblemError("file", f"the field {field.name}", "a whole ONNX file, with names in UTF-8")


def _check_functions(model: onnx.ModelProto) -> None:
    """Refuse functions that call themselves, or unfold to more operators than a network may have."""
    functions = {(each.domain, each.name): each for each in model.functions}
    sizes: dict[tuple[str, str], int] = {}
    open_calls: set[tuple[str, str]] = set()

    def unfolded(nodes: Iterable[onnx.NodeProto]) -> int:
        count = 0
        for node in nodes:
            key = (node.domain, node.op_type)
            inner = [each for graph in graphs_in(node) for each in graph.node]
            count += (size(key) if key in functions else 1) + (unfolded(inner) if inner else 0)
            _check_count(count)
        return count

    def size(key: tuple[str, str]) -> int:
        if key in open_calls or len(open_calls) > MAX_DEPTH:
            raise ProblemError(
                "file", key[1], f"a network without recursive functions, nested at most {MAX_DEPTH} deep"
            )
        if key not in sizes:
            open_calls.add(key)
            sizes[key] = unfolded(functions[key].node)
            open_calls.remove(key)
        return sizes[key]

    count_nodes(model.graph)  # not too deep for what follows
    for function in model.functions:
        for node in function.node:
            for graph in graphs_in(node):
                count_nodes(graph)
    unfolded(model.graph.node)
    for key in functions:  # what nothing calls is unfolded all the same
        size(key)


def _check_order(graph: onnx.GraphProto) -> None:
    """Check that every operator reads what comes before it; a cycle cannot be put into such an order."""
    known = {""} | {each.name for each in graph.input} | {each.name for each in graph.initializer}
    known |= {each.values.name for each in graph.sparse_initializer}
    for index, node in enumerate(graph.node):
        for name in node.input:
            if name not in known:
                accepted = "operators in topological order, each reading only what is computed before it"
                operator = f"{printable(node.op_type)} {printable(node.name)}".strip()
                place = f"operator {index} ({operator}) reads {printable(name)!r}"
                raise ProblemError("file", place, accepted)
        for name in node.output:
            if name and name in known:
                raise ProblemError("file", printable(name), "a network that computes every tensor once")
            known.add(name)


def printable(text: str) -> str:
    """Return a name as it may be shown and stored: no control characters, not too long."""
    text = text[:200]
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
