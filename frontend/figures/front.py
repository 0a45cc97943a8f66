"""The Pareto front of two quantities, with baselines, bounds, limits and the selected design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from engines.quantities import Quantity, Sense
from frontend.figures.drawing import Box, figure, text_width
from frontend.figures.front_marks import (
    Frame,
    baseline_marks,
    bound_marks,
    design_marks,
    limit_shapes,
    product_lines,
    readable,
)
from frontend.figures.numbers import Scale, scale_of
from frontend.theme import TOKENS, Scheme

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Hidden = Literal["dominated", "baselines", "bounds", "products", "knee"]

WEBGL_FROM = 2000
_MARGIN = {"l": 52, "r": 18, "t": 30, "b": 42}
# A baseline or bound further out than this share of the cloud's extent is pinned to the edge instead.
_FAR = 0.6


@dataclass(frozen=True)
class Cloud:
    """Designs over two quantities; all arrays have shape `n`.

    Attributes:
        x, y: the quantities; a front is drawn where both have a sense.
        x_values, y_values: in the quantities' stored units; NaN is not drawn.
        numbers: number of each design within its run, which a click brings back.
        baseline: which designs are baselines; they are named and do not take part in the front.
        labels: names of the designs ("" for most).
        kept: which designs meet the limits; None means all.
        fresh: which designs are new since the last picture; None means none.
    """

    x: Quantity
    y: Quantity
    x_values: FloatArray
    y_values: FloatArray
    numbers: IntArray
    baseline: BoolArray
    labels: Sequence[str]
    kept: BoolArray | None = None
    fresh: BoolArray | None = None

    @cached_property
    def searched(self) -> IntArray:
        """Positions of the designs that are no baselines and have both values."""
        return np.flatnonzero(~self.baseline & np.isfinite(self.x_values) & np.isfinite(self.y_values))

    @cached_property
    def front(self) -> IntArray:
        """Positions of the non-dominated designs, by ascending x; empty where a quantity has no sense."""
        if "none" in (self.x.sense, self.y.sense) or not len(self.searched):
            return np.empty(0, np.int64)
        x = _minimised(self.x_values[self.searched], self.x.sense)
        y = _minimised(self.y_values[self.searched], self.y.sense)
        order = np.lexsort((y, x))
        best_before = np.concatenate([[np.inf], np.minimum.accumulate(y[order])[:-1]])
        found = self.searched[order[y[order] < best_before]]
        return found[np.argsort(self.x_values[found], kind="stable")]

    @cached_property
    def outdone(self) -> BoolArray:
        """Which designs of `front` a baseline dominates, shape of `front`."""
        beaten = np.zeros(len(self.front), bool)
        x, y = _minimised(self.x_values, self.x.sense), _minimised(self.y_values, self.y.sense)
        for at in np.flatnonzero(self.baseline & np.isfinite(x) & np.isfinite(y)):
            no_worse = (x[at] <= x[self.front]) & (y[at] <= y[self.front])
            beaten |= no_worse & ((x[at] < x[self.front]) | (y[at] < y[self.front]))
        return beaten

    @cached_property
    def knee(self) -> int | None:
        """Position of the front's design farthest from the chord between its ends, both axes scaled to 0..1.

        None for a front of fewer than three designs, and where a baseline dominates that design.
        """
        if len(self.front) < 3:
            return None
        x = _minimised(self.x_values[self.front], self.x.sense)
        y = _minimised(self.y_values[self.front], self.y.sense)
        distance = (x - x.min()) / np.ptp(x) + (y - y.min()) / np.ptp(y)
        nearest = int(np.argmin(distance))
        return None if self.outdone[nearest] else int(self.front[nearest])


@dataclass(frozen=True)
class Bound:
    """A value that no design can pass: on the axis "x" or "y", in the quantity's stored unit, with its name."""

    axis: Literal["x", "y"]
    value: float
    title: str = "lower bound"


@dataclass(frozen=True)
class Limit:
    """A constraint on an axis: what lies beyond `value` is excluded."""

    axis: Literal["x", "y"]
    value: float
    upper: bool = True


@dataclass(frozen=True)
class View:
    """What the axes show, in stored units; kept by the page so that a live picture never jumps."""

    x: tuple[float, float]
    y: tuple[float, float]


def _minimised(values: FloatArray, sense: Sense) -> FloatArray:
    return -values if sense == "maximise" else values


def fitting_view(cloud: Cloud, bounds: Sequence[Bound] = (), hidden: Sequence[Hidden] = ()) -> View:
    """Axes that show the front and all but the outermost designs, and baselines and bounds that are not far off."""
    spans = []
    for axis, values in (("x", cloud.x_values), ("y", cloud.y_values)):
        own = values[cloud.searched]
        extra = [] if "bounds" in hidden else [bound.value for bound in bounds if bound.axis == axis]
        near = [] if "baselines" in hidden else [v for v in values[cloud.baseline] if np.isfinite(v)]
        if not len(own):
            own, near = np.asarray(near or [0.0, 1.0]), []
        front = values[cloud.front] if len(cloud.front) else own
        low = min(float(np.min(front)), float(np.quantile(own, 0.005)))
        high = max(float(np.max(front)), float(np.quantile(own, 0.995)))
        spans.append(_widened(low, high, [*near, *extra]))
    return View(spans[0], spans[1])


