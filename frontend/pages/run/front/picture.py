"""From a run's designs to the picture of its front, and the small change of it that a selection makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from dash import Patch

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.quantities import Quantity
from frontend.designs.run_designs import Region, RunDesigns
from frontend.designs.run_words import bound_title, dominated_sentence
from frontend.figures.drawing import plain_figure
from frontend.figures.front.front import fitting_view, front_drawing
from frontend.figures.front.front_cloud import WEBGL_FROM
from frontend.figures.front.front_measurements import MeasuredMark, measured_traces, with_measured
from frontend.figures.front.front_parts import Bound, Cloud, Density, Limit, Point, View
from frontend.figures.front.front_remarks import remark_marks
from frontend.figures.numbers import in_sentence, integer, many, si
from frontend.pages.run.front.choices import Choices
from frontend.theme import TOKENS, Scheme

MOST_POINTS = 20_000
# Of them, so many are left to designs that arrive while the run is live.
LIVE_ROOM = 3_000
DENSITY_CELLS = (150, 100)
REFIT_BELOW = 100
# Shares of an axis: a mark this close to the frame is cut; how far beyond it the axis follows; the room it then gets.
EDGE, STRETCH, MARGIN = 0.02, 0.25, 0.05


@dataclass(frozen=True)
class FrontRequest:
    """The content of a front.

    Attributes:
        choices: view, axes, colour, size, scales, what is hidden.
        limits: column -> limit.
        region: the reader's lasso.
        bounds: column -> value that no design passes.
        reference: the run's reference point for the hypervolume, one value per objective; empty where there is none.
        selected: number of the selected design.
        words: text next to it.
        seen: number of designs in the picture before this one; later ones are drawn as new. None draws none as new.
        view: ranges kept from the picture before.
        live: whether designs still arrive.
        remarks: number of a design -> the remark that is pinned to it.
        measured: designs as a machine measured them, over the two quantities on the axes.
    """

    choices: Choices
    scheme: Scheme
    width_px: float
    height_px: float
    limits: Mapping[str, float] = field(default_factory=dict)
    region: Region | None = None
    bounds: Mapping[str, float] = field(default_factory=dict)
    reference: Sequence[float] = ()
    selected: int | None = None
    words: str = ""
    seen: int | None = None
    view: View | None = None
    live: bool = False
    remarks: Mapping[int, str] = field(default_factory=dict)
    measured: Sequence[MeasuredMark] = ()

    @property
    def most(self) -> int:
        """How many designs are drawn."""
        return MOST_POINTS - LIVE_ROOM if self.live else MOST_POINTS

    @property
    def revision(self) -> str:
        """Return the revision of the picture: while it stays the same, the reader's zoom is kept."""
        chosen = self.choices
        return f"{chosen.view} {chosen.x} {chosen.y} {chosen.z} {chosen.log}"

    def kept(self, designs: RunDesigns) -> BoolArray | None:
        """Return a mask of the designs within limits and lasso, shape `n`; None without limits and lasso."""
        return designs.remaining(self.limits, self.region) if self.limits or self.region else None


