"""The Pareto front of two quantities, with baselines, bounds, limits and the selected design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

import numpy as np
import plotly.graph_objects as go

from engines.contract.quantities import Quantity
from frontend.figures.drawing import Box, figure, text_width
from frontend.figures.front.front_baselines import baseline_marks
from frontend.figures.front.front_cloud import cloud_traces, density_image, region_shapes
from frontend.figures.front.front_marks import (
    Frame,
    bound_marks,
    design_marks,
    limit_shapes,
    point_marks,
    product_lines,
    readable,
)
from frontend.figures.front.front_parts import Bound, Cloud, Density, Hidden, Limit, Point, View
from frontend.figures.numbers import scale_of, significant
from frontend.theme import TOKENS, Scheme

_MARGIN = {"l": 52, "r": 18, "t": 30, "b": 42}
# A baseline or bound further out than this share of the cloud's extent is pinned to the edge instead.
# Of the larger end: an axis that spans less makes much of nothing.
_LEAST_SPAN = 0.01
_FAR = 0.6
_LEAST_TICKS = 4


def fitting_view(cloud: Cloud, bounds: Sequence[Bound] = (), hidden: Sequence[Hidden] = (), log: str = "") -> View:
    """Return the axes that show the front and all but the outermost designs, and baselines and bounds that are not far off.

    Args:
        cloud: the designs.
        bounds: as in `FrontOptions`.
        hidden: as in `FrontOptions`.
        log: logarithmic axes among "x" and "y", which show nothing below the least positive value.
    """
    spans = []
    for axis, values in (("x", cloud.x_values), ("y", cloud.y_values)):
        own = values[cloud.searched]
        extra = [] if "bounds" in hidden else [bound.value for bound in bounds if bound.axis == axis]
        near = [] if "baselines" in hidden else [v for v in values[cloud.baseline] if np.isfinite(v)]
        if axis in log:
            own, near = own[own > 0], [value for value in near if value > 0]
        if not len(own):
            own, near = np.asarray(near or [0.0, 1.0]), []
        front = values[cloud.front] if len(cloud.front) else own
        low = min(float(np.min(front)), float(np.quantile(own, 0.005)))
        high = max(float(np.max(front)), float(np.quantile(own, 0.995)))
        spans.append(log_widened(low, high, near) if axis in log else widened(low, high, [*near, *extra]))
    return View(spans[0], spans[1])


def log_widened(low: float, high: float, others: Sequence[float]) -> tuple[float, float]:
    """Widen a range like `widened`, on a logarithmic axis; `others` that are not positive have no place there."""
    low, high = (float(np.log10(max(value, 1e-30))) for value in _apart(low, high))
    low, high = _with_room(low, high, [float(np.log10(value)) for value in others if value > 0])
    return 10.0**low, 10.0**high


def widened(low: float, high: float, others: Sequence[float]) -> tuple[float, float]:
    """Return an axis from `low` to `high` and, with some room, to those of `others` that are not far off.

    Values that are nearly equal get a span around them that shows them as such: no axis from 1.2708 to 1.2716.
    """
    return _with_room(*_apart(low, high), others)


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return the ends that are some per cent apart around the same middle, where they differ at all."""
    missing = _LEAST_SPAN * max(abs(low), abs(high)) - (high - low)
    return (low - missing / 2, high + missing / 2) if high > low and missing > 0 else (low, high)


def _with_room(low: float, high: float, others: Sequence[float]) -> tuple[float, float]:
    extent = (high - low) or abs(high) * 0.1 or 1.0
    reached = [value for value in others if low - _FAR * extent <= value <= high + _FAR * extent]
    low, high = min([low, *reached]), max([high, *reached])
    margin = 0.08 * max(high - low, extent)
    return low - margin, high + margin


