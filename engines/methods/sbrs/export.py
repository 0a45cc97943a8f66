"""Scenarios as ONNX files."""

from __future__ import annotations

import io
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from engines.data.scaling import Scaling
from engines.methods.sbrs.graph import Graph
from engines.methods.sbrs.torch_network import build


def to_onnx(graph: Graph, weights: Mapping[str, npt.NDArray[np.float32]], scaling: Scaling | None = None) -> bytes:
    """Return the network for one example at a time, weights inside the file.

    Args:
        graph: the network.
        weights: weights of every node, batch normalisation folded.
        scaling: of signals, which the file then takes as they are recorded.
    """
    import torch

    from engines.data.torch_images import takes_recorded

    network = takes_recorded(build(graph, weights), scaling).eval()
    example = torch.zeros((1, *graph.nodes[0].shape))
    program = torch.onnx.export(
        network, (example,), input_names=["features"], output_names=["scores"], dynamo=True, verbose=False
    )
    sink = io.BytesIO()
    assert program is not None
    program.save(sink)
    return sink.getvalue()
