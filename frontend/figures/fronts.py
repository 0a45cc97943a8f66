"""The fronts of several runs over the same two quantities, each with its letter, marker and dash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.quantities import Quantity
from frontend.figures.drawing import Box, Entry, plain_figure
from frontend.figures.front import Cloud
from frontend.figures.labels import Mark, place
from frontend.figures.numbers import Scale, scale_of, si
from frontend.theme import TOKENS, RunStyle, Scheme

_WEBGL_FROM = 2000  # points of a cloud, from which on the graphics card draws them
# Beyond three runs the clouds of dominated designs go, and only fronts stay.
MOST_CLOUDS = 3
_MOST_CROWD = 200
_MARGIN = {"l": 52, "r": 18, "t": 30, "b": 42}


@dataclass(frozen=True)
class FrontSide:
    """One run of the picture: its designs, its looks, and the number of the design looked at (None: none)."""

    cloud: Cloud
    style: RunStyle
    selected: int | None = None


def fronts_figure(
    sides: Sequence[FrontSide],
    scheme: Scheme,
    *,
    width_px: float = 640,
    height_px: float = 300,
    reference: tuple[float, float] | None = None,
) -> Entry:
    """The fronts, their designs behind them, the selected designs and the reference point, as plain mappings.

    Args:
        sides: at least one; all over the same quantities, of the same units.
        scheme: light or dark.
        width_px: width, which placing words needs.
        height_px: height.
        reference: the hypervolumes' common reference point over the two axes, in stored units; named, not drawn, for it lies
            outside of what is shown.
    """
    x, y = sides[0].cloud.x, sides[0].cloud.y
    spans = [_span([_axis(side, axis) for side in sides]) for axis in ("x", "y")]
    scales = [scale_of(span, quantity.unit) for span, quantity in zip(spans, (x, y), strict=True)]
    traces: list[Entry] = []
    for side in sides:
        traces += _side_traces(side, scheme, scales, clouds=len(sides) <= MOST_CLOUDS)
    chosen = _chosen(sides, scheme, scales, spans, (width_px, height_px), reference)
    traces += chosen.traces
    layout = {
        "height": height_px,
        "margin": _MARGIN,
        "uirevision": f"{x.name} {y.name}",
        "xaxis": {"range": _shown(spans[0], scales[0]), "title": {"text": _name(x, scales[0])}, "nticks": 8},
        "yaxis": {"range": _shown(spans[1], scales[1]), "nticks": 6},
        "annotations": list(chosen.annotations),
        "hoverdistance": 12,
    }
    return plain_figure(scheme, traces, layout)


@dataclass(frozen=True)
class Chosen:
    """What changes where other designs are looked at.

    Attributes:
        first: index of the first of `traces` among those of the figure; they are its last ones.
        traces: one per side, empty where the side has no design looked at.
        annotations: all of the figure.
    """

    first: int
    traces: Sequence[Entry]
    annotations: Sequence[Entry]


def chosen_designs(
    sides: Sequence[FrontSide],
    scheme: Scheme,
    *,
    width_px: float = 640,
    height_px: float = 300,
    reference: tuple[float, float] | None = None,
) -> Chosen:
    """The parts of `fronts_figure` that follow the designs looked at, without its clouds and fronts."""
    spans = [_span([_axis(side, axis) for side in sides]) for axis in ("x", "y")]
    axes = (sides[0].cloud.x, sides[0].cloud.y)
    scales = [scale_of(span, quantity.unit) for span, quantity in zip(spans, axes, strict=True)]
    return _chosen(sides, scheme, scales, spans, (width_px, height_px), reference)


def _chosen(
    sides: Sequence[FrontSide],
    scheme: Scheme,
    scales: Sequence[Scale],
    spans: Sequence[tuple[float, float]],
    size_px: tuple[float, float],
    reference: tuple[float, float] | None,
) -> Chosen:
    axes = (sides[0].cloud.x, sides[0].cloud.y)
    area = Box(0, 0, max(60.0, size_px[0] - 70), max(60.0, size_px[1] - 72))
    notes = _letters(sides, scheme, scales, spans, area)
    notes += [_y_name(axes[1], scales[1], scheme), *_reference_words(reference, axes, scheme)]
    clouds = len(sides) <= MOST_CLOUDS
    first = sum(_shows_cloud(side, clouds) + (len(side.cloud.front) > 0) for side in sides)
    return Chosen(first, _selected_traces(sides, scheme, scales), notes)


def _shows_cloud(side: FrontSide, clouds: bool) -> bool:
    return clouds and len(side.cloud.searched) > len(side.cloud.front)


def _axis(side: FrontSide, axis: str) -> npt.NDArray[np.float64]:
    """The values that the axis has to show of one run: its front and the bulk of its designs."""
    cloud = side.cloud
    values = cloud.x_values if axis == "x" else cloud.y_values
    own = values[cloud.searched]
    if not len(own):
        return own
    middle = own[(own >= np.quantile(own, 0.01)) & (own <= np.quantile(own, 0.6))]
    return np.concatenate([values[cloud.front], middle])


def _span(values: Sequence[npt.NDArray[np.float64]]) -> tuple[float, float]:
    together = np.concatenate(values)
    if not len(together):
        return 0.0, 1.0
    low, high = float(together.min()), float(together.max())
    margin = 0.08 * ((high - low) or abs(high) or 1.0)
    return low - margin, high + margin


def _shown(span: tuple[float, float], scale: Scale) -> list[float]:
    return [span[0] * scale.factor, span[1] * scale.factor]


def _name(quantity: Quantity, scale: Scale) -> str:
    return quantity.title + (f" ({scale.unit})" if scale.unit else "")


def _y_name(quantity: Quantity, scale: Scale, scheme: Scheme) -> Entry:
    corner: Entry = {"x": 0, "xref": "paper", "y": 1, "yref": "paper", "xanchor": "left", "xshift": -44}
    words = {"text": _name(quantity, scale), "yanchor": "middle", "yshift": 15}
    return corner | words | {"font": {"size": 12, "color": TOKENS[scheme].text2}}


def _reference_words(
    reference: tuple[float, float] | None, axes: tuple[Quantity, Quantity], scheme: Scheme
) -> list[Entry]:
    if reference is None:
        return []
    words = ", ".join(si(value, axis.unit) for value, axis in zip(reference, axes, strict=True))
    where: Entry = {"x": 1, "xref": "paper", "y": 1, "yref": "paper", "xanchor": "right", "yanchor": "middle"}
    return [
        {"text": f"reference point {words}", **where, "yshift": 15, "font": {"size": 11, "color": TOKENS[scheme].text3}}
    ]


def _side_traces(side: FrontSide, scheme: Scheme, scales: Sequence[Scale], clouds: bool) -> list[Entry]:
    cloud, style, tokens = side.cloud, side.style, TOKENS[scheme]
    colour = style.colour[scheme]
    kind = "scattergl" if len(cloud.searched) > _WEBGL_FROM else "scatter"
    traces = []
    if _shows_cloud(side, clouds):
        behind = np.setdiff1d(cloud.searched, cloud.front)
        marker = {"size": 3, "color": colour, "opacity": 0.18 if scheme == "light" else 0.28}
        traces.append(
            _points(side, behind, scales) | {"type": kind, "marker": marker, "name": f"{style.letter} dominated"}
        )
    if len(cloud.front):
        ring = {"color": colour, "width": 1.2}
        marker = {"size": 6, "symbol": style.symbol, "color": tokens.surface, "line": ring}
        shape = "hv" if cloud.x.sense == "minimise" else "vh"
        line = {"color": colour, "width": 1.6, "dash": style.dash, "shape": shape}
        front = _points(side, cloud.front, scales) | {"type": "scatter", "mode": "lines+markers"}
        traces.append(front | {"marker": marker, "line": line, "name": f"{style.letter} front"})
    return traces


def _points(side: FrontSide, positions: npt.NDArray[np.int64], scales: Sequence[Scale]) -> Entry:
    cloud = side.cloud
    return {
        "mode": "markers",
        "x": (cloud.x_values[positions] * scales[0].factor).astype(np.float32),
        "y": (cloud.y_values[positions] * scales[1].factor).astype(np.float32),
        "customdata": [f"{side.style.letter} {number}" for number in cloud.numbers[positions].tolist()],
        "hovertemplate": (
            f"<b>%{{customdata}}</b><br>{cloud.x.title} %{{x:.4~r}}\u00a0{scales[0].unit}<br>"
            f"{cloud.y.title} %{{y:.4~r}}\u00a0{scales[1].unit}<extra></extra>"
        ),
    }


def _position(side: FrontSide) -> int | None:
    """Position of the selected design in the cloud; None where it has none or no finite values."""
    if side.selected is None:
        return None
    found = np.flatnonzero(side.cloud.numbers == side.selected)
    if not len(found):
        return None
    at = int(found[0])
    finite = np.isfinite(side.cloud.x_values[at]) and np.isfinite(side.cloud.y_values[at])
    return at if finite else None


def _selected_traces(sides: Sequence[FrontSide], scheme: Scheme, scales: Sequence[Scale]) -> list[Entry]:
    traces = []
    for side in sides:
        at = _position(side)
        shown = np.empty(0, dtype=np.int64) if at is None else np.array([at])
        marker = {"size": 10, "symbol": side.style.symbol, "color": side.style.colour[scheme]}
        trace = _points(side, shown, scales) | {"type": "scatter", "marker": marker}
        traces.append(trace | {"name": f"{side.style.letter} selected"})
    return traces


def _letters(
    sides: Sequence[FrontSide],
    scheme: Scheme,
    scales: Sequence[Scale],
    spans: Sequence[tuple[float, float]],
    area: Box,
) -> list[Entry]:
    """The letter of each run beside its selected design, where it covers nothing."""
    shown = [(side, at) for side in sides if (at := _position(side)) is not None]
    crowd = [
        _pixel(float(side.cloud.x_values[at]), float(side.cloud.y_values[at]), spans, area)
        for side in sides
        for at in side.cloud.front[:_MOST_CROWD]
    ]
    marks = []
    for side, at in shown:
        left, top = _pixel(float(side.cloud.x_values[at]), float(side.cloud.y_values[at]), spans, area)
        marks.append(Mark(left, top, f"<b>{side.style.letter}</b>", 8.0))
    notes = []
    placed = place(marks, area, np.asarray(crowd, np.float64).reshape(-1, 2), 12)
    for (side, at), mark, where in zip(shown, marks, placed, strict=True):
        note: Entry = {
            "text": mark.text,
            "x": float(side.cloud.x_values[at]) * scales[0].factor,
            "y": float(side.cloud.y_values[at]) * scales[1].factor,
            "xanchor": where.x_anchor,
            "yanchor": "middle",
            "xshift": where.x_shift,
            "yshift": where.y_shift,
            "font": {"size": 12, "color": side.style.colour[scheme]},
            "bgcolor": TOKENS[scheme].surface,
            "borderpad": 1,
        }
        notes.append(note)
    return notes


def _pixel(x: float, y: float, spans: Sequence[tuple[float, float]], area: Box) -> tuple[float, float]:
    (x0, x1), (y0, y1) = spans
    return (x - x0) / (x1 - x0) * area.width, (y1 - y) / (y1 - y0) * area.height
