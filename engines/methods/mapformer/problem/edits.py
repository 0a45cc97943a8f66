"""A mapping of a mix on its boards: segments of each network over the units, where it is cut, and the clock of every unit."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from engines.contract.designs import Decision
from engines.contract.edits import Board, Edits, Piece, Place
from engines.cost.soc.clock_boards import OFF, clock_board, moved_clock
from engines.mapping.designs.edits import unit_places
from engines.methods.mapformer.problem.decision import decoded, encoded
from engines.methods.mapformer.problem.instance import MixInstance

_SEGMENT, _CUT = "segment", "cut"
_HZ_PER_MHZ = 1e6


def mix_edits(instance: MixInstance, decision: Decision) -> Edits:
    """Return per network a lane for every unit and a line of cuts; then the clocks, of which "off" is one.

    Raises:
        DecisionError: the decision does not describe a mapping that can run.
    """
    whole = encoded(instance, decoded(instance, decision))
    units = instance.board.units
    places = unit_places(instance.soc, tuple(unit.name for unit in units))
    boards: list[Board] = []
    for number, (name, segments) in enumerate(zip(instance.names, whole["networks"], strict=True)):
        boards.append(Board(f"{name} on units", "lanes", places, _segments(number, name, segments), name))
        if len(segments) > 1:
            layers = tuple(Place(str(at), f"after layer {at}") for at in range(1, segments[-1][0]))
            boards.append(Board(f"Cuts of {name}", "line", layers, _cuts(number, name, segments), name))
    for unit in units:
        steps: list[float | str] = [OFF, *(hz / _HZ_PER_MHZ for hz in unit.clocks_hz)]
        boards.append(replace(clock_board(unit.name, steps, whole["clocks_mhz"][unit.name]), part="Clocks"))

    def moved(piece: str, place: str) -> dict[str, Any]:
        changed = copy.deepcopy(whole)
        clock = moved_clock(piece, place)
        if clock is not None:
            changed["clocks_mhz"] |= clock
            return changed
        kind, network, number = piece.split(".")
        segment = changed["networks"][int(network)][int(number)]
        if kind == _CUT:
            segment[0] = int(place)
        else:
            segment[1] = place
        return changed

    return Edits(tuple(boards), moved)


def _segments(network: int, name: str, segments: list[list[Any]]) -> tuple[Piece, ...]:
    found, first = [], 0
    for number, (end, unit) in enumerate(segments):
        words = f"{name}: segment {number + 1} of {len(segments)}, layers {first + 1} to {end}"
        short = str(end) if end == first + 1 else f"{first + 1}–{end}"
        found.append(Piece(f"{_SEGMENT}.{network}.{number}", words, short, unit, network, first, end - first))
        first = end
    return tuple(found)


def _cuts(network: int, name: str, segments: list[list[Any]]) -> tuple[Piece, ...]:
    return tuple(
        Piece(f"{_CUT}.{network}.{number}", f"{name}: cut {number + 1}", str(end), str(end), network)
        for number, (end, _) in enumerate(segments[:-1])
    )