def _widened(low: float, high: float, others: Sequence[float]) -> tuple[float, float]:
    extent = (high - low) or abs(high) * 0.1 or 1.0
    reached = [value for value in others if low - _FAR * extent <= value <= high + _FAR * extent]
    low, high = min([low, *reached]), max([high, *reached])
    margin = 0.08 * ((high - low) or extent)
    return low - margin, high + margin


class FrontOptions(TypedDict, total=False):
    """What a front may show besides its designs.

    Attributes:
        selected: number (not position) of the selected design.
        selected_words: what is said beside the selected design after "selected".
        bounds: drawn as dashed lines.
        limits: what they exclude is shaded.
        hidden: what to leave out.
        view: what the axes show; `fitting_view` where left out.
        width_px: width, which placing words needs; 560 where left out.
        height_px: height; 330 where left out.
        revision: as long as it stays the same, the reader's own zoom is kept.
    """

    selected: int | None
    selected_words: str
    bounds: Sequence[Bound]
    limits: Sequence[Limit]
    hidden: Sequence[Hidden]
    view: View | None
    width_px: float
    height_px: float
    revision: str


def front_figure(cloud: Cloud, scheme: Scheme, **options: Unpack[FrontOptions]) -> go.Figure:
    """The front."""
    return figure(scheme, *front_drawing(cloud, scheme, **options))


