"""The picture of a result of any type that one call draws: no window of a grid, no lanes of a schedule to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import plotly.graph_objects as go

from engines.contract.results import Breakdown, Curve, Distribution, LayerGraph, Matrix, Result, Trace
from frontend.figures.breakdown import breakdown_figure
from frontend.figures.generic import (
    curve_figure,
    distribution_figure,
    layer_graph_figure,
    matrix_figure,
    trace_figure,
)
from frontend.figures.profile import MOST_LYING_BARS, PROFILE_PX
from frontend.theme import Scheme

_CURVE_PX, _DISTRIBUTION_PX = 280.0, 220.0
Picture = Callable[[Any, Scheme, float, float], go.Figure]


def _breakdown(breakdown: Breakdown, scheme: Scheme, width_px: float, least_px: float) -> go.Figure:
    lying = len(breakdown.bars) <= MOST_LYING_BARS  # as high as their number asks for
    height_px = None if lying else max(least_px, PROFILE_PX)
    return breakdown_figure(breakdown, scheme, width_px=width_px, height_px=height_px)


FIGURES: Mapping[type[Result], Picture] = {
    Trace: lambda trace, scheme, _, __: trace_figure(trace, scheme),
    Curve: lambda curve, scheme, _, least: curve_figure(curve, scheme, height_px=max(least, _CURVE_PX)),
    Matrix: lambda matrix, scheme, _, __: matrix_figure(matrix, scheme),
    Breakdown: _breakdown,
    Distribution: lambda values, scheme, _, least: distribution_figure(
        values, scheme, height_px=max(least, _DISTRIBUTION_PX)
    ),
    LayerGraph: lambda graph, scheme, width, _: layer_graph_figure(graph, scheme, width_px=width),
}


def figure_of(result: Result, scheme: Scheme, width_px: float, least_px: float = 0.0) -> go.Figure | None:
    """The picture of a result at that width; None where its type is not in `FIGURES`.

    Args:
        result: of any type.
        scheme: light or dark.
        width_px: width of the picture.
        least_px: least height, of pictures whose height does not follow from what they show.
    """
    picture = FIGURES.get(type(result))
    return picture(result, scheme, width_px, least_px) if picture else None
