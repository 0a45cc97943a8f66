"""A network as nodes that can be priced, trained, shared and exported: one node per layer that runs.

Batch normalisation and activation are part of the node before them, as in a deployed network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engines.methods.sbrs.cnn import Cnn, CnnLayer

Operator = Literal["input", "conv", "add", "max_pool", "global_avg_pool", "global_max_pool", "fc"]
Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Node:
    """One layer.

    Attributes:
        inputs: numbers of the nodes that it reads.
        shape: channels, height, width of what it gives out.
        kernel: height and width of a convolution's or pooling's window.
        activated: whether a ReLU follows.
        weight_shape: shape of its weights, with a bias per output channel; empty without weights.
    """

    name: str
    operator: Operator
    inputs: tuple[int, ...]
    shape: Shape
    kernel: tuple[int, int] = (1, 1)
    activated: bool = False
    weight_shape: tuple[int, ...] = ()

    @property
    def elements(self) -> int:
        """Return the number of elements of its output."""
        return self.shape[0] * self.shape[1] * self.shape[2]

    @property
    def parameter_elements(self) -> int:
        """Weights and bias."""
        if not self.weight_shape:
            return 0
        size = 1
        for side in self.weight_shape:
            size *= side
        return size + self.weight_shape[0]


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of execution; the first is the input, the last gives the classes."""

    name: str
    nodes: tuple[Node, ...]

    @property
    def parameter_elements(self) -> int:
        """Learnable parameters."""
        return sum(node.parameter_elements for node in self.nodes)

    def cnn(self, identity: str = "") -> Cnn:
        """Return the scenario of the switching application; `identity` names this training of the network."""
        layers = tuple(_layer(node, identity or self.name) for node in self.nodes)
        edges = tuple((source, number) for number, node in enumerate(self.nodes) for source in node.inputs)
        return Cnn(self.name, layers, edges)

    def document(self, title: str = "", source: str = "Run-time switching, network search") -> dict[str, Any]:
        """Return the network as a document of schema `network/1`."""
        rows = [row for node in self.nodes for row in _rows(node, [self.nodes[number] for number in node.inputs])]
        return {
            "schema": "network/1", "slug": self.name, "title": title or self.name, "short_title": self.name[:12],
            "source": source, "operations": rows,
        }  # fmt: skip


def operator_name(node: Node) -> str:
    """Return the op of the layer: the operator, with the activation where there is one."""
    return f"{node.operator}+activation" if node.activated else node.operator


def _layer(node: Node, identity: str) -> CnnLayer:
    hyper: tuple[tuple[str, str], ...] = ()
    if node.operator in ("conv", "max_pool"):
        hyper = (("kernel", f"{node.kernel[0]}x{node.kernel[1]}"),)
    shapes = (node.weight_shape, node.weight_shape[:1]) if node.weight_shape else ()
    return CnnLayer(
        node.name, operator_name(node), hyper, f"{identity}:{node.name}" if node.weight_shape else "", shapes,
        node.parameter_elements, node.elements,
    )  # fmt: skip


def _rows(node: Node, before: Sequence[Node]) -> list[Mapping[str, Any]]:
    channels, height, width = node.shape
    if node.operator == "input":
        return []
    if node.operator == "conv":
        c, y, x = before[0].shape
        pads = [node.kernel[0] // 2, node.kernel[1] // 2]
        row: dict[str, Any] = {
            "name": node.name, "kind": "conv", "k": channels, "c": c, "r": node.kernel[0], "s": node.kernel[1], "y": y, "x": x,
            "pad": pads, "weight_elements": node.parameter_elements,
        }  # fmt: skip
    elif node.operator == "fc":
        row = {"name": node.name, "kind": "gemm", "k": channels, "c": before[0].elements, "y": 1}
        row["weight_elements"] = node.parameter_elements
    else:
        kind = "eltwise" if node.operator == "add" else "pool"
        read = sum(each.elements for each in before)
        row = {"name": node.name, "kind": kind, "input_elements": read, "output_elements": node.elements}
    if not node.activated or node.operator == "add":  # runtimes run an addition and its activation as one kernel
        return [row]
    size = channels * height * width
    act = {"name": f"{node.name}:act", "kind": "activation", "input_elements": size, "output_elements": size}
    return [row, act]
