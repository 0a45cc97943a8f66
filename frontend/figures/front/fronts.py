"""The fronts of several runs over the same two quantities, each with its letter, marker and dash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engines.contract.fronts.non_dominated import rounded
from engines.contract.quantities import Quantity
from frontend.figures.drawing import Box, Entry, plain_figure
from frontend.figures.front.front import axis_layout, log_widened, on_axes, widened
from frontend.figures.front.front_baselines import AxisMark, baseline_marks, pinned_to_edge
from frontend.figures.front.front_marks import Frame
from frontend.figures.front.front_parts import Cloud
from frontend.figures.front.labels import Mark, place
from frontend.figures.numbers import Scale, scale_of, si
from frontend.theme import TOKENS, RunStyle, Scheme

_WEBGL_FROM = 2000  # points of a cloud, from which on the graphics card draws them
# Beyond three runs the clouds of dominated designs go, and only fronts stay.
MOST_CLOUDS = 3
_MOST_CROWD = 200
_MOST_RINGS = 20  # evenly spread: more would cover what they stand around
_RING_PX = 12  # of the marks of a front that equals another one
_MARGIN = {"l": 52, "r": 18, "t": 30, "b": 42}


@dataclass(frozen=True)
class FrontSide:
    """One run of the picture: its designs, its style, and the number of its selected design (None: none)."""

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
    log: str = "",
) -> Entry:
    """Return the fronts, their designs behind them, baselines, selected designs and the reference point, as plain mappings.

    What lies far beyond the fronts, a baseline or a selected design, is a triangle at the edge with its value.

    Args:
        sides: at least one; all over the same quantities, of the same units.
        scheme: light or dark.
        width_px: width, which placing words needs.
        height_px: height.
        reference: the hypervolumes' common reference point over the two axes, in stored units; named, not drawn, for it lies
            outside of what is shown.
        log: logarithmic axes among "x" and "y", which omit values that are not positive.
    """
    x, y = sides[0].cloud.x, sides[0].cloud.y
    frame = _frame(sides, scheme, (width_px, height_px), log)
    scales = (frame.x_scale, frame.y_scale)
    traces: list[Entry] = []
    equal = equal_fronts([side.cloud for side in sides])
    for at, side in enumerate(sides):
        traces += _side_traces(side, scheme, scales, clouds=len(sides) <= MOST_CLOUDS, ring=at in equal)
    traces += _baselines(sides).traces(frame)
    chosen = _chosen(sides, frame, len(traces), reference)
    traces += chosen.traces
    layout = {
        "height": height_px,
        "margin": _MARGIN,
        "uirevision": f"{x.name} {y.name} {log}",
        "xaxis": {**axis_layout(frame.x_range, frame.x_log), "title": {"text": _name(x, scales[0])}, "nticks": 8},
        "yaxis": {**axis_layout(frame.y_range, frame.y_log), "nticks": 6},
        "annotations": list(chosen.annotations),
        "hoverdistance": 12,
    }
    return plain_figure(scheme, traces, layout)


@dataclass(frozen=True)
class FrontSelection:
    """The changes of a figure when other designs are selected.

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
    log: str = "",
) -> FrontSelection:
    """Return the parts of `fronts_figure` that follow the designs looked at, without its clouds and fronts."""
    frame = _frame(sides, scheme, (width_px, height_px), log)
    clouds = len(sides) <= MOST_CLOUDS
    first = sum(_shows_cloud(side, clouds) + (len(side.cloud.front) > 0) for side in sides)
    return _chosen(sides, frame, first + len(_baselines(sides).traces(frame)), reference)


def _frame(sides: Sequence[FrontSide], scheme: Scheme, size_px: tuple[float, float], log: str) -> Frame:
    axes = (sides[0].cloud.x, sides[0].cloud.y)
    spans = [_span(sides, axis, axis in log) for axis in ("x", "y")]
    scales = [scale_of(span, quantity.unit) for span, quantity in zip(spans, axes, strict=True)]
    shown = [(low * scale.factor, high * scale.factor) for (low, high), scale in zip(spans, scales, strict=True)]
    area = Box(0, 0, max(60.0, size_px[0] - 70), max(60.0, size_px[1] - 72))
    logs = ("x" in log, "y" in log)
    return Frame(scheme, TOKENS[scheme], area, shown[0], shown[1], scales[0], scales[1], size_px[1], *logs)


