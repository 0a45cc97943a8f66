"""Architectures as networks that machines run."""

from __future__ import annotations

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture
from engines.supernets.workload import network_of

MEASURABLE = Measurable(
    "latency_s",
    "The whole network of an architecture in fp32 with random weights, on the processor alone. Mappings to "
    "several units are predicted, not measured. Weights decide which nodes are neighbours, but not how "
    "many are ranked and gathered.",
)


def runnable_architecture(setup: Setup, architecture: Architecture) -> Runnable:
    """Return the whole network as the one measured piece."""
    network = network_of(setup.space, architecture)
    return Runnable((RunnablePiece("The network", 1.0, network.operations),))
