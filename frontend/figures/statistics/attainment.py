"""Attainment of the runs of several groups: the median surface as a stepped line, the quartiles as a band around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.quantities import Quantity
from frontend.figures.drawing import Entry, plain_figure
from frontend.figures.lines import axis_name, extent_of
from frontend.figures.numbers import Scale, many, scale_of, si
from frontend.theme import RunStyle, Scheme

_MARGIN = {"l": 52, "r": 18, "t": 30, "b": 42}
_BEYOND = 0.08  # of the span, around what is drawn
_BAND_OPACITY = {"light": 0.16, "dark": 0.24}


@dataclass(frozen=True)
class AttainmentSide:
    """One group.

    Attributes:
        style: letter, colour, marker, dash.
        title: title of the group.
        best, median, worst: corners of the surfaces that a quarter, half and three quarters of the runs attain, `k x 2` in stored
            units, sorted from the best value of the first objective on; `0 x 2` where too few runs have designs.
        runs: number of runs.
    """

    style: RunStyle
    title: str
    best: FloatArray
    median: FloatArray
    worst: FloatArray
    runs: int


def attainment_figure(
    sides: Sequence[AttainmentSide], x: Quantity, y: Quantity, scheme: Scheme, *, height_px: float = 300
) -> Entry:
    """Return the surfaces of all groups over two objectives, as plain mappings; an empty plot where there is nothing to draw."""
    drawn = [side for side in sides if len(side.best)]
    corners = [surface for side in drawn for surface in (side.best, side.median, side.worst) if len(surface)]
    together = np.concatenate(corners) if corners else np.array([[0.0, 0.0], [1.0, 1.0]])
    spans = [_span(together[:, axis]) for axis in (0, 1)]
    scales = [scale_of(span, quantity.unit) for span, quantity in zip(spans, (x, y), strict=True)]
    # The end of the picture on the worse side: surfaces go on to there.
    corner = np.array([_worst(span, q) for span, q in zip(spans, (x, y), strict=True)])
    traces = [_band(side, corner, scales, scheme) for side in drawn]
    for side in drawn:
        traces += _median(side, corner, scales, (x, y), scheme)
    layout = {
        "height": height_px,
        "margin": _MARGIN,
        "uirevision": f"{x.name} {y.name}",
        "xaxis": {"range": _shown(spans[0], scales[0]), "title": {"text": _name(x, scales[0])}, "nticks": 8},
        "yaxis": {"range": _shown(spans[1], scales[1]), "nticks": 6},
        "annotations": [axis_name(y.title, scales[1].unit, scheme)],
        "hoverdistance": 12,
    }
    return plain_figure(scheme, traces, layout)


def attainment_sentence(sides: Sequence[AttainmentSide], x: Quantity, y: Quantity) -> str:
    """Return the text for those who do not see the picture: where each median surface begins and ends."""
    parts = []
    for side in sides:
        name = f"{side.style.letter} {side.title}".strip()
        if not len(side.median):
            parts.append(f"{name}: fewer than half of {many(side.runs, 'run')} found a design")
            continue
        ends = [f"{si(a, x.unit)} with {si(b, y.unit)}" for a, b in side.median[[0, -1]]]
        parts.append(f"{name}: from {ends[0]} to {ends[1]}")
    return f"Half of the runs attain this curve, {x.title.lower()} and {y.title.lower()}. " + "; ".join(parts) + "."


def _span(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = _BEYOND * extent_of(low, high)
    return low - margin, high + margin


def _worst(span: tuple[float, float], quantity: Quantity) -> float:
    return span[0] if quantity.sense == "maximise" else span[1]


def _shown(span: tuple[float, float], scale: Scale) -> list[float]:
    return [span[0] * scale.factor, span[1] * scale.factor]


def _name(quantity: Quantity, scale: Scale) -> str:
    return quantity.title + (f" ({scale.unit})" if scale.unit else "")


def _path(surface: FloatArray, corner: FloatArray) -> FloatArray:
    """Return the surface as a stepped line from one end of the picture to the other; the corner alone where there is none."""
    if not len(surface):
        return corner.reshape(1, 2)
    first, last = np.array([surface[0, 0], corner[1]]), np.array([corner[0], surface[-1, 1]])
    # From each corner of the surface straight to the next one's x, then to its y.
    bends = np.column_stack([surface[1:, 0], surface[:-1, 1]])
    stepped = np.empty((2 * len(surface) - 1, 2))
    stepped[0::2], stepped[1::2] = surface, bends
    return np.vstack([first, stepped, last])


def _band(side: AttainmentSide, corner: FloatArray, scales: Sequence[Scale], scheme: Scheme) -> Entry:
    edge = np.vstack([_path(side.best, corner), _path(side.worst, corner)[::-1]])
    return {
        "type": "scatter",
        "mode": "lines",
        "x": edge[:, 0] * scales[0].factor,
        "y": edge[:, 1] * scales[1].factor,
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": side.style.colour[scheme],
        "opacity": _BAND_OPACITY[scheme],
        "hoverinfo": "skip",
        "name": f"{side.style.letter} quartiles",
    }


def _median(
    side: AttainmentSide, corner: FloatArray, scales: Sequence[Scale], axes: tuple[Quantity, Quantity], scheme: Scheme
) -> list[Entry]:
    if not len(side.median):
        return []
    colour, style = side.style.colour[scheme], side.style
    path = _path(side.median, corner) * [scale.factor for scale in scales]
    points = side.median * [scale.factor for scale in scales]
    line = {"color": colour, "width": 1.8, "dash": style.dash}
    marker = {"size": 5, "symbol": style.symbol, "color": colour}
    words = (
        f"<b>{style.letter} {side.title}</b><br>half of the runs attain<br>{axes[0].title} %{{x:.4~r}}\u00a0{scales[0].unit}<br>"
        f"{axes[1].title} %{{y:.4~r}}\u00a0{scales[1].unit}<extra></extra>"
    )
    base: Entry = {"type": "scatter", "name": f"{style.letter} median"}
    return [
        base | {"mode": "lines", "x": path[:, 0], "y": path[:, 1], "line": line, "hoverinfo": "skip"},
        base | {"mode": "markers", "x": points[:, 0], "y": points[:, 1], "marker": marker, "hovertemplate": words},
    ]
