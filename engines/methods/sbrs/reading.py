"""Scenarios from documents of the catalogue: a network's operations as layers, with costs on the device.

A layer is an operation that runs, with the batch normalisation, activation or reshape that a runtime folds into it; a first
layer of its own holds the input. Where the document says what an operation reads, that makes the edges; else it reads the one
before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.cost.soc_networks import NetworkPricer
from engines.methods.sbrs.cnn import Cnn, CnnLayer, TimedCnn
from engines.workloads.network import Network, Operation, has_graph

INPUT = "input"


def read_cnn(network: Network, starts: Sequence[int]) -> Cnn:
    """Return the network as layers and edges.

    Args:
        network: with its operations.
        starts: first operation of every layer (`engines.cost.soc_networks.layer_starts`).
    """
    operations = network.operations
    ends = (*starts[1:], len(operations))
    first = operations[0]
    shape = first.input_elements or first.c * first.y * first.x
    layers = [CnnLayer(INPUT, "input", (), "", (), 0, shape)]
    for start, end in zip(starts, ends, strict=True):
        layers.append(_layer(network.slug, operations[start:end], layers[-1].output_elements))
    return Cnn(network.slug, tuple(layers), _edges(operations, starts))


def _edges(operations: Sequence[Operation], starts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the edges between layers; layer 0 holds the input, layer n + 1 begins with operation `starts[n]`."""
    layer_of = np.searchsorted(np.asarray(starts), np.arange(len(operations)), side="right")
    found: dict[tuple[int, int], None] = {}
    for number, operation in enumerate(operations):
        sources = [*([0] if operation.reads_input else []), *(int(layer_of[place]) for place in operation.sources)]
        found |= {(source, int(layer_of[number])): None for source in sources if source != layer_of[number]}
    return tuple(found)


def timed(network: Network, pricer: NetworkPricer, accuracy_percent: float | None) -> TimedCnn:
    """Return the network with the costs of its layers; the layer of the input costs nothing.

    Raises:
        NoEstimateError: names the operator that no estimate covers.
    """
    costs = pricer.price(network)
    cnn = read_cnn(network, costs.starts)
    latency, energy = (0.0, *costs.latency_s.tolist()), (0.0, *costs.energy_j.tolist())
    return TimedCnn(cnn, latency, energy, accuracy_percent, assumed_chain=not has_graph(network.operations))


def _layer(network: str, operations: Sequence[Operation], before: int) -> CnnLayer:
    main = operations[0]
    elements = sum(operation.weight_elements for operation in operations if operation.kind != "embedding")
    outputs = [operation.output_elements for operation in operations if operation.output_elements]
    return CnnLayer(
        name=main.name,
        operator="+".join(operation.operator or operation.kind for operation in operations),
        hyperparameters=_hyperparameters(main),
        parameters=f"{network}:{main.name}" if elements else "",
        parameter_shapes=((main.k, main.c // max(1, main.groups), main.r, main.s), (elements,)) if elements else (),
        parameter_elements=elements,
        output_elements=outputs[-1] if outputs else before,
    )


def _hyperparameters(operation: Operation) -> tuple[tuple[str, str], ...]:
    """Return kernel, stride and padding of what has a kernel; whether its groups are all its channels."""
    if operation.kind not in ("conv", "depthwise", "transposed_conv"):
        return ()
    return (
        ("groups", "channels" if operation.kind == "depthwise" else str(operation.groups)),
        ("kernel", f"{operation.r}x{operation.s}"),
        ("padding", f"{operation.padding_y} {operation.padding_x}"),
        ("stride", str(operation.stride)),
    )
