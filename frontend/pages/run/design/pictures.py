"""What the card of the selected design shows where its engine places nothing on chiplets: two pictures above each other.

Chosen by the types of the design's results alone, in the order in which they say most of how a design differs from others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import plotly.graph_objects as go

from engines.contract.results import Breakdown, Curve, Distribution, LayerGraph, Matrix, Result
from frontend.figures.breakdown import breakdown_figure
from frontend.figures.generic import curve_figure, distribution_figure, layer_graph_figure, matrix_figure
from frontend.figures.layer_graph import Fit, fit
from frontend.figures.profile import MOST_LYING_BARS
from frontend.figures.summary import result_sentence
from frontend.theme import Scheme

HEAD_PX = 30  # the name above a picture
_MOST_PICTURES = 2
# A graph may take so much of the card; one that does not read well there comes after all other results.
_GRAPH_SHARE = 0.5
_CURVE_PANEL_SHARE = 0.8  # as `curve_figure` counts heights of several panels


@dataclass(frozen=True)
class Picture:
    """One picture of the card: the result that it shows, the plot, and what it shows in words."""

    result: Result
    figure: go.Figure
    sentence: str


@dataclass(frozen=True)
class _Room:
    """What a picture needs: the least height at which it can be read, the height beyond which it gains nothing; pixels."""

    least: float
    most: float


_Drawer = Callable[[Result, Scheme, float, float], go.Figure]


def design_pictures(results: Sequence[Result], scheme: Scheme, size: tuple[int, int]) -> tuple[Picture, ...]:
    """None, one or two pictures that together fill the card; `size` is its width and height in pixels."""
    width, height = size
    chosen = _chosen(results, width, height)
    heights = _heights([room for _, room in chosen], height - HEAD_PX * len(chosen))
    return tuple(
        Picture(result, _DRAWERS[type(result)](result, scheme, width, each), result_sentence(result))
        for (result, _), each in zip(chosen, heights, strict=True)
    )


def _chosen(results: Sequence[Result], width: float, height: float) -> list[tuple[Result, _Room]]:
    """The first result of each type, then further ones, as long as they fit."""
    wanted = _ordered(results, width, height)
    found: list[tuple[Result, _Room]] = []
    free = height
    for result in wanted:
        room = _room(result, width, height)
        if len(found) < _MOST_PICTURES and room.least + HEAD_PX <= free:
            found.append((result, room))
            free -= room.least + HEAD_PX
    return found


def _ordered(results: Sequence[Result], width: float, height: float) -> list[Result]:
    """By type, and the first of every type before the second of any; graphs that do not read well at the end."""
    order = list(_DRAWERS)
    shown = [result for result in results if type(result) in _DRAWERS]
    place = {id(result): sum(type(other) is type(result) for other in shown[:at]) for at, result in enumerate(shown)}

    def key(result: Result) -> tuple[bool, int, int]:
        unread = isinstance(result, LayerGraph) and not _fit(result, width, height).reads_well
        return unread, place[id(result)], order.index(type(result))

    return sorted(shown, key=key)


def _fit(graph: LayerGraph, width: float, height: float) -> Fit:
    return fit(graph, width, _GRAPH_SHARE * height)


def _room(result: Result, width: float, height: float) -> _Room:
    match result:
        case LayerGraph():
            needed = _fit(result, width, height).height_px
            return _Room(needed, needed)
        case Matrix():
            rows = max(4, len(result.row_titles))
            return _Room(64 + 18 * rows, 70 + 44 * rows)
        case Breakdown() if len(result.bars) <= MOST_LYING_BARS:
            return _Room(84 + 20 * len(result.bars), 90 + 56 * len(result.bars))
        case Curve():
            panels = len({series.unit for series in result.series})
            return _Room(60 + 80 * panels, float("inf"))
        case _:
            return _Room(130, float("inf"))


def _heights(rooms: Sequence[_Room], height: float) -> list[float]:
    """What is left beyond the least heights goes in equal parts to those that gain from it, then to the last."""
    heights = [room.least for room in rooms]
    left = height - sum(heights)
    growing = [at for at, room in enumerate(rooms) if room.most > room.least]
    while growing and left > 1:
        share = left / len(growing)
        for at in list(growing):
            more = min(share, rooms[at].most - heights[at])
            heights[at] += more
            left -= more
            if heights[at] >= rooms[at].most:
                growing.remove(at)
    if heights and left > 1:
        heights[-1] += left
    return heights


def _graph(result: Result, scheme: Scheme, width: float, height: float) -> go.Figure:
    drawn = layer_graph_figure(cast(LayerGraph, result), scheme, width_px=width, most_px=height)
    own = float(drawn.layout.height)
    if height > own:  # in the middle of what it was given
        spare = (height - own) / 2
        drawn.update_layout(height=height, yaxis={"range": [own + spare, -spare]})
    return drawn


def _matrix(result: Result, scheme: Scheme, _width: float, height: float) -> go.Figure:
    return matrix_figure(cast(Matrix, result), scheme, height_px=height)


def _breakdown(result: Result, scheme: Scheme, width: float, height: float) -> go.Figure:
    return breakdown_figure(cast(Breakdown, result), scheme, height_px=height, width_px=width, named=False)


def _curve(result: Result, scheme: Scheme, _width: float, height: float) -> go.Figure:
    curve = cast(Curve, result)
    panels = len({series.unit for series in curve.series})
    each = height / (panels * _CURVE_PANEL_SHARE) if panels > 1 else height
    return curve_figure(curve, scheme, height_px=each, heading=curve.title)


def _distribution(result: Result, scheme: Scheme, _width: float, height: float) -> go.Figure:
    return distribution_figure(cast(Distribution, result), scheme, height_px=height)


# In the order in which they say most of a design: how it is put together, between what it chooses, where its costs come from.
_DRAWERS: dict[type[Result], _Drawer] = {
    LayerGraph: _graph,
    Matrix: _matrix,
    Breakdown: _breakdown,
    Curve: _curve,
    Distribution: _distribution,
}