def shown_numbers(designs: RunDesigns, kept: BoolArray | None = None, most: int = MOST_POINTS) -> IntArray:
    """Return the numbers of at most `most` designs: front, baselines, a user's own, and a seeded sample of the filtered rest.

    Args:
        designs: all of them.
        kept: which pass the filter, shape `n`; of the others at most a tenth of `most` is drawn.
        most: number of most. Where front and those with names alone are more, they are a sample, too.
    """
    if len(designs) <= most:
        return np.arange(len(designs))
    must = ~designs.searched
    must[designs.front] = True
    picked = _sampled(designs, np.flatnonzero(must), most)
    passing = ~must if kept is None else ~must & kept
    excluded = np.empty(0, np.int64) if kept is None else np.flatnonzero(~must & ~kept)
    room = most - len(picked)
    background = min(len(excluded), max(most // 10, room - int(passing.sum())), room)
    sample = _sampled(designs, np.flatnonzero(passing), room - background)
    return np.sort(np.concatenate([picked, sample, _sampled(designs, excluded, background)]))


def _sampled(designs: RunDesigns, numbers: IntArray, count: int) -> IntArray:
    if len(numbers) <= count:
        return numbers
    if count <= 0:
        return numbers[:0]
    return np.asarray(numbers[np.argpartition(designs.draw_order[numbers], count)[:count]])


def cloud_of(designs: RunDesigns, request: FrontRequest) -> Cloud:
    """Return the designs over the two quantities of the request."""
    chosen, passing = request.choices, request.kept(designs)
    numbers = shown_numbers(designs, passing, request.most)
    if request.selected is not None and request.selected < len(designs) and request.selected not in numbers:
        numbers = np.append(numbers, request.selected)
    fresh = numbers >= request.seen if request.seen is not None and 0 < request.seen < len(designs) else None
    member = np.zeros(len(designs), bool)
    member[designs.front] = True
    labels = np.full(len(numbers), "", dtype=object)
    named = designs.is_baseline[numbers]
    labels[named] = designs.label[numbers[named]]
    return Cloud(
        designs.quantity(chosen.x),
        designs.quantity(chosen.y),
        designs.columns[chosen.x][numbers],
        designs.columns[chosen.y][numbers],
        numbers,
        named,
        [str(label) for label in labels] if named.any() else [""] * len(numbers),
        None if passing is None else passing[numbers],
        fresh,
        None if designs.feasible.all() else ~designs.feasible[numbers],
        member[numbers] if len(designs.objectives) > 2 else None,
        _quantity_values(designs, chosen.colour, numbers),
        _quantity_values(designs, chosen.size, numbers),
        designs.hardware,
    )


def _quantity_values(designs: RunDesigns, name: str, numbers: IntArray) -> tuple[Quantity, FloatArray] | None:
    if name not in designs.columns or not np.isfinite(designs.columns[name][numbers]).any():
        return None
    return designs.quantity(name), designs.columns[name][numbers]


def drawn_front(designs: RunDesigns, request: FrontRequest) -> dict[str, Any]:
    """Return the picture; its last trace is the one for designs that arrive.

    The numbers of its points go as a list: Dash looks up there which design was clicked, and cannot in a packed array.
    """
    return plain_figure(request.scheme, *_drawing(designs, request, cloud_of(designs, request)))


def _drawing(designs: RunDesigns, request: FrontRequest, cloud: Cloud) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    bounds, limits = bounds_and_limits(designs, request)
    chosen = request.choices
    over = request.region is not None and (request.region.x, request.region.y) == (chosen.x, chosen.y)
    traces, layout = front_drawing(
        cloud,
        request.scheme,
        selected=request.selected,
        selected_words=request.words,
        bounds=bounds,
        limits=limits,
        hidden=list(chosen.hidden),
        view=request.view,
        width_px=request.width_px,
        height_px=request.height_px,
        revision=request.revision,
        log=chosen.log,
        points=reference_points(designs, request),
        density=_density(designs, request, cloud),
        region=request.region.corners if request.region and over else (),
    )
    factors = layout["meta"]["x"], layout["meta"]["y"]
    spans = None if request.view is None else {"x": request.view.x, "y": request.view.y}
    measured = measured_traces(request.measured, *factors, request.scheme, spans)
    return [*traces, *measured, *_remarks(designs, request, *factors), _arrivals(cloud, request)], layout


def _remarks(designs: RunDesigns, request: FrontRequest, x_factor: float, y_factor: float) -> list[dict[str, Any]]:
    """Return the marks at designs with a remark, which are there whichever designs are drawn; no trace without any."""
    said = {number: words for number, words in request.remarks.items() if number < len(designs)}
    if not said:
        return []
    x, y = (
        {number: float(designs.columns[name][number]) * factor for number in said}
        for name, factor in ((request.choices.x, x_factor), (request.choices.y, y_factor))
    )
    return [remark_marks(x, y, said, request.scheme)]


def _arrivals(cloud: Cloud, request: FrontRequest) -> dict[str, Any]:
    """Return an empty trace in which the browser puts the designs that came since the picture was drawn."""
    light = request.scheme == "light"
    look = {"size": 3.4, "color": TOKENS[request.scheme].dot, "opacity": 0.30 if light else 0.42}
    hover = {"hovertemplate": "<b>Design %{customdata}</b><extra></extra>", "hoverinfo": "all", "customdata": []}
    kind = "scattergl" if len(cloud.searched) > WEBGL_FROM else "scatter"
    return {"type": kind, "mode": "markers", "x": [], "y": [], "marker": look, "meta": "arrived"} | hover


def reference_points(designs: RunDesigns, request: FrontRequest) -> list[Point]:
    """Return the ideal and nadir of the front (best and worst value per objective) and the run's reference point, on the axes."""
    names = [quantity.name for quantity in designs.objectives]
    axes = (request.choices.x, request.choices.y)
    if not set(axes) <= set(names) or not len(designs.front):
        return []
    found = []
    if len(designs.front) > 1:
        for kind, best in (("ideal", True), ("nadir", False)):
            ends = []
            for name in axes:
                values = designs.columns[name][designs.front]
                ends.append(
                    float(values.min() if (designs.quantity(name).sense == "minimise") == best else values.max())
                )
            found.append(Point(kind, ends[0], ends[1]))  # type: ignore[arg-type]
    if len(request.reference) == len(names):
        at = dict(zip(names, request.reference, strict=True))
        found.append(Point("reference point", float(at[axes[0]]), float(at[axes[1]])))
    return found


def _density(designs: RunDesigns, request: FrontRequest, cloud: Cloud) -> Density | None:
    """Return the counts of all designs that pass, over the view; None where every one is drawn."""
    if len(designs) <= request.most or "dominated" in request.choices.hidden or request.view is None:
        return None
    kept = request.kept(designs)
    chosen, view = request.choices, request.view
    cells = [
        _cells(designs.columns[name], span, count, letter in chosen.log)
        for name, span, count, letter in (
            (chosen.x, view.x, DENSITY_CELLS[0], "x"),
            (chosen.y, view.y, DENSITY_CELLS[1], "y"),
        )
    ]
    inside = (cells[0] >= 0) & (cells[1] >= 0) & ~designs.is_baseline
    if kept is not None:
        inside &= kept
    flat = cells[1][inside] * DENSITY_CELLS[0] + cells[0][inside]
    counts = np.bincount(flat, minlength=DENSITY_CELLS[0] * DENSITY_CELLS[1]).reshape(
        DENSITY_CELLS[1], DENSITY_CELLS[0]
    )
    return Density(counts[::-1], view.x, view.y)


def _cells(values: FloatArray, span: tuple[float, float], count: int, log: bool) -> IntArray:
    """Return the index of the cell of each value among `count` cells over the span, -1 outside of it."""
    low, high = span
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            values, low, high = np.log10(values), float(np.log10(low)), float(np.log10(high))
    share = (values - low) / (high - low)
    inside = (share >= 0) & (share < 1)
    return np.where(inside, np.where(inside, share, 0.0) * count, -1).astype(np.int64)


def bounds_and_limits(designs: RunDesigns, request: FrontRequest) -> tuple[list[Bound], list[Limit]]:
    """Return the bounds and limits of the two quantities on the axes."""
    axes: tuple[tuple[Literal["x", "y"], str], ...] = (("x", request.choices.x), ("y", request.choices.y))
    bounds = [
        Bound(axis, request.bounds[name], bound_title(designs.quantity(name)))
        for axis, name in axes
        if name in request.bounds
    ]
    limits = [
        Limit(axis, request.limits[name], designs.quantity(name).sense != "maximise")
        for axis, name in axes
        if name in request.limits
    ]
    return bounds, limits


def selection_patch(designs: RunDesigns, request: FrontRequest) -> Patch:
    """Return the patch for another selection in the 2-D picture: marks, dotted lines and text, never the points."""
    _, layout = _drawing(designs, replace(request, choices=_without_density(request)), cloud_of(designs, request))
    patch = Patch()
    patch["layout"]["shapes"] = layout["shapes"]
    patch["layout"]["annotations"] = layout["annotations"]
    return patch


def _without_density(request: FrontRequest) -> Choices:
    return replace(request.choices, hidden=(*request.choices.hidden, "dominated"))


def next_view(designs: RunDesigns, request: FrontRequest) -> tuple[View, bool]:
    """Return the ranges to show, and whether designs of the front lie outside of them.

    The view is kept once there are `REFIT_BELOW` designs: a live picture that follows every outlier cannot be read. It only
    grows a little where the front reaches its frame.
    """
    cloud = cloud_of(designs, replace(request, limits={}, region=None))
    if request.view is None or len(designs) < REFIT_BELOW:
        bounds, _ = bounds_and_limits(designs, request)
        fitted = fitting_view(cloud, bounds, list(request.choices.hidden), request.choices.log)
        return _room_for_measured(fitted, request), False
    x, y = cloud.x_values[cloud.front], cloud.y_values[cloud.front]
    view = View(_stretched(request.view.x, x), _stretched(request.view.y, y))
    if request.choices.log:
        view = request.view
    view = _room_for_measured(view, request)
    inside = (x >= view.x[0]) & (x <= view.x[1]) & (y >= view.y[0]) & (y <= view.y[1])
    return view, bool(len(x)) and not bool(inside.all())


def _room_for_measured(view: View, request: FrontRequest) -> View:
    return View(with_measured(view.x, request.measured, "x"), with_measured(view.y, request.measured, "y"))


def _stretched(span: tuple[float, float], values: FloatArray) -> tuple[float, float]:
    """Return the range with a margin around values that lie at its ends or a little beyond, so that no mark is cut in half."""
    low, high = span
    extent = high - low
    near = values[(values > low - STRETCH * extent) & (values < high + STRETCH * extent)]
    if not len(near):
        return span
    least, most = float(near.min()), float(near.max())
    edge, margin = EDGE * extent, MARGIN * extent
    return (least - margin if least < low + edge else low, most + margin if most > high - edge else high)


def front_summary(designs: RunDesigns, remain: int, selected: int | None) -> str:
    """Return a one-sentence text alternative of the picture."""
    if not len(designs):
        return "Pareto front: no designs yet."
    primary = designs.quantity(designs.primary)
    best = designs.best(designs.primary)
    alike = f" at {many(designs.front_points, 'point')}" if designs.front_points != len(designs.front) else ""
    parts = [
        f"Pareto front of {many(len(designs), 'design')}, {integer(len(designs.front))} of them non-dominated{alike}"
    ]
    if best is not None:
        parts.append(
            f"best {in_sentence(primary.title)} {si(designs.columns[primary.name][best], primary.unit)} (design {best})"
        )
    if designs.dominated_by_baselines:
        parts.append(dominated_sentence(designs))
    if remain < len(designs):
        parts.append(f"{integer(remain)} meet the constraints")
    if selected is not None:
        parts.append(f"selected: design {selected}")
    return "; ".join(parts) + "."


def selection_words(designs: RunDesigns, number: int | None, live: bool) -> str:
    """Return why the selected design is special: the best by a quantity, or nothing."""
    if number is None:
        return ""
    names = [designs.primary, *[q.name for q in designs.objectives if q.name != designs.primary]]
    for name in names:
        if name in designs.columns and designs.best(name) == number:
            quantity = designs.quantity(name)
            extreme = "max" if quantity.sense == "maximise" else "min"
            return f"{extreme} {in_sentence(quantity.title)}" + (" so far" if live else "")
    return ""
