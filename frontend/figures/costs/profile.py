"""A breakdown with too many bars to lie down: standing side by side, as a profile over layers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Breakdown
from frontend.figures.drawing import Entry, figure, text_width
from frontend.figures.numbers import scale_of
from frontend.theme import TOKENS, Scheme, mix

MOST_LYING_BARS = 24
PROFILE_PX = 250
KEY_LINE_PX = 19.0
_SWATCH_PX = 11.0
_MOST_GROUPS = 16
_LEFT_PX, _RIGHT_PX = 56.0, 18.0
_OVER_PX, _APART_PX = 12, 5  # of words below the axis
# "BERT-L 12 (C3)": bars of one group differ by the number at the end and by where they are.
_OWN = re.compile(r"\s+\d+(\s*\([^)]*\))?$")


@dataclass(frozen=True)
class Key:
    """The key to the fills of parts: shapes, annotations, and their height."""

    shapes: list[Entry]
    notes: list[Entry]
    height_px: float


def part_fills(count: int, scheme: Scheme) -> list[str]:
    """Return the colours of parts: shares of a quantity, neither models nor runs.

    Greys of the load ramp, distinguished by order and edge.
    """
    tokens = TOKENS[scheme]
    return [mix(tokens.load_low, tokens.load_high, position / max(1, count - 1) * 0.8) for position in range(count)]


def key_of_parts(parts: Sequence[str], scheme: Scheme, width_px: float) -> Key:
    """Return the swatches and names of parts in lines above the plot, from its left edge on; none for a single part.

    Drawn here, for plotly's legend sets entries in columns of the widest as soon as one line is too short.
    """
    if len(parts) < 2:
        return Key([], [], 0)
    tokens, fills = TOKENS[scheme], part_fills(len(parts), scheme)
    places, left, line = [], 0.0, 0
    for part in parts:
        wide = _SWATCH_PX + 5 + text_width(part, 11) + 14
        if left and left + wide - 14 > width_px:
            left, line = 0.0, line + 1
        places.append((left, line))
        left += wide
    shapes: list[Entry] = []
    notes: list[Entry] = []
    for part, fill, (at, row) in zip(parts, fills, places, strict=True):
        low = 6 + KEY_LINE_PX * (line - row)
        box: Entry = {"type": "rect", "xref": "paper", "yref": "paper", "xsizemode": "pixel", "ysizemode": "pixel"}
        box |= {"xanchor": 0, "yanchor": 1, "x0": at, "x1": at + _SWATCH_PX, "y0": low, "y1": low + _SWATCH_PX}
        shapes.append(box | {"fillcolor": fill, "line": {"color": tokens.text3, "width": 1}})
        note: Entry = {"text": part, "x": 0, "xref": "paper", "xanchor": "left", "xshift": at + _SWATCH_PX + 3, "y": 1}
        note |= {"yref": "paper", "yanchor": "middle", "yshift": low + _SWATCH_PX / 2}
        notes.append(note | {"font": {"size": 11, "color": tokens.text2}})
    return Key(shapes, notes, 4 + KEY_LINE_PX * (line + 1))


def profile_figure(
    breakdown: Breakdown,
    scheme: Scheme,
    *,
    height_px: float = PROFILE_PX,
    width_px: float = 560,
    named: bool = True,
) -> go.Figure:
    """Return the parts stacked over entries in their order, without gaps; groups of entries are named below the axis.

    Args:
        breakdown: its bars in their order.
        scheme: light or dark.
        height_px: height.
        width_px: width that it will have, on which the lines of the key and the names of groups depend.
        named: whether the axis says what it shows; else the unit alone, where that stands above the picture.
    """
    tokens = TOKENS[scheme]
    values = np.asarray(breakdown.values, np.float64)
    scale = scale_of(values.sum(axis=1), breakdown.unit)
    groups = _groups(breakdown.bars, width_px - _LEFT_PX - _RIGHT_PX)
    key = key_of_parts(breakdown.parts, scheme, width_px - _LEFT_PX - _RIGHT_PX)
    # Without a name the unit stands beside the key's first line, left of the plot.
    above = key.height_px + 13 if named else max(0.0, key.height_px - KEY_LINE_PX) + 11
    layout: Entry = {
        "height": height_px,
        "margin": {"l": _LEFT_PX, "r": _RIGHT_PX, "t": above + 15, "b": 30 if groups or not named else 46},
        "hovermode": "closest",
        "xaxis": {
            "range": [0.5, len(breakdown.bars) + 0.5],
            "showgrid": False,
            "title": {"text": "" if groups or not named else "In order"},
        },
        "yaxis": {"rangemode": "tozero", "nticks": 5},
        "annotations": [_axis_name(breakdown.title if named else "", scale.unit, above, tokens.text2), *key.notes],
        "shapes": key.shapes,
        "uirevision": breakdown.name,
    }
    if groups:
        layout["xaxis"] |= _group_ticks(groups)
        layout["shapes"] = [*key.shapes, *_group_rules(groups, tokens.border)]
    return figure(scheme, _areas(breakdown, values * scale.factor, scale.unit, scheme), layout)


def _areas(breakdown: Breakdown, shown: Any, unit: str, scheme: Scheme) -> list[Entry]:
    """Return one area per part: a bar per layer and part would be thousands of elements for the browser."""
    count = len(breakdown.bars)
    x = np.concatenate([[0.5], np.arange(1, count + 1), [count + 0.5]])
    names = [breakdown.bars[0], *breakdown.bars, breakdown.bars[-1]]
    fills = part_fills(len(breakdown.parts), scheme)
    areas: list[Entry] = []
    for position, part in enumerate(breakdown.parts):
        y = shown[:, position].astype(np.float32)
        areas.append(
            {
                "type": "scatter",
                "mode": "lines",
                "stackgroup": "parts",
                "x": x,
                "y": np.concatenate([y[:1], y, y[-1:]]),
                "name": part,
                "line": {"shape": "hvh", "width": 0.5, "color": TOKENS[scheme].text3},
                "fillcolor": fills[position],
                "customdata": names,
                "hovertemplate": f"<b>%{{customdata}}</b><br>{part} %{{y:.4~r}}\u00a0{unit}<extra></extra>",
            }
        )
    return areas


def _group_ticks(groups: Sequence[tuple[str, int, int]]) -> Entry:
    middles = [first + (count - 1) / 2 for _, first, count in groups]
    return {"tickvals": middles, "ticktext": [words for words, _, _ in groups], "ticks": "", "tickangle": 0}


def _group_rules(groups: Sequence[tuple[str, int, int]], colour: str) -> list[Entry]:
    rule = {"type": "line", "y0": 0, "y1": 1, "yref": "paper", "line": {"color": colour, "width": 1}, "layer": "below"}
    return [rule | {"x0": first - 0.5, "x1": first - 0.5} for _, first, _ in groups[1:]]


def _axis_name(title: str, unit: str, above_px: float, colour: str) -> Entry:
    """Return the place above the legend, from the left edge of the picture."""
    text = f"{title} ({unit})" if title and unit else title or unit
    font = {"size": 12, "color": colour}
    place = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": -48, "y": 1, "yref": "paper", "yanchor": "middle"}
    return {"text": text, "font": font, "yshift": above_px} | place


def _groups(bars: tuple[str, ...], width_px: float) -> list[tuple[str, int, int]]:
    """Return (words, first number, count) of bars in a row that are of one group; none where there are too many."""
    found, at = [], 1
    for words, members in groupby(bars, key=lambda bar: _OWN.sub("", bar)):
        count = len(list(members))
        found.append((words, at, count))
        at += count
    if len(found) > _MOST_GROUPS:
        return []
    # A word may be a little wider than its bars, but not run into the one before.
    room, free_from, named = width_px / max(1, len(bars)), -np.inf, []
    for words, first, count in found:
        wide, middle = text_width(words, 11), (first - 1 + count / 2) * room
        fits = wide < room * count + _OVER_PX and middle - wide / 2 >= free_from
        named.append((words if fits else "", first, count))
        free_from = middle + wide / 2 + _APART_PX if fits else free_from
    return named
