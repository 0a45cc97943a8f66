"""Pruned networks as machines run them: really smaller ones, of which zeros within a filter are computed."""

from __future__ import annotations

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.myml.choices import ORIGINAL, Choice
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.stages import expected_kept, unpruned
from engines.workloads.families.network_builder import Drawing
from engines.workloads.parts import Operations, Window, drawn_operations

MEASURABLE = Measurable(
    "latency_s",
    "The network without the channels that pruning takes from all filters, for one image in fp32 with random weights. A runtime "
    "computes zeros: asymmetric pruning, which takes other channels from each filter, makes nothing faster there.",
)


def runnable_network(instance: MymlInstance, choice: Choice) -> Runnable:
    """Return one piece: the whole network, as the rates of the choice leave it."""
    return Runnable((RunnablePiece("The network", 1.0, _operations(instance, choice)),))


def _operations(instance: MymlInstance, choice: Choice) -> Operations:
    """Return the convolutions with ReLU, some halved, the filter means, a linear layer (`engines.methods.myml.network.Blocks`)."""
    whole = choice.order == ORIGINAL
    *convolutions, last = unpruned(instance.layers) if whole else expected_kept(instance.layers, choice)
    first, windows = convolutions[0], dict[str, Window]()
    drawing = Drawing((first.channels, *first.layer.size_in))
    for number, (kept, halved) in enumerate(zip(convolutions, instance.halved, strict=False), 1):
        drawing.conv(f"conv{number}", kept.filters, kept.layer.kernel[0], norm=False)
        if halved:
            windows[f"half{number}"] = (2, 2, 2)
            drawing.pool(f"half{number}", 2, 2)
    drawing.pool_to("mean")
    drawing.linear("classifier", len(instance.user.classes) if choice.specific else last.filters)
    return drawn_operations(drawing.rows, windows)
