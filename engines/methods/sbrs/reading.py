"""Scenarios from documents of the catalogue: a network's operations as layers, with costs on the device.

A layer is an operation that runs, with the batch normalisation, activation or reshape that a runtime folds into it; a first
layer of its own holds the input. A `network/1` document says the order of operations, not who reads whose result: edges are
those of a chain.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.cost.soc_networks import NetworkPricer
from engines.methods.sbrs.cnn import Cnn, CnnLayer, TimedCnn, chain
from engines.workloads.network import Network, Operation

INPUT = "input"
CHAIN_NOTE = (
    "Documents of networks say in which order operations run, not who reads whose result: every network counts as a chain, so that "
    "tensors kept for a residual addition are counted once less than they are needed."
)


def read_cnn(network: Network, starts: Sequence[int]) -> Cnn:
    """The network as layers and edges.

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
    return Cnn(network.slug, tuple(layers), chain(len(layers)))


def timed(network: Network, pricer: NetworkPricer, accuracy_percent: float | None) -> TimedCnn:
    """The network with the costs of its layers; the layer of the input costs nothing.

    Raises:
        NoEstimateError: names the operator that no estimate covers.
    """
    costs = pricer.price(network)
    cnn = read_cnn(network, costs.starts)
    latency, energy = (0.0, *costs.latency_s.tolist()), (0.0, *costs.energy_j.tolist())
    return TimedCnn(cnn, latency, energy, accuracy_percent)


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
    """Kernel, stride and padding of what has a kernel; whether its groups are all its channels."""
    if operation.kind not in ("conv", "depthwise", "transposed_conv"):
        return ()
    return (
        ("groups", "channels" if operation.kind == "depthwise" else str(operation.groups)),
        ("kernel", f"{operation.r}x{operation.s}"),
        ("padding", f"{operation.padding_y} {operation.padding_x}"),
        ("stride", str(operation.stride)),
    )