class FrontOptions(TypedDict, total=False):
    """The options of a front besides its designs.

    Attributes:
        selected: number (not position) of the selected design.
        selected_words: text after "selected" next to the selected design.
        bounds: drawn as dashed lines.
        limits: limits; the excluded region is shaded.
        hidden: parts to omit.
        view: ranges of the axes; `fitting_view` by default.
        width_px: width, which placing words needs; 560 where left out.
        height_px: height; 330 where left out.
        revision: as long as it stays the same, the reader's own zoom is kept.
        log: names of the logarithmic axes among "x" and "y".
        points: ideal, nadir and reference point.
        density: density of designs that are not drawn individually.
        region: corners of the reader's lasso, in stored units.
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
    log: str
    points: Sequence[Point]
    density: Density | None
    region: Sequence[tuple[float, float]]


def front_figure(cloud: Cloud, scheme: Scheme, **options: Unpack[FrontOptions]) -> go.Figure:
    """Return the figure of the front."""
    return figure(scheme, *front_drawing(cloud, scheme, **options))


def front_drawing(
    cloud: Cloud, scheme: Scheme, **options: Unpack[FrontOptions]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the traces and layout of the front as plain mappings.

    Quicker than the figure by all of its points, for those who need only a part of it or many points.
    """
    bounds, hidden, log = options.get("bounds", ()), options.get("hidden", ()), options.get("log", "")
    view = options.get("view") or fitting_view(cloud, bounds, hidden, log)
    frame = _frame(cloud, view, scheme, (options.get("width_px", 560), options.get("height_px", 330)), log)
    equal_product = "products" not in hidden and has_equal_product(cloud.x, cloud.y)
    products, product_notes = product_lines(frame) if equal_product else ([], [])
    reference = () if "points" in hidden else options.get("points", ())
    bound_shapes, bound_notes = bound_marks(frame, cloud, () if "bounds" in hidden else bounds, reference)
    shaded, shaded_notes = limit_shapes(frame, cloud, options.get("limits", ()))
    baselines, baseline_words = baseline_marks(frame, cloud) if "baselines" not in hidden else ([], [])
    points, point_words = point_marks(frame, reference)
    fixed_notes = [*bound_notes, *shaded_notes]
    knee, obstacles = "knee" not in hidden, [*product_notes, *fixed_notes]
    selected, words = options.get("selected"), options.get("selected_words", "")
    design = design_marks(frame, cloud, selected, words, knee, [*baseline_words, *point_words], obstacles)
    notes = [*readable(frame, product_notes, design.boxes), *fixed_notes, *design.notes]
    notes = [*(on_axes(frame, note) for note in notes), *_axis_words(frame, cloud)]
    traces = [*products, *cloud_traces(cloud, frame, hidden), *baselines, *points]
    shapes = [*bound_shapes, *shaded, *region_shapes(frame, options.get("region", ()))]
    layout = _layout(frame, cloud, shapes, notes, options.get("revision", ""))
    layout["shapes"] = [*shapes, *design.shapes]
    density = options.get("density")
    return traces, layout | {"images": [] if density is None else [density_image(frame, density)]}


def has_equal_product(x: Quantity, y: Quantity) -> bool:
    """Return whether lines of equal energy-delay product apply: one metric is a time, the other an energy."""
    return {x.unit, y.unit} == {"s", "J"} and x.sense == y.sense == "minimise"


def on_axes(frame: Frame, note: dict[str, Any]) -> dict[str, Any]:
    """Return a note where plotly.js wants it: on a logarithmic axis at the logarithm."""
    moved = {"x": float(np.log10(note["x"]))} if frame.x_log else {}
    return note | moved | ({"y": float(np.log10(note["y"]))} if frame.y_log else {})


def _frame(cloud: Cloud, view: View, scheme: Scheme, size_px: tuple[float, float], log: str) -> Frame:
    width_px, height_px = size_px
    area = Box(
        0, 0, max(60.0, width_px - _MARGIN["l"] - _MARGIN["r"]), max(60.0, height_px - _MARGIN["t"] - _MARGIN["b"])
    )
    x_scale, y_scale = scale_of(view.x, cloud.x.unit), scale_of(view.y, cloud.y.unit)
    x_range = (view.x[0] * x_scale.factor, view.x[1] * x_scale.factor)
    y_range = (view.y[0] * y_scale.factor, view.y[1] * y_scale.factor)
    tokens = TOKENS[scheme]
    return Frame(scheme, tokens, area, x_range, y_range, x_scale, y_scale, height_px, "x" in log, "y" in log)


def _axis_words(frame: Frame, cloud: Cloud) -> list[dict[str, Any]]:
    """Return the name of the y axis, horizontally above it, and opposite the words for the better corner."""
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
        "selectionrevision": f"{len(cloud.numbers)} {revision} {len(shapes)}",
        "xaxis": {**axis_layout(frame.x_range, frame.x_log), "title": {"text": cloud.x.title + unit}, **ticks},
        "yaxis": {**axis_layout(frame.y_range, frame.y_log), "nticks": max(3, int(frame.area.height // 45))},
        "shapes": shapes,
        "annotations": notes,
        "hoverdistance": 12,
        # What the browser divides by to come back to stored units, as for the lasso.
        "meta": {"x": frame.x_scale.factor, "y": frame.y_scale.factor},
    }


def axis_layout(span: tuple[float, float], log: bool) -> dict[str, Any]:
    """Return type, range and ticks of an axis that shows `span`, in shown units."""
    if not log:
        return {"type": "linear", "range": list(span)}
    values = log_ticks(*span)
    words = [_without_zeros(significant(value, 3)) for value in values]
    return {"type": "log", "range": [float(np.log10(end)) for end in span], "tickvals": values, "ticktext": words}


def _without_zeros(number: str) -> str:
    """Return a round value without zeros at its end: "0.030" is "0.03"."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def log_ticks(low: float, high: float) -> list[float]:
    """Round values between two positive ends: powers of ten, with 2 and 5, or every tenth of the way where they span little."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for steps in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), tuple(range(1, 10)), tuple(np.arange(10, 100) / 10)):
        found = [float(f"{step * 10.0**power:.3g}") for power in powers for step in steps]
        inside = [value for value in found if low <= value <= high]
        if len(inside) >= _LEAST_TICKS:
            return inside[:: max(1, len(inside) // 6)]
    return [float(f"{value:.3g}") for value in np.geomspace(low, high, _LEAST_TICKS + 1)[1:-1]]
