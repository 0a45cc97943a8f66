"""A cut as a network that a machine runs: the layers on the device, and the bottleneck's first convolutions."""

from __future__ import annotations

import numpy as np

from engines.contract.errors import DecisionError
from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.cost.soc_networks import fused_table, layer_starts
from engines.methods.split_network.instance import SplitInstance, bottleneck_operations
from engines.methods.split_network.scoring import Cut, priced
from engines.workloads.parts import Operations, kept_operations, with_branch

MEASURABLE = Measurable(
    "latency_s",
    "The layers on the device with the bottleneck's first convolutions, in fp32. Upload, server delay and "
    "server layers are added as predicted.",
)


def runnable_cut(instance: SplitInstance, design: Cut) -> Runnable:
    """Return the device's side.

    Raises:
        DecisionError: all layers are at the server.
    """
    cut, inside = priced(instance, [design]), design.inside
    if not inside.any():
        accepted = "at least one layer"
        reason = "All layers run on the server, so the device has nothing to measure."
        raise DecisionError("decision.last_on_device", [], accepted, reason=reason)
    operations = instance.network.operations
    starts = layer_starts(fused_table(instance.network))
    layer_of = np.searchsorted(starts, np.arange(len(operations)), side="right") - 1
    numbers = np.flatnonzero(inside[layer_of]).tolist()
    part: Operations = kept_operations(operations, numbers)
    if design.bottleneck:
        for row in np.flatnonzero(cut.crossing[0] & (instance.costs.coding_s[1] > 0)).tolist():
            tensor = instance.graph.tensors[row]
            made = next(
                number
                for number in numbers
                if layer_of[number] == tensor.layer and operations[number].name == tensor.title
            )
            part = with_branch(part, numbers.index(made), bottleneck_operations(tensor, instance.params))
    rest_s = float(cut.latency_s(instance.channel.mean_s_per_bit, instance.queue.mean_s)[0] - cut.device_s[0])
    words = "the upload, the server's delay and its layers" if cut.remote[0] else ""
    piece = RunnablePiece("Layers on the device", 1.0, part, instance.network.slug)
    return Runnable((piece,), max(rest_s, 0.0), words)
