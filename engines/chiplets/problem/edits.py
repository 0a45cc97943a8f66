"""A schedule on the boards of its package: segments on chiplets, and cuts along the layers of a model, window by window."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from engines.chiplets.problem.decision import PackageSchedule, Placement, encode
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.edits import Board, Edits, Piece, Place

_SEGMENT, _CUT = "segment", "cut"


def schedule_edits(tables: ScenarioTables, schedule: PackageSchedule) -> Edits:
    """Return per window the package with its segments, then a line for every model that is cut there.

    Args:
        tables: tables of the package that the schedule is for.
        schedule: a valid one.
    """
    boards = []
    for number, window in enumerate(schedule.windows):
        part = f"Window {number + 1}"
        segments = tuple(
            piece for at, placed in enumerate(window) for piece in _segments(tables, placed, f"{number}.{at}")
        )
        boards.append(Board("Chiplets", "grid", _chiplets(tables), segments, part))
        boards += [
            _line(tables, placed, f"{number}.{at}", part) for at, placed in enumerate(window) if len(placed.cuts) > 1
        ]
    decision = encode(schedule)
    return Edits(tuple(boards), lambda piece, place: _moved(decision, piece, int(place)))


def _letter(model: int) -> str:
    return chr(ord("A") + model % 26)


def _chiplets(tables: ScenarioTables) -> tuple[Place, ...]:
    chiplets = tables.package_model.package.chiplets
    return tuple(Place(str(c.index), f"C{c.index}", c.column, c.row, c.dataflow) for c in chiplets)


def _segments(tables: ScenarioTables, placed: Placement, at: str) -> list[Piece]:
    letter, title = _letter(placed.model), tables.models[placed.model].title
    count, found = len(placed.path), []
    for number, (first, end, chiplet) in enumerate(placed.segments):
        part = f"segment {number + 1} of {count}, " if count > 1 else ""
        words = f"{letter}, {title}: {part}layers {first + 1} to {end}"
        short = f"{letter} {end}" if end == first + 1 else f"{letter} {first + 1}–{end}"
        found.append(Piece(f"{_SEGMENT}.{at}.{number}", words, short, str(chiplet), placed.model))
    return found


def _line(tables: ScenarioTables, placed: Placement, at: str, part: str) -> Board:
    letter, title = _letter(placed.model), tables.models[placed.model].title
    places = tuple(
        Place(str(layer), f"after layer {layer}") for layer in range(placed.first_layer + 1, placed.end_layer)
    )
    pieces = tuple(
        Piece(f"{_CUT}.{at}.{number}", f"{letter}, {title}: cut {number + 1}", str(layer), str(layer), placed.model)
        for number, layer in enumerate(placed.cuts[:-1])
    )
    return Board(f"Cuts of {letter}, {title}", "line", places, pieces, part)


def _moved(decision: Mapping[str, Any], piece: str, place: int) -> dict[str, Any]:
    """Return a segment on another chiplet, which changes places with what is there; or a cut before another layer."""
    kind, *numbers = piece.split(".")
    window, at, number = map(int, numbers)
    changed: dict[str, Any] = copy.deepcopy(dict(decision))
    models = changed["windows"][window]["models"]
    if kind == _CUT:
        models[at]["cuts"][number] = place
        return changed
    left = models[at]["path"][number]
    for placed in models:
        placed["path"] = [left if chiplet == place else chiplet for chiplet in placed["path"]]
    models[at]["path"][number] = place
    return changed
