"""Architectures as networks that machines run."""

from __future__ import annotations

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture
from engines.supernets.workload import network_of

MEASURABLE = Measurable(
    "latency_s",
    "The whole network of an architecture in fp32 with random weights, on the processor alone: mappings to several units are "
    "predicted, not measured. Which nodes are neighbours depends on weights, how many are ranked and gathered does not.",
)


def runnable_architecture(setup: Setup, architecture: Architecture) -> Runnable:
    """One piece: the network."""
    network = network_of(setup.space, architecture)
    return Runnable((RunnablePiece("The network", 1.0, network.operations),))