def front_drawing(
    cloud: Cloud, scheme: Scheme, **options: Unpack[FrontOptions]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Traces and layout of the front as plain mappings.

    Quicker than the figure by all of its points, for those who need only a part of it or many points.
    """
    bounds, hidden = options.get("bounds", ()), options.get("hidden", ())
    view = options.get("view") or fitting_view(cloud, bounds, hidden)
    frame = _frame(cloud, view, scheme, options.get("width_px", 560), options.get("height_px", 330))
    equal_product = "products" not in hidden and {cloud.x.unit, cloud.y.unit} == {"s", "J"}
    products, product_notes = product_lines(frame) if equal_product else ([], [])
    bound_shapes, bound_notes = bound_marks(frame, cloud, () if "bounds" in hidden else bounds)
    shaded, shaded_notes = limit_shapes(frame, cloud, options.get("limits", ()))
    baselines, baseline_words = baseline_marks(frame, cloud) if "baselines" not in hidden else ([], [])
    fixed_notes = [*bound_notes, *shaded_notes]
    knee, obstacles = "knee" not in hidden, [*product_notes, *fixed_notes]
    selected, words = options.get("selected"), options.get("selected_words", "")
    design = design_marks(frame, cloud, selected, words, knee, baseline_words, obstacles)
    notes = [*readable(frame, product_notes, design.boxes), *fixed_notes, *design.notes, *_axis_words(frame, cloud)]
    traces = [*products, *_cloud_traces(cloud, frame, "dominated" in hidden), *baselines, *design.traces]
    shapes = [*bound_shapes, *shaded, *design.shapes]
    return traces, _layout(frame, cloud, shapes, notes, options.get("revision", ""))


def _frame(cloud: Cloud, view: View, scheme: Scheme, width_px: float, height_px: float) -> Frame:
    area = Box(
        0, 0, max(60.0, width_px - _MARGIN["l"] - _MARGIN["r"]), max(60.0, height_px - _MARGIN["t"] - _MARGIN["b"])
    )
    x_scale, y_scale = scale_of(view.x, cloud.x.unit), scale_of(view.y, cloud.y.unit)
    x_range = (view.x[0] * x_scale.factor, view.x[1] * x_scale.factor)
    y_range = (view.y[0] * y_scale.factor, view.y[1] * y_scale.factor)
    return Frame(scheme, TOKENS[scheme], area, x_range, y_range, x_scale, y_scale, height_px)


def _hover(cloud: Cloud, x_scale: Scale, y_scale: Scale) -> str:
    return (
        f"<b>Design %{{customdata}}</b><br>{cloud.x.title} %{{x:.4~r}}\u00a0{x_scale.unit}<br>"
        f"{cloud.y.title} %{{y:.4~r}}\u00a0{y_scale.unit}<extra></extra>"
    )


def _points(cloud: Cloud, frame: Frame, positions: IntArray, **marker: Any) -> dict[str, Any]:
    """Markers of the designs at `positions`: 32-bit values, drawn by WebGL where there are many."""
    return {
        "type": "scattergl" if len(cloud.searched) > WEBGL_FROM else "scatter",
        "mode": "markers",
        "x": (cloud.x_values[positions] * frame.x_scale.factor).astype(np.float32),
        "y": (cloud.y_values[positions] * frame.y_scale.factor).astype(np.float32),
        "customdata": cloud.numbers[positions],
        "marker": marker,
        "hovertemplate": _hover(cloud, frame.x_scale, frame.y_scale),
    }


def _cloud_traces(cloud: Cloud, frame: Frame, hide_dominated: bool) -> list[dict[str, Any]]:
    tokens, light = frame.tokens, frame.scheme == "light"
    kept = np.ones(len(cloud.numbers), bool) if cloud.kept is None else cloud.kept
    on_front = np.zeros(len(cloud.numbers), bool)
    on_front[cloud.front] = True
    others = cloud.searched[~on_front[cloud.searched]]
    traces = []
    if not hide_dominated and len(others):
        bright, faint = others[kept[others]], others[~kept[others]]
        opacity = 0.30 if light else 0.42
        traces.append(
            _points(cloud, frame, bright, size=3.4, color=tokens.dot, opacity=opacity) | {"name": "dominated"}
        )
        if len(faint):
            traces.append(
                _points(cloud, frame, faint, size=3, color=tokens.dot, opacity=opacity / 3) | {"name": "excluded"}
            )
    if cloud.fresh is not None and cloud.fresh.any():
        fresh = cloud.searched[cloud.fresh[cloud.searched]]
        traces.append(_points(cloud, frame, fresh, size=5, color=tokens.accent, opacity=0.55) | {"name": "new"})
    front = cloud.front
    if len(front):
        traces.append(_front_line(cloud, frame, kept))
        lost = front[~kept[front]]
        if len(lost):
            line = {"color": tokens.dot, "width": 1}
            traces.append(
                _points(cloud, frame, lost, size=5, color=tokens.sunken, line=line)
                | {"type": "scatter", "name": "lost"}
            )
    return traces


def _front_line(cloud: Cloud, frame: Frame, kept: BoolArray) -> dict[str, Any]:
    """The stepped line bounds what the front dominates: level until the next design where small x is better, else first up.

    Rings of designs that a baseline dominates are grey.
    """
    tokens = frame.tokens
    shown = kept[cloud.front]
    positions, outdone = cloud.front[shown], cloud.outdone[shown]
    colours: Any = [tokens.dot if beaten else tokens.accent for beaten in outdone] if outdone.any() else tokens.accent
    ring = {"color": colours, "width": 1.2}
    trace = _points(cloud, frame, positions, size=4.6, color=tokens.surface, line=ring)
    shape = "hv" if cloud.x.sense == "minimise" else "vh"
    line = {"color": tokens.accent, "width": 1.6, "shape": shape}
    return trace | {"type": "scatter", "mode": "lines+markers", "line": line, "name": "front"}


def _axis_words(frame: Frame, cloud: Cloud) -> list[dict[str, Any]]:
    """The name of the y axis lies horizontally above it; which corner is better stands opposite."""
    unit = f" ({frame.y_scale.unit})" if frame.y_scale.unit else ""
    name = {
        "text": cloud.y.title + unit,
        "x": 0,
        "xref": "paper",
        "y": 1,
        "yref": "paper",
        "xanchor": "left",
        "xshift": -44,
    }
    name |= {"yanchor": "middle", "yshift": 15, "font": {"size": 12, "color": frame.tokens.text2}}
    words = {("minimise", "minimise"): "lower left", ("maximise", "minimise"): "lower right"}
    words |= {("minimise", "maximise"): "upper left", ("maximise", "maximise"): "upper right"}
    corner = words.get((cloud.x.sense, cloud.y.sense))
    hint = f"better is {corner}"
    if not corner or text_width(hint, 11) + text_width(cloud.y.title, 12) + 40 > frame.area.width:
        return [name]
    better = {"text": hint, "x": 1, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "middle"}
    return [name, better | {"yshift": 15, "font": {"size": 11, "color": frame.tokens.text3}}]


def _layout(
    frame: Frame, cloud: Cloud, shapes: list[dict[str, Any]], notes: list[dict[str, Any]], revision: str
) -> dict[str, Any]:
    unit = f" ({frame.x_scale.unit})" if frame.x_scale.unit else ""
    ticks = {"nticks": max(3, int(frame.area.width // 65))}
    return {
        "height": frame.height_px,
        "margin": _MARGIN,
        "uirevision": revision or f"{cloud.x.name} {cloud.y.name}",
        "xaxis": {"range": list(frame.x_range), "title": {"text": cloud.x.title + unit}, **ticks},
        "yaxis": {"range": list(frame.y_range), "nticks": max(3, int(frame.area.height // 45))},
        "shapes": shapes,
        "annotations": notes,
        "hoverdistance": 12,
    }