def _chosen(
    sides: Sequence[FrontSide], frame: Frame, first: int, reference: tuple[float, float] | None
) -> FrontSelection:
    axes = (sides[0].cloud.x, sides[0].cloud.y)
    notes = _words(sides, frame)
    notes += [_y_name(axes[1], frame.y_scale, frame.scheme), *_reference_words(reference, axes, frame.scheme)]
    return FrontSelection(first, [_selected_trace(side, frame) for side in sides], notes)


@dataclass(frozen=True)
class _Baselines:
    """The baselines of all runs; `owners` has the letter and the number in that run of each, by its name."""

    cloud: Cloud
    owners: Mapping[str, str]

    def traces(self, frame: Frame) -> list[Entry]:
        """Return the diamonds and edge marks; a click on a diamond picks the design of the first run that has it."""
        traces, _ = baseline_marks(frame, self.cloud)
        for trace in traces:
            if "customdata" in trace:
                trace["customdata"] = [self.owners[text.partition("<br>")[0]] for text in trace["text"]]
        return traces

    def names(self, frame: Frame) -> list[Mark]:
        """Return their names, each at its mark or not at all: no line leads to it, it shows on approach."""
        return [replace(mark, near=True) for mark in baseline_marks(frame, self.cloud)[1]]


def _baselines(sides: Sequence[FrontSide]) -> _Baselines:
    """Return the baselines of several runs: shared ones once; others say whose they are."""
    found: dict[tuple[str, float, float], list[str]] = {}
    for side in sides:
        cloud = side.cloud
        for at in np.flatnonzero(cloud.baseline & np.isfinite(cloud.x_values) & np.isfinite(cloud.y_values)).tolist():
            name = cloud.labels[at] or f"Design {cloud.numbers[at]}"
            key = (name, float(cloud.x_values[at]), float(cloud.y_values[at]))
            found.setdefault(key, []).append(f"{side.style.letter} {cloud.numbers[at]}")
    names, hardware = [], {}
    known = {label: words for side in sides for label, words in side.cloud.hardware.items()}
    for (name, _, _), owners in found.items():
        letters = ", ".join(owner.partition(" ")[0] for owner in owners)
        names.append(name if len(owners) == len(sides) else f"{name} ({letters})")
        hardware[names[-1]] = known.get(name, "")
    x, y = (np.array([key[at] for key in found], np.float64) for at in (1, 2))
    every = np.ones(len(found), bool)
    cloud = Cloud(sides[0].cloud.x, sides[0].cloud.y, x, y, np.arange(len(found)), every, names, hardware=hardware)
    return _Baselines(cloud, {name: owners[0] for name, owners in zip(names, found.values(), strict=True)})


def _shows_cloud(side: FrontSide, clouds: bool) -> bool:
    return clouds and len(side.cloud.searched) > len(side.cloud.front)


def _axis(side: FrontSide, axis: str) -> npt.NDArray[np.float64]:
    """Return the values that the axis has to show of one run: its front and the bulk of its designs."""
    cloud = side.cloud
    values = cloud.x_values if axis == "x" else cloud.y_values
    own = values[cloud.searched]
    if not len(own):
        return own
    middle = own[(own >= np.quantile(own, 0.01)) & (own <= np.quantile(own, 0.6))]
    return np.concatenate([values[cloud.front], middle])


def _span(sides: Sequence[FrontSide], axis: str, log: bool) -> tuple[float, float]:
    """Return the range of an axis in stored units: fronts, the bulk of the designs, and near baselines."""
    together = np.concatenate([_axis(side, axis) for side in sides])
    named = _baselines(sides).cloud
    near = [float(value) for value in (named.x_values if axis == "x" else named.y_values)]
    if log:
        together, near = together[together > 0], [value for value in near if value > 0]
    widen = log_widened if log else widened
    if not len(together):
        return widen(min(near), max(near), []) if near else (0.1 if log else 0.0, 1.0)
    return widen(float(together.min()), float(together.max()), near)


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


def equal_fronts(clouds: Sequence[Cloud]) -> dict[int, int]:
    """Return position of a front that stands at the very points of an earlier one -> position of the first of these."""
    points = [
        np.unique(rounded(np.column_stack([cloud.x_values, cloud.y_values])[cloud.front]), axis=0) for cloud in clouds
    ]
    found: dict[int, int] = {}
    for at, own in enumerate(points):
        first = next((before for before in range(at) if len(own) and np.array_equal(points[before], own)), None)
        if first is not None:
            found[at] = first
    return found


