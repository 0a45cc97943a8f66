"""The views of all types of results: a new type is a line of `VIEWS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
from dash.development.base_component import Component

from engines.contract.results import Result
from frontend.results import (
    breakdown,
    chiplet_grid,
    curve,
    distribution,
    ground_track,
    layer_graph,
    matrix,
    network_picture,
    note,
    schedule,
    sensitivity,
    table,
    trace,
)
from frontend.results.view import FigureQuery, ResultView
from frontend.theme import Scheme

_LOWEST_PAPER_SHARE = 0.5  # of the width

# In the order in which they say most of a design: how it is put together, between what it chooses, where its costs come from.
VIEWS: Mapping[type[Result], ResultView[Any]] = {
    view.shows: view
    for view in (
        chiplet_grid.VIEW,
        network_picture.VIEW,
        schedule.VIEW,
        ground_track.VIEW,
        trace.VIEW,
        layer_graph.VIEW,
        matrix.VIEW,
        breakdown.VIEW,
        sensitivity.VIEW,
        curve.VIEW,
        distribution.VIEW,
        table.VIEW,
        note.VIEW,
    )
}


def view_of(result: Result) -> ResultView[Any]:
    """Return the view of a result by its type.

    Raises:
        TypeError: there is no view of its type; names those that there are.
    """
    view = VIEWS.get(type(result))
    if view is None:
        names = sorted(known.__name__ for known in VIEWS)
        raise TypeError(f"A result must be one of {names}. Got {type(result).__name__} instead.")
    return view


def draw(result: Result, scheme: Scheme, width_px: float = 900) -> Component:
    """Return the result as a figure, table or notice.

    Args:
        result: result of any type.
        scheme: light or dark.
        width_px: width that it will have.

    Raises:
        TypeError: as `view_of`.
    """
    return view_of(result).component(result, scheme, width_px)


def result_sentence(result: Result) -> str:
    """Return the result in one sentence; its title alone where there is nothing to count."""
    return view_of(result).sentence(result)


def paper_picture(result: Result, width_px: float, asked: FigureQuery | None = None) -> go.Figure | None:
    """Return the picture of a result for a paper; None where it has none (tables and notes).

    Args:
        result: result of any type.
        width_px: width of the picture.
        asked: query for a part of the result.
    """
    view = view_of(result)
    if view.paper is not None:
        return view.paper(result, width_px, asked or FigureQuery())
    return view.figure(result, "light", width_px, _LOWEST_PAPER_SHARE * width_px) if view.figure else None
