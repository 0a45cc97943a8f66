"""The device's side of a private split network as a network that machines run."""

from __future__ import annotations

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.costs import edge_drawing
from engines.methods.privynas.instance import PrivynasInstance
from engines.workloads.parts import drawn_operations

MEASURABLE = Measurable(
    "latency_s",
    "The layers on the device as they are estimated, with the normalisations that a runtime fuses into "
    "convolutions. The sum with noise runs in fp32 with random weights; sending is added as predicted.",
)


def runnable_edge(instance: PrivynasInstance, choice: Choice) -> Runnable:
    """Return stem, blocks up to the cut by their chosen operations, a sum with noise; what is sent stays predicted."""
    drawing = edge_drawing(instance.space, choice.operations, choice.position)
    drawing.add("noise", weights=drawing.size)
    piece = RunnablePiece("Layers on the device", 1.0, drawn_operations(drawing.rows))
    return Runnable((piece,), float(instance.costs.sending[0, choice.position - 1]), "sending")
