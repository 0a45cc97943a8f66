"""Plots on pages: no modebar, a role and a sentence for those who cannot see them."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from dash import dcc, html

_CONFIG = {"displayModeBar": False, "responsive": True, "scrollZoom": False, "doubleClick": "reset"}


def plot(
    figure: go.Figure | dict[str, Any] | None,
    *,
    height_px: int | None = None,
    summary: str = "",
    id: str | dict[str, Any] | None = None,  # noqa: A002  (as Dash calls it)
    config: dict[str, Any] | None = None,
) -> html.Div:
    """Return a plot that fills the width of its card.

    Args:
        figure: as a figure function made it, or a mapping, which needs `height_px`; None draws nothing yet.
        height_px: height of the plot; the figure's own where left out.
        summary: one sentence: best, count, knee, worst limit; read out in place of the picture.
        id: identifier of the `dcc.Graph` inside.
        config: further settings of plotly.js.
    """
    # Pictures as mappings come with their height.
    height = height_px or (figure.layout.height if isinstance(figure, go.Figure) else None)
    given = {"id": id} if id is not None else {}
    graph = dcc.Graph(
        figure=figure if figure is not None else go.Figure(),
        config=_CONFIG | (config or {}),
        style={"height": height or "100%", "width": "100%"},
        **given,
    )
    return html.Div(graph, className="figure", role="img", **{"aria-label": summary or "Figure"})
