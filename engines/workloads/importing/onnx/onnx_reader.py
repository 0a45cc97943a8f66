"""Reads ONNX files into networks. Runs in a child process with limits: files are not trusted."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import ImportOptions, Vocabulary, to_document
from engines.workloads.importing.graph import Node
from engines.workloads.importing.onnx.onnx_bits import operator_bits, weight_bits
from engines.workloads.importing.onnx.onnx_contrib import compute_rows, folded_kind
from engines.workloads.importing.onnx.onnx_copy import weightless_copy, without_weights
from engines.workloads.importing.onnx.onnx_file import parse_model, printable
from engines.workloads.importing.onnx.onnx_shapes import read_facts
from engines.workloads.runnable.graph import distinct_names

VOCABULARY = Vocabulary(compute_rows, folded_kind)
Made = TypeVar("Made")


def read_onnx(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the network in an ONNX file.

    Args:
        data: the file.
        name: its name.
        options: `name`: title of the network, the file's name by default; `dims`: open dimension -> size; `exclude`:
            operators without a cost model that engines may leave out.

    Returns:
        a `network/1` document; the report says how each operator was read ("computed", "folded", "prepared", "unpriced",
        "excluded") and how often, and what a reader should know; a note says why there is no copy.

    Raises:
        ProblemError: what is wrong with the file or the options.
    """
    digest = hashlib.sha256(data).hexdigest()
    model = parse_model(data, name)
    del data  # a large file need not lie in memory twice
    dims, exclude = options.get("dims") or {}, options.get("exclude") or ()
    if not isinstance(dims, Mapping):
        raise ProblemError("dims", dims, "names of dimensions with their sizes")
    least, bits = weight_bits(model.graph), operator_bits(model.graph)
    bare = _noted(lambda: without_weights(model))
    found, facts = read_facts(model, dims)
    graph = replace(found, weight_bits=least, bits=bits)
    title = (
        printable(str(options.get("name") or ""))
        or printable(name).rpartition("/")[2].removesuffix(".onnx")
        or "network"
    )
    sizes = "".join(f", {key} = {value}" for key, value in dims.items())
    source = f"{printable(name)} ({graph.source}; SHA-256 {digest[:16]}{sizes})"
    read = to_document(graph, VOCABULARY, ImportOptions(title, tuple(map(str, exclude))), source)
    names = [str(row["name"]) for row in read.content["operations"]]
    rows = _rows_of_nodes(graph.nodes, distinct_names(names))
    copy = bare if isinstance(bare, str) else _noted(lambda: weightless_copy(bare, facts, rows, names))
    if isinstance(copy, bytes):
        return replace(read, copy=copy)
    return replace(read, report={**read.report, "notes": [*read.report["notes"], copy]})


def _noted(make: Callable[[], Made]) -> Made | str:
    """Return the result, or a note on the reason why it cannot be made."""
    try:
        return make()
    except ProblemError as error:
        words = str(error.got)
    except (KeyError, TypeError, ValueError, RuntimeError):  # of the library, whose types and forms are many
        words = "tensors of a type that is not known"
    return f"Devices measure a network written from its table of operators, because this file has {words}."


def _rows_of_nodes(nodes: Sequence[Node], names: Iterable[str]) -> dict[int, list[str]]:
    """Return number of a node of the outermost graph -> its rows, whose names begin with that of an operator."""
    origins = dict(zip(distinct_names(each.name for each in nodes), (each.origin for each in nodes), strict=True))
    rows: dict[int, list[str]] = defaultdict(list)
    for name in names:
        operator = name
        while operator and operator not in origins:
            operator = operator.rpartition(".")[0]
        if operator:
            rows[origins[operator]].append(name)
    return rows
