"""How a number improves over the evaluations of a search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from engines.contract.arrays import FloatArray
from frontend.figures.drawing import figure
from frontend.figures.lines import axis_name_under, is_level, span_of
from frontend.figures.numbers import scale_of, si
from frontend.theme import TOKENS, Scheme

_FAR = 1.5  # times the height of the curve
_ONE_EVALUATION = (-0.3, 0.3)  # ends of a logarithmic axis around a single one, as powers of ten


def convergence_figure(
    evaluations: npt.ArrayLike,
    values: npt.ArrayLike,
    scheme: Scheme,
    *,
    title: str,
    unit: str,
    height_px: float = 240,
    checkpoints: npt.ArrayLike = (),
    logarithmic: bool = False,
    known: tuple[str, float] | None = None,
    heading: str = "",
) -> go.Figure:
    """Return a stepped line: a value holds until a later evaluation improves it.

    Args:
        evaluations: evaluations made, ascending, shape `n`.
        values: the value after as many evaluations, in `unit`, shape `n`; NaN leaves a gap.
        scheme: light or dark.
        title: name of the value.
        unit: unit of the stored values.
        height_px: height of the picture.
        checkpoints: evaluations at which the state was stored; short strokes on the axis.
        logarithmic: equal room for every decade of evaluations, so that early improvements can be distinguished.
        known: words and value (in `unit`) that no design beats, or the exact one: a dashed line. One that lies so far away that
            the curve would be flat next to it is told in words at the edge.
        heading: heading above the picture, which the axis does not repeat.
    """
    tokens = TOKENS[scheme]
    x, y = np.asarray(evaluations, np.float64), np.asarray(values, np.float64)
    scale = scale_of(y, unit)
    shown = (y * scale.factor).astype(np.float32)
    line = {"color": tokens.accent, "width": 1.6, "shape": "hv"}
    words = f"%{{x:,.0f}} evaluations<br>{title} %{{y:.4~r}}\u00a0{scale.unit}<extra></extra>"
    traces = [
        {"type": "scatter", "mode": "lines", "x": x, "y": shown, "line": line, "hovertemplate": words, "name": title}
    ]
    if len(x):
        last = {"size": 7, "color": tokens.accent}
        traces.append(
            {"type": "scatter", "mode": "markers", "x": x[-1:], "y": shown[-1:], "marker": last, "hoverinfo": "skip"}
        )
    marks = [
        {
            "type": "line",
            "x0": at,
            "x1": at,
            "y0": 0,
            "y1": 0.03,
            "yref": "paper",
            "line": {"color": tokens.text3, "width": 1},
        }
        for at in np.asarray(checkpoints, np.float64)
    ]
    notes = axis_name_under(title, heading, scale.unit, scheme)
    if known is not None and np.isfinite(shown).any():
        rules, words_beside = _known_marks(known, unit, np.asarray(shown, np.float64), scale.factor, scheme)
        marks += rules
        notes += words_beside
        if rules:  # A shape does not widen the axis: an invisible mark does.
            unseen: dict[str, Any] = {"x": x[-1:], "y": [rules[0]["y0"]], "marker": {"opacity": 0}, "hoverinfo": "skip"}
            traces.append({"type": "scatter", "mode": "markers", **unseen})
    layout = {
        "height": height_px,
        "margin": {"l": 52, "r": 18, "t": 30, "b": 42},
        "xaxis": _evaluations_axis(x, logarithmic),
        "yaxis": {"automargin": True, **_level_range(np.asarray(shown, np.float64))},
        "annotations": notes,
        "shapes": marks,
        "uirevision": f"{title} {logarithmic}",
    }
    return figure(scheme, traces, layout)


def _known_marks(
    known: tuple[str, float], unit: str, shown: FloatArray, factor: float, scheme: Scheme
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the line of a known value with its words, or the words alone at the edge that it lies beyond."""
    tokens = TOKENS[scheme]
    low, high = span_of(shown)
    at = known[1] * factor
    words = f"{known[0]} {si(known[1], unit, 4)}"
    font = {"size": 11, "color": tokens.good}
    note: dict[str, Any] = {"text": words, "font": font, "xref": "paper"}
    reach = 0.0 if is_level(shown) else _FAR * (high - low)
    if not low - reach <= at <= high + reach:
        below = at < low
        edge = {"y": 0 if below else 1, "yref": "paper", "yanchor": "bottom" if below else "top"}
        right = {"x": 1, "xanchor": "right", "text": f"{words} {'↓' if below else '↑'}"}
        return [], [note | edge | right]
    line = {"color": tokens.good, "width": 1, "dash": "6px,3px"}
    rule = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": line, "layer": "below"}
    # At the left the curve is still far from it.
    left = {"x": 0, "xanchor": "left", "xshift": 4, "bgcolor": tokens.surface, "opacity": 0.9}
    return [rule], [note | left | {"y": at, "yanchor": "bottom" if at <= low else "top"}]


def _level_range(shown: FloatArray) -> dict[str, Any]:
    """Return the ends of the axis of a value that never changed, in whose middle it stands; any other axis finds its own."""
    if not is_level(shown) or not np.isfinite(shown).any():
        return {}
    return {"range": list(span_of(shown))}


def _evaluations_axis(evaluations: FloatArray, logarithmic: bool) -> dict[str, Any]:
    title = {"title": {"text": "Evaluations"}}
    if not logarithmic:
        return title | {"rangemode": "tozero"}
    last = float(evaluations.max(initial=1.0))
    ends = [0.0, math.log10(last) * 1.02 + 0.02] if last > 1 else list(_ONE_EVALUATION)
    return title | {"type": "log", "range": ends, "dtick": 1, "tickformat": ",.0f"}
