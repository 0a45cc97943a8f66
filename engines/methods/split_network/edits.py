"""A cut on its board: a place along the layers of the network, in their order, before which all runs on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.designs import Decision
from engines.contract.edits import Board, Edits, Piece, Place
from engines.methods.split_network.instance import SplitInstance
from engines.methods.split_network.scoring import decode

_BOTTLENECK = (Place("without", "unchanged"), Place("with", "through a bottleneck", row=1))


def cut_edits(instance: SplitInstance, decision: Decision) -> Edits:
    """Return the cut moves along the whole network.

    One along branches lies where as many layers run on the device, and becomes straight.

    Raises:
        DecisionError: the decision does not describe a cut.
    """
    graph = instance.graph
    cut = decode(instance, decision)
    inside, size = cut.inside, int(cut.inside.sum())
    straight = bool(inside[:size].all())
    places = (
        Place("0", "before the first layer: all at the server"),
        *(Place(str(at), f"after layer {at}, {name}") for at, name in enumerate(graph.names, 1)),
    )
    words = "Cut between device and server" if straight else "Cut between device and server, along branches"
    boards = [
        Board(f"Layers of {instance.network.title}", "line", places, (Piece("cut", words, str(size), str(size)),))
    ]
    if instance.params.compression != 1:
        sent = Piece("sent", "Transferred data", "Transferred data", _BOTTLENECK[cut.bottleneck].name)
        boards.append(Board("Transferred data", "lanes", _BOTTLENECK, (sent,)))

    def moved(piece: str, place: str) -> dict[str, Any]:
        if piece == "sent":
            return {**decision, "bottleneck": place == _BOTTLENECK[1].name}
        last = graph.last(np.arange(len(graph.names)) < int(place))
        return {**decision, "last_on_device": [graph.names[layer] for layer in last]}

    return Edits(tuple(boards), moved)
