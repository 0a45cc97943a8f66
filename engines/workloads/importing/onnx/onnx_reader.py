"""Reads ONNX files into networks. Runs in a child process with limits: files are not trusted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import ImportOptions, Vocabulary, to_document
from engines.workloads.importing.onnx.onnx_bits import operator_bits, weight_bits
from engines.workloads.importing.onnx.onnx_contrib import compute_rows, folded_kind
from engines.workloads.importing.onnx.onnx_file import parse_model, printable
from engines.workloads.importing.onnx.onnx_shapes import read_graph

VOCABULARY = Vocabulary(compute_rows, folded_kind)


def read_onnx(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the network in an ONNX file.

    Args:
        data: the file.
        name: its name.
        options: `name`: title of the network, the file's name by default; `dims`: open dimension -> size; `exclude`:
            operators without a cost model that engines may leave out.

    Returns:
        a `network/1` document; the report says how each operator was read ("computed", "folded", "prepared", "unpriced",
        "excluded") and how often, and what a reader should know.

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
    graph = replace(read_graph(model, dims), weight_bits=least, bits=bits)
    title = (
        printable(str(options.get("name") or ""))
        or printable(name).rpartition("/")[2].removesuffix(".onnx")
        or "network"
    )
    sizes = "".join(f", {key} = {value}" for key, value in dims.items())
    source = f"{printable(name)} ({graph.source}; SHA-256 {digest[:16]}{sizes})"
    return to_document(graph, VOCABULARY, ImportOptions(title, tuple(map(str, exclude))), source)
