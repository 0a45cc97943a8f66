"""A picture over time with a cursor that pointer and keyboard move (assets/time_strips.js)."""

from __future__ import annotations

import plotly.graph_objects as go
from dash import dcc, html

_GRAPH = {"displayModeBar": False, "responsive": True, "scrollZoom": False, "doubleClick": "reset"}
_KEYS = "ArrowLeft ArrowRight Home End [ ] + -"
HINT = "The pointer, or arrow keys in the picture, read the values at a moment."


def time_strip(figure: go.Figure, *, summary: str, group: str = "", **facts: str) -> html.Div:
    """Return a figure with `time_meta` in its layout that can be focused; arrow keys move its cursor.

    Args:
        figure: with its height.
        summary: one sentence for those who do not see it.
        group: pictures of the same group share cursor and zoom; by default those whose axes end at the same moment.
        facts: further attributes.
    """
    height = figure.layout.height
    shared = group or group_until(figure.layout.meta["time"]["end"])
    graph = dcc.Graph(figure=figure, config=_GRAPH, style={"height": height, "width": "100%"})
    return html.Div(
        graph,
        className="figure time-strip",
        role="img",
        tabIndex="0",
        **{"aria-label": summary, "aria-keyshortcuts": _KEYS, "data-group": shared},
        **facts,
    )


def group_until(end_s: float) -> str:
    """Return the group of pictures whose axes end at that moment."""
    return f"until {end_s!r}"


def values_at_cursor(hint: str = "") -> html.Div:
    """Return the element next to the strip that shows the values at the cursor.

    Args:
        hint: text until the cursor moves.
    """
    return html.Div(hint, className="time-words sm num t2", **{"aria-live": "off"})
