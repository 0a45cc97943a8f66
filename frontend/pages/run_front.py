"""From a run's designs to the picture of its front, and the small change of it that a selection makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from dash import Patch

from frontend.figures.drawing import plain_figure
from frontend.figures.front import Bound, Cloud, Hidden, Limit, View, fitting_view, front_drawing
from frontend.figures.numbers import in_sentence, integer, si
from frontend.pages.run_data import BoolArray, FloatArray, IntArray, RunDesigns
from frontend.pages.run_words import outdone_words
from frontend.theme import Scheme

MOST_POINTS = 20_000
# Disc and ring of the selection and the square of the knee: always as many traces, so that a patch finds them.
MARK_TRACES = 3
# Where they start, however many traces there are before them: a patch made for newer designs than those in the picture must
# neither leave a hole in it nor hit a trace with points.
MARKS_START = 24
_NO_TRACE = {"type": "scatter", "mode": "markers", "x": [], "y": [], "hoverinfo": "skip"}
REFIT_BELOW = 100
# Shares of an axis: a mark this close to the frame is cut; how far beyond it the axis follows; the room it then gets.
EDGE, STRETCH, MARGIN = 0.02, 0.25, 0.05


@dataclass(frozen=True)
class FrontRequest:
    """What the front is to show.

    Attributes:
        x, y: columns of the axes.
        limits: column -> limit.
        bounds: column -> lower bound.
        hidden: what is switched off.
        selected: number of the selected design.
        words: what is said beside it.
        seen: number of designs in the picture before this one; later ones are drawn as new. None draws none as new.
        view: ranges kept from the picture before.
    """

    x: str
    y: str
    scheme: Scheme
    width_px: float
    height_px: float
    limits: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    hidden: Sequence[Hidden] = ()
    selected: int | None = None
    words: str = ""
    seen: int | None = None
    view: View | None = None


def shown_numbers(designs: RunDesigns) -> IntArray:
    """Numbers of at most `MOST_POINTS` designs: front, baselines, and a seeded sample of the rest."""
    if len(designs) <= MOST_POINTS:
        return np.arange(len(designs))
    must = designs.is_baseline.copy()
    must[designs.front] = True
    rest = np.flatnonzero(~must)
    sample = np.random.default_rng(0).permutation(rest)[: max(0, MOST_POINTS - int(must.sum()))]
    return np.sort(np.concatenate([np.flatnonzero(must), sample]))


def cloud_of(designs: RunDesigns, request: FrontRequest) -> Cloud:
    """The designs over the two quantities of the request."""
    numbers = shown_numbers(designs)
    kept: BoolArray | None = designs.remaining(request.limits)[numbers] if request.limits else None
    fresh = numbers >= request.seen if request.seen is not None and 0 < request.seen < len(designs) else None
    return Cloud(
        designs.quantity(request.x),
        designs.quantity(request.y),
        designs.columns[request.x][numbers],
        designs.columns[request.y][numbers],
        numbers,
        designs.is_baseline[numbers],
        [str(label) for label in designs.label[numbers]],
        kept,
        fresh,
    )


def drawn_front(designs: RunDesigns, request: FrontRequest) -> dict[str, Any]:
    """The picture, with exactly `MARK_TRACES` traces for selection and knee at its end.

    The numbers of its points go as a list: Dash looks up there which design was clicked, and cannot in a packed array.
    """
    return plain_figure(request.scheme, *_drawing(designs, request))


def _drawing(designs: RunDesigns, request: FrontRequest) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    bounds, limits = bounds_and_limits(designs, request)
    traces, layout = front_drawing(
        cloud_of(designs, request),
        request.scheme,
        selected=request.selected,
        selected_words=request.words,
        bounds=bounds,
        limits=limits,
        hidden=list(request.hidden),
        view=request.view,
        width_px=request.width_px,
        height_px=request.height_px,
        revision=f"{request.x} {request.y}",
    )
    start = marks_start(traces)
    before, missing = MARKS_START - start, MARK_TRACES - (len(traces) - start)
    return [*traces[:start], *[_NO_TRACE] * before, *traces[start:], *[_NO_TRACE] * missing], layout


def bounds_and_limits(designs: RunDesigns, request: FrontRequest) -> tuple[list[Bound], list[Limit]]:
    """Lower bounds and limits of the two quantities on the axes."""
    axes: tuple[tuple[Literal["x", "y"], str], ...] = (("x", request.x), ("y", request.y))
    bounds = [Bound(axis, request.bounds[name]) for axis, name in axes if name in request.bounds]
    limits = [
        Limit(axis, request.limits[name], designs.quantity(name).sense != "maximise")
        for axis, name in axes
        if name in request.limits
    ]
    return bounds, limits


def marks_start(traces: Sequence[Mapping[str, Any]]) -> int:
    """Index of the first of the traces that mark selection and knee: those after the last one with a name."""
    named = [position for position, trace in enumerate(traces) if trace.get("name")]
    return named[-1] + 1 if named else len(traces)


def selection_patch(designs: RunDesigns, request: FrontRequest) -> Patch:
    """What another selection changes in the picture: marks, dotted lines and words, never the points."""
    traces, layout = _drawing(designs, request)
    patch = Patch()
    for position in range(len(traces) - MARK_TRACES, len(traces)):
        patch["data"][position] = traces[position]
    patch["layout"]["shapes"] = layout["shapes"]
    patch["layout"]["annotations"] = layout["annotations"]
    return patch


def next_view(designs: RunDesigns, request: FrontRequest) -> tuple[View, bool]:
    """The ranges to show, and whether designs of the front lie outside of them.

    The view is kept once there are `REFIT_BELOW` designs: a live picture that follows every outlier cannot be read. It only
    grows a little where the front reaches its frame.
    """
    cloud = cloud_of(designs, request)
    if request.view is None or len(designs) < REFIT_BELOW:
        bounds, _ = bounds_and_limits(designs, request)
        return fitting_view(cloud, bounds, list(request.hidden)), False
    x, y = cloud.x_values[cloud.front], cloud.y_values[cloud.front]
    view = View(_stretched(request.view.x, x), _stretched(request.view.y, y))
    inside = (x >= view.x[0]) & (x <= view.x[1]) & (y >= view.y[0]) & (y <= view.y[1])
    return view, bool(len(x)) and not bool(inside.all())


def _stretched(span: tuple[float, float], values: FloatArray) -> tuple[float, float]:
    """The range with a margin around values that lie at its ends or a little beyond, so that no mark is cut in half."""
    low, high = span
    extent = high - low
    near = values[(values > low - STRETCH * extent) & (values < high + STRETCH * extent)]
    if not len(near):
        return span
    least, most = float(near.min()), float(near.max())
    edge, margin = EDGE * extent, MARGIN * extent
    return (least - margin if least < low + edge else low, most + margin if most > high - edge else high)


def front_summary(designs: RunDesigns, remain: int, selected: int | None) -> str:
    """One sentence for those who do not see the picture."""
    if not len(designs):
        return "Pareto front: no designs yet."
    primary = designs.quantity(designs.primary)
    best = designs.best(designs.primary)
    parts = [f"Pareto front of {integer(len(designs))} designs, {integer(len(designs.front))} of them non-dominated"]
    if best is not None:
        parts.append(
            f"best {in_sentence(primary.title)} {si(designs.columns[primary.name][best], primary.unit)} (design {best})"
        )
    if designs.outdone:
        parts.append(outdone_words(designs))
    if remain < len(designs):
        parts.append(f"{integer(remain)} meet the constraints")
    if selected is not None:
        parts.append(f"selected: design {selected}")
    return "; ".join(parts) + "."


def selection_words(designs: RunDesigns, number: int | None, live: bool) -> str:
    """Why the selected design is special: the best by a quantity, or nothing."""
    if number is None:
        return ""
    names = [designs.primary, *[q.name for q in designs.objectives if q.name != designs.primary]]
    for name in names:
        if name in designs.columns and designs.best(name) == number:
            quantity = designs.quantity(name)
            extreme = "max" if quantity.sense == "maximise" else "min"
            return f"{extreme} {in_sentence(quantity.title)}" + (" so far" if live else "")
    return ""
