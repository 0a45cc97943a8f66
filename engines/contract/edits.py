"""Edits of a design by hand: pieces that lie at places of boards, and the decision that a move makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# Cells of a grid; rows over which pieces lie in their order; positions along one line, which pieces part.
Form = Literal["grid", "lanes", "line"]


@dataclass(frozen=True)
class Place:
    """A place on a board where a piece may lie, such as a chiplet or a compute unit.

    Attributes:
        name: unique on its board.
        title: label on the page.
        column, row: position on a grid, from 0 on; lanes and lines follow the order of the board.
        kind: kind of hardware, such as `Chiplet.dataflow` or the kind of a compute unit; "" for none.
    """

    name: str
    title: str
    column: int = 0
    row: int = 0
    kind: str = ""


@dataclass(frozen=True)
class Piece:
    """A part of a design that can be moved.

    Attributes:
        name: unique in the design, and the same after a move.
        title: label on the page: "Segment 2 of A, layers 4-9".
        short: label for small pieces.
        place: name of the place where it lies.
        family: number of the piece's network, which selects its colour.
        start, length: position and length along a lane, in layers, blocks or stages.
    """

    name: str
    title: str
    short: str
    place: str
    family: int = 0
    start: int = 0
    length: int = 1


@dataclass(frozen=True)
class Board:
    """Places and the pieces on them. A piece may be dropped on any place of its board; the engine may refuse the move.

    Attributes:
        title: label on the page.
        part: the part of the design that the board shows ("Window 2"), if parts are shown one at a time; "" for the whole design.
    """

    title: str
    form: Form
    places: tuple[Place, ...]
    pieces: tuple[Piece, ...]
    part: str = ""


@dataclass(frozen=True)
class Edits:
    """The boards of one design.

    Attributes:
        boards: boards of the design; names of pieces are unique among all of them.
        moved: (name of a piece, name of a place of its board) -> the decision after the move. A move to an occupied place may
            swap two pieces. An impossible move raises `DecisionError` with the possible places as `accepted`; `Engine.evaluate`
            may still refuse the returned decision in the same way.
        params: parameters with which a new run starts from this design or evaluates it; empty if the method cannot do that.
    """

    boards: tuple[Board, ...]
    moved: Callable[[str, str], dict[str, Any]]
    params: Mapping[str, Any] = field(default_factory=dict)
