"""A breakdown with too many bars to lie down: standing side by side, as a profile over layers."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.results import Breakdown
from frontend.figures.drawing import figure, text_width
from frontend.figures.numbers import scale_of
from frontend.theme import TOKENS, Scheme, mix

Entry = dict[str, Any]
MOST_LYING_BARS = 24
PROFILE_PX = 250
_MOST_GROUPS = 16
# "BERT-L 12 (C3)": bars of one group differ by the number at the end and by where they are.
_OWN = re.compile(r"\s+\d+(\s*\([^)]*\))?$")


def part_fills(count: int, scheme: Scheme) -> list[str]:
    """Colours of parts: shares of a quantity, neither models nor runs; greys of the load ramp, told apart by order and edge."""
    tokens = TOKENS[scheme]
    return [mix(tokens.load_low, tokens.load_high, position / max(1, count - 1) * 0.8) for position in range(count)]


def profile_figure(breakdown: Breakdown, scheme: Scheme, *, height_px: float = PROFILE_PX) -> go.Figure:
    """Parts stacked over entries in their order, without gaps; groups of entries are named below the axis."""
    tokens = TOKENS[scheme]
    values = np.asarray(breakdown.values, np.float64)
    scale = scale_of(values.sum(axis=1), breakdown.unit)
    numbers = np.arange(1, len(breakdown.bars) + 1)
    # One area per part: a bar per layer and part would be thousands of elements for the browser.
    x = np.concatenate([[0.5], numbers, [len(numbers) + 0.5]])
    names = [breakdown.bars[0], *breakdown.bars, breakdown.bars[-1]]
    traces: list[Entry] = []
    for position, (part, fill) in enumerate(
        zip(breakdown.parts, part_fills(len(breakdown.parts), scheme), strict=True)
    ):
        y = (values[:, position] * scale.factor).astype(np.float32)
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "stackgroup": "parts",
                "x": x,
                "y": np.concatenate([y[:1], y, y[-1:]]),
                "name": part,
                "line": {"shape": "hvh", "width": 0.5, "color": tokens.text3},
                "fillcolor": fill,
                "customdata": names,
                "hovertemplate": f"<b>%{{customdata}}</b><br>{part} %{{y:.4~r}}\u00a0{scale.unit}<extra></extra>",
            }
        )
    groups = _groups(breakdown.bars)
    unit = f" ({scale.unit})" if scale.unit else ""
    name: Entry = {"text": breakdown.title + unit, "font": {"size": 12, "color": tokens.text2}}
    name |= {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "xshift": -48,
        "y": 1,
        "yref": "paper",
        "yanchor": "middle",
        "yshift": 33,
    }
    layout: Entry = {
        "height": height_px,
        "margin": {"l": 56, "r": 18, "t": 48, "b": 46},
        "hovermode": "closest",
        "showlegend": len(breakdown.parts) > 1,
        "legend": {"traceorder": "normal", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
        "xaxis": {
            "range": [0.5, len(numbers) + 0.5],
            "showgrid": False,
            "title": {"text": "" if groups else "In order"},
        },
        "yaxis": {"rangemode": "tozero", "nticks": 5},
        "annotations": [name],
        "uirevision": breakdown.name,
    }
    if groups:
        middles = [first + (count - 1) / 2 for _, first, count in groups]
        layout["xaxis"] |= {
            "tickvals": middles,
            "ticktext": [words for words, _, _ in groups],
            "ticks": "",
            "tickangle": 0,
        }
        edges = [first - 0.5 for _, first, _ in groups[1:]]
        rule = {"color": tokens.border, "width": 1}
        layout["shapes"] = [
            {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": rule, "layer": "below"}
            for at in edges
        ]
    return figure(scheme, traces, layout)


def _groups(bars: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """(words, first number, count) of bars in a row that are of one group; none where there are too many."""
    found, at = [], 1
    for words, members in groupby(bars, key=lambda bar: _OWN.sub("", bar)):
        count = len(list(members))
        found.append((words, at, count))
        at += count
    if len(found) > _MOST_GROUPS:
        return []
    # A word that is wider than its bars would run into the next one.
    room = 900 / max(1, len(bars))
    return [(words if text_width(words, 11) < room * count + 12 else "", first, count) for words, first, count in found]
