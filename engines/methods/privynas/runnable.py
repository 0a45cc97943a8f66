"""The device's side of a private split network as a network that machines run."""

from __future__ import annotations

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.costs import draw_block
from engines.methods.privynas.instance import PrivynasInstance
from engines.workloads.families.drawing import Drawing
from engines.workloads.parts import drawn_operations

MEASURABLE = Measurable(
    "latency_s",
    "The layers on the device as they are priced, so with normalisations that a runtime folds into convolutions, and the sum with "
    "noise, in fp32 with random weights; sending is added as predicted.",
)


def runnable_edge(instance: PrivynasInstance, choice: Choice) -> Runnable:
    """Stem, blocks up to the cut by their chosen operations, a sum with noise; what is sent stays predicted."""
    space = instance.space
    drawing = Drawing((space.image_channels, space.side, space.side))
    drawing.conv("stem", space.stem, 3)
    for number in range(choice.position):
        operation = space.blocks[number].operations[choice.operations[number]]
        if operation is not None:
            draw_block(drawing, f"block{number + 1}", space.blocks[number], operation)
    drawing.add("noise", weights=drawing.size)
    piece = RunnablePiece("Layers on the device", 1.0, drawn_operations(drawing.rows))
    return Runnable((piece,), float(instance.costs.sending[0, choice.position - 1]), "sending")
