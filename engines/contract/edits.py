"""Edits of a design by hand: pieces that lie at places of boards, and the decision that a move makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# Cells of a grid; rows over which pieces lie in their order; positions along one line, which pieces part.
Form = Literal["grid", "lanes", "line"]


@dataclass(frozen=True)
class Place:
    """Where a piece may lie.

    Attributes:
        name: unique on its board.
        title: what people read.
        column, row: of a grid, from 0 on; rows of lanes and positions of a line are in the order of the board.
        kind: of hardware, as `Chiplet.dataflow` or a unit's kind; "" where it is none.
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
        title: what people read: "Segment 2 of A, layers 4-9".
        short: what stands on it where there is little room.
        place: name of the place where it lies.
        family: number of the network or model that it is of, which colours it.
        start, length: where it lies along a lane, in layers, blocks or stages.
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
    """Places and the pieces on them; a piece may be dropped on any place of its own board, which need not be possible.

    Attributes:
        title: what people read.
        part: which part of the design it is of, where they are shown one at a time ("Window 2"); "" for all of it.
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
        boards: names of pieces are unique among all of them.
        moved: (name of a piece, name of a place of its board) -> the decision after the move. A place that another piece has
            alone may mean that both change places. Raises `DecisionError` whose `accepted` says what would be possible, as
            `Engine.evaluate` does of the decision that comes back: either may refuse.
        params: parameters with which a new run has this design among what it begins with or scores; empty where the
            method knows no such thing.
    """

    boards: tuple[Board, ...]
    moved: Callable[[str, str], dict[str, Any]]
    params: Mapping[str, Any] = field(default_factory=dict)
