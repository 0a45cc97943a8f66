"""A network of the catalogue as an ONNX file that onnxruntime runs."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.network import Network, Operation
from engines.workloads.runnable import graphs, mac_nodes, other_nodes
from engines.workloads.runnable.cut import cut_network
from engines.workloads.runnable.graph import WEIGHTS_FILE, GraphWriter, RunnableNetwork, Tensor
from engines.workloads.runnable.operands import Operands

_Write = Callable[[GraphWriter, Operands, Operation], Tensor]
_WRITERS: Mapping[str, _Write] = {
    "conv": mac_nodes.convolution,
    "depthwise": mac_nodes.convolution,
    "transposed_conv": mac_nodes.transposed_convolution,
    "gemm": mac_nodes.product_with_weights,
    "matmul": mac_nodes.product,
    "batchnorm": other_nodes.batch_normalisation,
    "norm": other_nodes.normalisation,
    "activation": other_nodes.activation,
    "softmax": other_nodes.softmax,
    "pool": other_nodes.pooling,
    "reduce": other_nodes.reduction,
    "resize": other_nodes.resizing,
    "eltwise": other_nodes.element_wise,
    "concat": other_nodes.concatenation,
    "embedding": other_nodes.table_rows,
    "topk": graphs.nearest,
    "gather": graphs.gathered,
    "reshape": other_nodes.passed_on,
}


def unwritten(network: Network) -> list[str]:
    """Return the operators of a network that the export lacks, by kind or by name, sorted.

    What is gathered must be neighbours that were searched for: of anything else a document does not say which rows.
    """
    found = {each.operator or each.kind for each in network.operations if each.kind not in _WRITERS}
    kinds = {each.kind for each in network.operations}
    return sorted(found | ({"gather"} if "gather" in kinds and "topk" not in kinds else set()))


def runnable_network(network: Network) -> RunnableNetwork:
    """Return the network as an ONNX file: one node or a few for each operation, named by it, in fp32, for one sample.

    Raises:
        ProblemError: an operation whose node does not follow from the document; names it and what can be run.
    """
    strange = unwritten(network)
    if strange:
        got = f"{network.slug} with {', '.join(strange)}"
        reason = "This network cannot be measured, because the export lacks some of its operators."
        raise ProblemError("network", got, f"a network of the operators {', '.join(_WRITERS)}", reason=reason)
    if not network.operations:
        raise ProblemError("network", f"{network.slug} without operations", "a network with at least one")
    writer = GraphWriter(network.slug)
    operands = Operands(writer, network.operations)
    for operation in network.operations:
        writer.results.append(_WRITERS[operation.kind](writer, operands, operation))
    return writer.file()


def read_runnable(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return a network's ONNX file, for `engines.running.runner.file_reader`.

    Args:
        data: the copy of the uploaded file (`engines.workloads.importing.onnx.onnx_copy`); empty: the document is written.
        name: not used.
        options: `network`, a `network/1` document.

    Returns:
        content: `onnx` in base64, `weights_file`, `weights` as lists of elements, deviation and offset, `weights_bytes`,
            `whole_numbers`.

    Raises:
        ProblemError: as `cut_network`, `runnable_network`.
    """
    if data:
        return ReadDocument(file_of(cut_network(data)))
    from engines.workloads.loader import load_network

    return ReadDocument(file_of(runnable_network(load_network(options["network"]))))


def file_of(found: RunnableNetwork) -> dict[str, Any]:
    """Return a network as JSON-able data, see `read_runnable`: `onnx` in base64, `weights_file`, `weights` and others."""
    return {
        "onnx": base64.b64encode(found.onnx).decode(),
        "weights_file": WEIGHTS_FILE,
        "weights": [list(asdict(each).values()) for each in found.weights],
        "weights_bytes": found.weights_bytes,
        "whole_numbers": dict(found.whole_numbers),
    }