def _side_traces(side: FrontSide, scheme: Scheme, scales: Sequence[Scale], *, clouds: bool, ring: bool) -> list[Entry]:
    """Return the designs of a run and its front; `ring`: around the marks of another front at the same points."""
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
        marker = {
            "size": _RING_PX if ring else 6,
            "symbol": f"{style.symbol}-open" if ring else style.symbol,
            "color": colour if ring else tokens.surface,
            "line": {"color": colour, "width": 1.2},
        } | ({"maxdisplayed": _MOST_RINGS} if ring else {})
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
    """Return the position of the selected design in the cloud; None where it has none or no finite values."""
    if side.selected is None:
        return None
    found = np.flatnonzero(side.cloud.numbers == side.selected)
    if not len(found):
        return None
    at = int(found[0])
    finite = np.isfinite(side.cloud.x_values[at]) and np.isfinite(side.cloud.y_values[at])
    return at if finite else None


def _beyond(side: FrontSide, frame: Frame) -> AxisMark | None:
    """Return the edge at which the selected design stands that lies beyond the axes."""
    at = _position(side)
    if at is None:
        return None
    x, y = float(side.cloud.x_values[at]), float(side.cloud.y_values[at])
    return pinned_to_edge(frame, x * frame.x_scale.factor, y * frame.y_scale.factor, f"<b>{side.style.letter}</b>")


def _selected_trace(side: FrontSide, frame: Frame) -> Entry:
    at, edge = _position(side), _beyond(side, frame)
    shown = np.empty(0, dtype=np.int64) if at is None else np.array([at])
    trace = _points(side, shown, (frame.x_scale, frame.y_scale))
    if edge is not None:
        words = edge.words.partition("</b> ")[2]
        trace |= {"x": [edge.x], "y": [edge.y], "hovertemplate": f"<b>%{{customdata}}</b> {words}<extra></extra>"}
    marker = {"size": 10, "symbol": side.style.symbol if edge is None else edge.symbol}
    marker["color"] = side.style.colour[frame.scheme]
    return trace | {"type": "scatter", "marker": marker, "cliponaxis": False, "name": f"{side.style.letter} selected"}


def _thinned(front: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return at most `_MOST_CROWD` designs, along the whole of a front."""
    if len(front) <= _MOST_CROWD:
        return front
    return front[np.linspace(0, len(front) - 1, _MOST_CROWD).astype(np.int64)]


def _words(sides: Sequence[FrontSide], frame: Frame) -> list[Entry]:
    """Return the letter of each run next to its selected design and the names of baselines, where they cover nothing."""
    wanted: list[tuple[Mark, str]] = []
    for side in sides:
        edge, at = _beyond(side, frame), _position(side)
        if edge is not None:
            wanted.append((Mark(*frame.pixel(edge.x, edge.y), edge.words, 8.0), side.style.colour[frame.scheme]))
        elif at is not None:
            x, y = frame.pixels(side.cloud.x_values[[at]], side.cloud.y_values[[at]])[0]
            wanted.append((Mark(x, y, f"<b>{side.style.letter}</b>", 8.0), side.style.colour[frame.scheme]))
    letters = len(wanted)
    wanted += [(mark, frame.tokens.text) for mark in _baselines(sides).names(frame)]
    fronts = [_thinned(side.cloud.front) for side in sides]
    crowd = [
        frame.pixels(side.cloud.x_values[front], side.cloud.y_values[front])
        for side, front in zip(sides, fronts, strict=True)
    ]
    points = np.concatenate(crowd)
    placed = place([mark for mark, _ in wanted], frame.area, points, 12, kept_free=points)
    notes = []
    for position, ((mark, colour), where) in enumerate(zip(wanted, placed, strict=True)):
        if position >= letters and not where.clear:
            continue
        x, y = frame.place(mark.x, mark.y)
        note: Entry = {"text": mark.text, "x": x, "y": y, "xanchor": where.x_anchor, "yanchor": "middle"}
        note |= {"xshift": where.x_shift, "yshift": where.y_shift}  # no plate behind it: that would hide designs
        notes.append(on_axes(frame, note) | {"font": {"size": 12 if position < letters else 11, "color": colour}})
    return notes
