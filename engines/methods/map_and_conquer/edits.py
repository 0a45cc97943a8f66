"""A configuration on its boards: stages over the units, each on one of its own, and clocks."""

from __future__ import annotations

from typing import Any

from engines.contract.designs import Decision
from engines.contract.edits import Board, Edits, Piece
from engines.cost.soc.clock_boards import clock_boards, moved_clock
from engines.mapping.designs.edits import unit_places
from engines.methods.map_and_conquer.decision import decoded
from engines.methods.map_and_conquer.problem.instance import CutInstance

_HZ_PER_MHZ = 1e6


def configuration_edits(instance: CutInstance, decision: Decision) -> Edits:
    """Return a stage that goes to the unit of another one changes places with it. How layers are cut and reused stays.

    Raises:
        DecisionError: the decision does not describe a configuration of the instance.
    """
    _, settings = decoded(instance, decision)
    names: list[str] = list(decision["units"])
    stages = tuple(
        Piece(f"stage.{number}", f"Stage {number + 1} of {len(names)}", f"Stage {number + 1}", unit, number, number)
        for number, unit in enumerate(names)
    )
    clocks = {name: hz / _HZ_PER_MHZ for name, hz in settings.at(0).items()}
    board = Board("Stages on units", "lanes", unit_places(instance.soc, instance.units), stages)

    def moved(piece: str, place: str) -> dict[str, Any]:
        clock = moved_clock(piece, place)
        if clock is not None:
            return {**decision, "clocks_mhz": {**clocks, **clock}}
        number = int(piece.partition(".")[2])
        units = [names[number] if unit == place else unit for unit in names]
        units[number] = place
        return {**decision, "units": units}

    return Edits((board, *clock_boards(instance.settings, clocks)), moved)
