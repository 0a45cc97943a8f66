"""The layers of a network in rows: operation, shapes, work, what is read and written; totals; the layers as a graph.

Sizes are of one sample. What is moved counts weights, input and output once each; a chiplet that keeps them moves less.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engines.contract.results import LayerGraph, LayerNode
from engines.workloads.network import Layer, Network, has_graph

KIND_TITLES = {"conv": "Convolution", "depthwise": "Depthwise", "gemm": "GEMM", "matmul": "MatMul"}


@dataclass(frozen=True)
class LayerRow:
    """One schedulable layer.

    Attributes:
        operation: kind in words, with its groups.
        input_shape, output_shape: channels x height x width (padding included in the input); rows x columns of a product.
        kernel: height x width / stride; the second operand of a product; "" where there is none.
        parameters: weights of the layer and of what is folded into it.
        activation_bytes: input and output together.
        intensity_macs_per_byte: MACs per byte of weights, input and output.
    """

    index: int
    name: str
    kind: str
    operation: str
    input_shape: str
    kernel: str
    output_shape: str
    macs: int
    parameters: int
    input_bytes: int
    output_bytes: int
    activation_bytes: int
    intensity_macs_per_byte: float
    folded: tuple[str, ...]


@dataclass(frozen=True)
class NetworkTotals:
    """A network as a whole, one sample.

    Attributes:
        parameters: weights of all layers, and rows of embedding tables.
        activation_peak_bytes: input and output of the layer where they are largest. What a branch keeps alive besides is
            not counted.
        intensity_macs_per_byte: MACs per byte, with the weights, input and output of every layer moved once.
    """

    layers: int
    macs: int
    parameters: int
    activation_peak_bytes: int
    intensity_macs_per_byte: float


def layer_rows(network: Network, word_bytes: int = 1) -> tuple[LayerRow, ...]:
    """Return a row per layer, in order; `word_bytes` per weight and activation."""
    return tuple(_row(layer, word_bytes) for layer in network.layers)


def network_totals(network: Network, word_bytes: int = 1) -> NetworkTotals:
    """Return the network as a whole; `word_bytes` per weight and activation."""
    moved = sum(_moved_elements(layer) for layer in network.layers) * word_bytes
    peak = max(layer.input_elements + layer.output_elements for layer in network.layers)
    return NetworkTotals(
        layers=len(network.layers),
        macs=network.macs,
        parameters=network.parameters,
        activation_peak_bytes=peak * word_bytes,
        intensity_macs_per_byte=network.macs / max(moved, 1),
    )


def layer_graph(network: Network) -> LayerGraph:
    """Return the layers and who reads whom, coloured by kind; what is folded into one stands in its figures.

    Where the operations do not say what they read, each layer reads the one before.
    """
    nodes = tuple(_node(layer) for layer in network.layers)
    return LayerGraph("layers", network.title, nodes, tuple((f"{a}", f"{b}") for a, b in layer_edges(network)))


def layer_edges(network: Network) -> tuple[tuple[int, int], ...]:
    """Return (layer that is read, layer that reads it), each once, in the order of the readers."""
    if not has_graph(network.operations):
        return tuple(pairwise(range(len(network.layers))))
    # A layer is a run of operations: those that go to it, itself, those that are folded into it (engines.workloads.layer_fusion).
    layer_of = [layer.index for layer in network.layers for _ in range(1 + len(layer.folded))]
    edges: dict[tuple[int, int], None] = {}
    for number, operation in enumerate(network.operations):
        for source in operation.sources:
            if layer_of[source] != layer_of[number]:
                edges[layer_of[source], layer_of[number]] = None
    return tuple(edges)


def operation_words(layer: Layer) -> str:
    """Return the kind of a layer in words: "Convolution, 32 groups", "MatMul × 12"."""
    words = KIND_TITLES.get(layer.kind, layer.kind)
    if layer.groups > 1:
        words += f", {layer.groups} groups"
    return f"{words} × {layer.repeats}" if layer.repeats > 1 else words


def _row(layer: Layer, word_bytes: int) -> LayerRow:
    input_shape, kernel, output_shape = _shapes(layer)
    return LayerRow(
        index=layer.index,
        name=layer.name,
        kind=layer.kind,
        operation=operation_words(layer),
        input_shape=input_shape,
        kernel=kernel,
        output_shape=output_shape,
        macs=layer.macs,
        parameters=layer.weight_elements,
        input_bytes=layer.input_elements * word_bytes,
        output_bytes=layer.output_elements * word_bytes,
        activation_bytes=(layer.input_elements + layer.output_elements) * word_bytes,
        intensity_macs_per_byte=layer.macs / max(_moved_elements(layer) * word_bytes, 1),
        folded=layer.folded,
    )


def _moved_elements(layer: Layer) -> int:
    return layer.weight_elements + layer.input_elements + layer.output_elements


def _shapes(layer: Layer) -> tuple[str, str, str]:
    """Return input, kernel and output of the compute operation in words."""
    rows, columns = (layer.y - layer.r) // layer.stride + 1, (layer.x - layer.s) // layer.stride + 1
    if layer.kind in ("gemm", "matmul"):
        return f"{layer.y} × {layer.c}", f"{layer.c} × {layer.k}", f"{layer.y} × {layer.k}"
    outputs = layer.c if layer.depthwise else layer.k * layer.groups
    kernel = f"{layer.r} × {layer.s}" + (f" / {layer.stride}" if layer.stride > 1 else "")
    return f"{layer.c * layer.groups} × {layer.y} × {layer.x}", kernel, f"{outputs} × {rows} × {columns}"


def _node(layer: Layer) -> LayerNode:
    figures = (
        ("MACs", float(layer.macs), "MAC"),
        ("Parameters", float(layer.weight_elements), ""),
        ("Fused in", float(len(layer.folded)), "operations"),
    )
    return LayerNode(f"{layer.index}", layer.name, KIND_TITLES.get(layer.kind, layer.kind), figures)
