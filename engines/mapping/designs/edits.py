"""A mapping on its board: a lane for every unit, over which the blocks of the network lie; and its clocks."""

from __future__ import annotations

from typing import Any

from engines.contract.designs import Decision
from engines.contract.edits import Board, Edits, Piece, Place
from engines.cost.soc.clock_boards import clock_boards, moved_clock
from engines.cost.soc.clocks import ClockSettings
from engines.mapping.designs.decision import GOVERNOR, decode_clocks, decode_units
from engines.mapping.problem.instance import Instance
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

_HZ_PER_MHZ = 1e6


def mapping_edits(instance: Instance, decision: Decision, settings: ClockSettings) -> Edits:
    """Return the blocks on units, and clocks of the settings that a search chooses among; governed clocks follow the mapping.

    Raises:
        DecisionError: the decision does not describe a mapping of the instance.
    """
    names = [instance.units[unit] for unit in decode_units(instance, decision).tolist()]
    blocks = tuple(
        Piece(f"block.{number}", f"Block {number + 1}, {block}", str(number + 1), names[number], start=number)
        for number, block in enumerate(instance.blocks)
    )
    boards = [Board("Blocks on units", "lanes", unit_places(instance.soc, instance.units), blocks)]
    clocks: dict[str, float] = {}
    if decision.get("clocks_mhz") != GOVERNOR:
        clocks = {name: hz / _HZ_PER_MHZ for name, hz in decode_clocks(instance, decision).at(0).items()}
        boards += clock_boards(settings, clocks)

    def moved(piece: str, place: str) -> dict[str, Any]:
        clock = moved_clock(piece, place)
        if clock is not None:
            return {**decision, "clocks_mhz": {**clocks, **clock}}
        number = int(piece.partition(".")[2])
        return {**decision, "units": [*names[:number], place, *names[number + 1 :]]}

    return Edits(tuple(boards), moved)


def unit_places(soc: Soc, units: tuple[str, ...]) -> tuple[Place, ...]:
    """Return one lane of the board for every compute unit."""
    return tuple(
        Place(name, unit_title(name), row=row, kind=soc.units[name].kind if name in soc.units else "")
        for row, name in enumerate(units)
    )
