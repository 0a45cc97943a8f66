"""Importance of decisions: bars that lie, each with its spread, and what a model of the designs explains."""

from __future__ import annotations

import plotly.graph_objects as go

from engines.search.importance import Importance
from frontend.figures.drawing import figure, fitted, text_width
from frontend.figures.numbers import integer, percent
from frontend.theme import TOKENS, Scheme

MOST_BARS = 12
TRUSTED = 0.5  # share explained below which a model says too little to rank decisions by
_ROW_PX, _AXIS_PX, _LONGEST_NAME_PX = 24, 44, 190.0


def importance_figure(importance: Importance, scheme: Scheme) -> go.Figure:
    """Return the most important decisions, at most `MOST_BARS`.

    The rule through a bar's end is one standard deviation either way.
    """
    tokens, shown = TOKENS[scheme], slice(0, MOST_BARS)
    names = [fitted(title, _LONGEST_NAME_PX, 11) for title in importance.titles[shown]]
    rows = list(range(len(names)))
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": rows,
        "x": importance.fall[shown],
        "error_x": {
            "type": "data",
            "array": importance.spread[shown],
            "color": tokens.text,
            "thickness": 1,
            "width": 4,
        },
        "marker": {"color": tokens.text3},
        "customdata": [[t, s] for t, s in zip(importance.titles[shown], importance.spread[shown], strict=True)],
        "hovertemplate": "<b>%{customdata[0]}</b><br>R² falls by %{x:.3f} ± %{customdata[1]:.3f}<extra></extra>",
    }
    layout = {
        "height": _AXIS_PX + 10 + _ROW_PX * max(1, len(rows)),
        "margin": {
            "l": max((text_width(name, 11) for name in names), default=20.0) + 14,
            "r": 16,
            "t": 10,
            "b": _AXIS_PX,
        },
        "bargap": 0.35,
        "xaxis": {"title": {"text": "Decrease of R² when shuffled"}, "rangemode": "tozero"},
        "yaxis": {"tickvals": rows, "ticktext": names, "autorange": "reversed", "showgrid": False, "ticks": ""},
    }
    return figure(scheme, [bars], layout)


def explained_words(importance: Importance, total: int) -> tuple[str, bool]:
    """Return the sentence on the variance that the model explains for held-out designs, and whether to trust its bars."""
    share = max(0.0, importance.explained)
    of = (
        integer(importance.designs)
        if importance.designs == total
        else f"{integer(importance.designs)} of {integer(total)}"
    )
    words = f"The model explains {percent(share)} of the variance among held-out designs ({of} designs)"
    return (f"{words}.", True) if share >= TRUSTED else (f"{words}: do not trust this.", False)
