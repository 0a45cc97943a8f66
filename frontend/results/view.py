"""Views of the results of one type; all pages use them, and none asks for the type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import plotly.graph_objects as go
from dash.development.base_component import Component

from engines.contract.results import Result
from frontend.figures.schedule.schedule import By
from frontend.theme import Scheme

Shown = TypeVar("Shown", bound=Result)
Kind = Literal["figure", "placed", "table", "words"]


@dataclass(frozen=True)
class CardRoom:
    """The height of a picture in pixels: the least for legibility, and the most that improves it."""

    least: float
    most: float = float("inf")


@dataclass(frozen=True)
class CardPicture(Generic[Shown]):
    """How a result stands on the card of the selected design.

    Attributes:
        room: (result, width, height of the card) -> what the picture needs.
        figure: (result, scheme, width, height) -> the picture, that large.
        reads_well: (result, width, height of the card) -> whether it can be read there; what cannot comes after all else.
    """

    room: Callable[[Shown, float, float], CardRoom]
    figure: Callable[[Shown, Scheme, float, float], go.Figure]
    reads_well: Callable[[Shown, float, float], bool] = lambda _result, _width, _height: True


@dataclass(frozen=True)
class FigureQuery:
    """The part of a result in a figure for a paper: a window of a grid; rows and end of the time axis of a schedule."""

    window: int = 0
    by: By = "chiplets"
    end_s: float | None = None


@dataclass(frozen=True)
class ResultView(Generic[Shown]):
    """How results of one type are shown.

    Attributes:
        shows: the type.
        kind: "figure"; "placed" where it stands in a tab of its own and nowhere else; "table"; "words".
        sentence: the picture in one sentence, for those who cannot see it.
        component: (result, scheme, width) -> figure, table or notice.
        figure: (result, scheme, width, least height) -> the picture; None where it has none that one call draws.
        paper: (result, width, what is asked for) -> the picture for a paper; None: `figure`, in the light scheme.
        card: on the card of the selected design; None where it has no place there.
        wide: whether it takes the whole width of the data tab.
    """

    shows: type[Shown]
    kind: Kind
    sentence: Callable[[Shown], str]
    component: Callable[[Shown, Scheme, float], Component]
    figure: Callable[[Shown, Scheme, float, float], go.Figure] | None = None
    paper: Callable[[Shown, float, FigureQuery], go.Figure | None] | None = None
    card: CardPicture[Shown] | None = None
    wide: Callable[[Shown], bool] = lambda _result: False
