"""Published and computed values on curves: a panel per curve, of the same scales."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite, log10
from typing import Any

import plotly.graph_objects as go

from engines.reproduction.comparisons import Along, ValueComparison
from frontend.figures.drawing import figure
from frontend.figures.numbers import significant
from frontend.theme import TOKENS, Scheme, Tokens

_PANEL_PX, _TOP_PX, _BOTTOM_PX, _BETWEEN_PX = 210, 34, 44, 60
_COLUMNS, _GUTTER = 2, 0.1
_WIDE = 10.0  # largest value over the least from which on the values' axis is logarithmic
_HOVER = (
    "<b>%{customdata[0]}</b><br>published %{customdata[1]}<br>computed %{customdata[2]}<br>computed over "
    "published %{customdata[3]}<extra></extra>"
)

Point = tuple[Along, ValueComparison]


def is_curves(found: Sequence[ValueComparison]) -> bool:
    """Return whether all of a heading stand on curves of two points or more."""
    return len(found) > 1 and all(each.first.along is not None for each in found)


def curves_figure(found: Sequence[ValueComparison], scheme: Scheme) -> go.Figure:
    """Draw a diamond for the published value and a disc on a line for the computed one under the first reading.

    Args:
        found: comparisons of one published table, each with its place on a curve.
        scheme: light or dark.
    """
    tokens = TOKENS[scheme]
    curves: dict[str, list[Point]] = {}
    for each in found:
        if each.first.along is not None:
            curves.setdefault(each.first.along.curve, []).append((each.first.along, each))
    columns = min(_COLUMNS, len(curves))
    rows = ceil(len(curves) / columns)
    height = _TOP_PX + rows * _PANEL_PX + (rows - 1) * _BETWEEN_PX + _BOTTOM_PX
    traces: list[dict[str, Any]] = []
    margin = {"l": 52, "r": 14, "t": 0, "b": 0}
    layout: dict[str, Any] = {"height": height, "margin": margin, "hovermode": "closest", "annotations": []}
    shared = _shared(found)
    for number, (title, points) in enumerate(curves.items()):
        row, column = divmod(number, columns)
        top = 1 - (_TOP_PX + row * (_PANEL_PX + _BETWEEN_PX)) / height
        suffix = str(number + 1) if number else ""
        wide = (1 - _GUTTER * (columns - 1)) / columns
        left = column * (wide + _GUTTER)
        under = row == rows - 1 or number + columns >= len(curves)
        layout[f"xaxis{suffix}"] = shared["x"] | {
            "domain": [left, left + wide], "anchor": f"y{suffix}", "fixedrange": True,
            "title": {"text": points[0][0].title if under else "", "standoff": 6},
        }  # fmt: skip
        layout[f"yaxis{suffix}"] = shared["y"] | {
            "domain": [top - _PANEL_PX / height, top], "anchor": f"x{suffix}", "fixedrange": True,
        }  # fmt: skip
        layout["annotations"].append(
            {
                "text": title or points[0][0].title_y, "showarrow": False, "font": {"size": 12, "color": tokens.text2},
                "xref": "paper", "x": left, "xanchor": "left", "yref": "paper", "y": top, "yanchor": "bottom", "yshift": 6,
                "xshift": -40,
            }
        )  # fmt: skip
        traces += _marks(suffix, points, tokens)
    return figure(scheme, traces, layout)


def _shared(found: Sequence[ValueComparison]) -> dict[str, dict[str, Any]]:
    """Return the ranges that hold every value of every curve."""
    x = [each.first.along.x for each in found if each.first.along is not None]
    y = [value for each in found for value in (each.first.published, each.first.ours) if isfinite(value)]
    low, high = min(y, default=0.0), max(y, default=1.0)
    room = 0.04 * (max(x) - min(x))
    across = {"range": [min(x) - room, max(x) + room], "nticks": 6}
    if low > 0 and high / low > _WIDE:
        return {"x": across, "y": {"type": "log", "range": [log10(low / 1.15), log10(high * 1.15)], "dtick": "D2"}}
    return {"x": across, "y": {"range": [min(0.0, low), 1.08 * high], "nticks": 5}}


def _marks(suffix: str, points: Sequence[Point], tokens: Tokens) -> list[dict[str, Any]]:
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "type": "scatter"}
    points = sorted(points, key=lambda point: point[0].x)
    shown = {
        **axes, "x": [along.x for along, _ in points], "customdata": [_words(each) for _, each in points],
        "hovertemplate": _HOVER,
    }  # fmt: skip
    ours = {
        "mode": "lines+markers", "y": [each.first.ours if isfinite(each.first.ours) else None for _, each in points],
        "line": {"width": 1.4, "color": tokens.accent}, "marker": {"symbol": "circle", "size": 6, "color": tokens.accent},
    }  # fmt: skip
    published = {
        "mode": "markers", "y": [each.first.published for _, each in points],
        "marker": {"symbol": "diamond-open", "size": 10, "color": tokens.text, "line": {"width": 1.6, "color": tokens.text}},
    }  # fmt: skip
    return [shown | ours, shown | published]


def _words(each: ValueComparison) -> list[str]:
    row = each.first
    ours = f"{significant(row.ours)} {row.unit}" if isfinite(row.ours) else "no number"
    ratio = f"{significant(row.ratio)} ×" if isfinite(row.ratio) else "–"
    return [row.name, f"{significant(row.published)} {row.unit}", ours, ratio]
