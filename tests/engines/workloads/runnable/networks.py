"""Small networks, and their files as graphs."""

from __future__ import annotations

from typing import Any

import onnx

from engines.workloads.loader import load_network
from engines.workloads.runnable.build import runnable_network

HEAD = {"schema": "network/1", "slug": "tiny", "title": "Tiny", "short_title": "Tiny", "source": "test"}
MAP = {"input_elements": 2048, "output_elements": 2048}
STEM = {"name": "stem", "kind": "conv", "k": 8, "c": 3, "r": 3, "s": 3, "y": 16, "x": 16, "pad": 1}


def graph_of(*operations: dict[str, Any]) -> Any:
    """The graph of a network of these operations, with the shape of every tensor inferred by ONNX itself."""
    found = runnable_network(load_network({**HEAD, "operations": list(operations)}))
    return onnx.shape_inference.infer_shapes(onnx.load_from_string(found.onnx), strict_mode=True).graph


def nodes_of(*operations: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and operator of every node."""
    return [(node.name, node.op_type) for node in graph_of(*operations).node]
