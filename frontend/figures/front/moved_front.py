"""The stored front as ghosts, and the same designs where the hardware's figures are moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.quantities import Quantity
from frontend.figures.drawing import Entry, plain_figure
from frontend.figures.numbers import scale_of
from frontend.theme import TOKENS, Scheme

HEIGHT_PX = 380


@dataclass(frozen=True)
class GhostFront:
    """Designs of a front by two quantities.

    Attributes:
        x, y: quantities of the axes.
        numbers: numbers of the designs.
        stored: name of a quantity -> values as stored, shape of `numbers`.
        moved: the same on the moved hardware, NaN where a design cannot be run there; None before anything is moved.
        selected: number of the selected design, its stored figures and where they are moved to.
        factors: name of a quantity -> factor, up or down, within which its estimates are expected.
    """

    x: Quantity
    y: Quantity
    numbers: Sequence[int]
    stored: Mapping[str, FloatArray]
    moved: Mapping[str, FloatArray] | None
    selected: tuple[int, Mapping[str, float], Mapping[str, float]] | None
    factors: Mapping[str, float]


def moved_front_figure(front: GhostFront, scheme: Scheme) -> dict[str, Any]:
    """Return the picture; the selected design's bar is what its estimate may be off by."""
    tokens = TOKENS[scheme]
    shown = [front.stored, *([] if front.moved is None else [front.moved])]
    scales = {
        each.name: scale_of(np.concatenate([columns[each.name] for columns in shown]), each.unit)
        for each in (front.x, front.y)
    }
    factor = {name: scale.factor for name, scale in scales.items()}
    names = [f"Design {number:04d}" for number in front.numbers]
    ring = {"symbol": "circle-open", "size": 7, "color": tokens.text3, "line": {"width": 1}}
    traces = [_points(front, front.stored, factor, names, ring, "as stored")]
    if front.moved is not None:
        disc = {"symbol": "circle", "size": 7, "color": tokens.accent}
        traces.append(_points(front, front.moved, factor, names, disc, "moved"))
    if front.selected is not None:
        traces.append(_selected(front, factor, scheme))
    both = (("xaxis", front.x), ("yaxis", front.y))
    titles = {axis: _axis_title(each, scales[each.name].unit) for axis, each in both}
    layout: Entry = {
        "height": HEIGHT_PX, "margin": {"l": 60, "r": 16, "t": 30, "b": 46}, "showlegend": False, "uirevision": "what-if",
        "xaxis": {"title": {"text": titles["xaxis"]}}, "annotations": [_above(titles["yaxis"], tokens.text2)],
    }  # fmt: skip
    return plain_figure(scheme, traces, layout)


def _points(
    front: GhostFront,
    columns: Mapping[str, FloatArray],
    factor: Mapping[str, float],
    names: list[str],
    marker: Entry,
    words: str,
) -> Entry:
    return {
        "type": "scatter", "mode": "markers", "name": words, "marker": marker, "text": names,
        "x": np.asarray(columns[front.x.name]) * factor[front.x.name],
        "y": np.asarray(columns[front.y.name]) * factor[front.y.name],
        "hovertemplate": f"<b>%{{text}}</b>, {words}<br>%{{x:.4~r}} · %{{y:.4~r}}<extra></extra>",
    }  # fmt: skip


def _selected(front: GhostFront, factor: Mapping[str, float], scheme: Scheme) -> Entry:
    """Return the line from the stored design to the one on changed hardware, with its error band."""
    assert front.selected is not None
    tokens, (number, stored, moved) = TOKENS[scheme], front.selected
    x, y = front.x.name, front.y.name
    trace: Entry = {
        "type": "scatter", "mode": "lines+markers", "name": f"Design {number:04d}",
        "x": [stored[x] * factor[x], moved[x] * factor[x]], "y": [stored[y] * factor[y], moved[y] * factor[y]],
        "line": {"color": tokens.text, "width": 1, "dash": "dot"},
        "marker": {"size": [11, 12], "symbol": ["circle-open", "diamond"], "color": tokens.text, "line": {"width": 1.5}},
        "hovertemplate": f"<b>Design {number:04d}</b><br>%{{x:.4~r}} · %{{y:.4~r}}<extra></extra>",
    }  # fmt: skip
    for axis, name in (("x", x), ("y", y)):
        known = front.factors.get(name)
        if known is not None and known > 1:
            at = moved[name] * factor[name]
            trace[f"error_{axis}"] = {
                "type": "data", "symmetric": False, "array": [0, at * (known - 1)], "arrayminus": [0, at * (1 - 1 / known)],
                "color": tokens.text3, "thickness": 1, "width": 4,
            }  # fmt: skip
    return trace


def _above(title: str, colour: str) -> Entry:
    """Return the name of the upright axis, lying above it."""
    place: Entry = {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 6,
    }
    return place | {"text": title, "showarrow": False, "font": {"size": 11, "color": colour}}


def _axis_title(quantity: Quantity, unit: str) -> str:
    return f"{quantity.title} ({unit})" if unit else quantity.title
