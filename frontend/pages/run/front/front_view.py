"""Everything around the picture of the front: made once for the layout, and again whenever its callback is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dash import html

from frontend.components.button import button
from frontend.components.chip import chip
from frontend.components.states import empty_state
from frontend.designs.run_designs import RunDesigns
from frontend.figures.front.front_parts import View
from frontend.figures.numbers import integer
from frontend.ids.run import RunIds
from frontend.pages.run.front.choices import Choices
from frontend.pages.run.front.front_selection import MOST_IN_MANY, drawn_many
from frontend.pages.run.front.picture import (
    MOST_POINTS,
    REFIT_BELOW,
    FrontRequest,
    drawn_front,
    front_summary,
    next_view,
    selection_words,
)
from frontend.pages.run.front.query import FrontQuery
from frontend.pages.run.front.rail import nothing_left, remaining_words
from frontend.pages.run.measurements.data import measured_marks
from frontend.pages.run.run_reader import bounds_of, remarks_of
from frontend.pages.run.sizes import blank_figure, sizes

if TYPE_CHECKING:
    from webapp.runs.models import Run


@dataclass(frozen=True)
class FrontView:
    """The picture of the front and the parts around it.

    Attributes:
        figure: the picture.
        summary: its sentence.
        over: overlay.
        news: what stands in its head.
        remaining: number of remaining designs.
        drawn: number of drawn designs, if not all are drawn.
        view: its ranges and number of traces; never None, or Dash would take the store for an empty one.
        order: numbers of the front's designs in the order of the arrow keys.
    """

    figure: Any
    summary: str
    over: Any
    news: Any
    remaining: Any
    drawn: str
    view: dict[str, Any]
    order: list[int]


def front_request(run: Run, designs: RunDesigns, asked: FrontQuery) -> FrontRequest:
    """Return the request for `frontend.pages.run.front.picture`."""
    width, height = sizes(asked.viewport).front_plot
    kept = asked.view if asked.view and asked.view.get("axes") == asked.axes else None
    number = asked.selection.get("design")
    return FrontRequest(
        asked.choices,
        asked.scheme,
        width,
        height,
        asked.limits,
        asked.region,
        bounds_of(run, designs),
        tuple(run.hypervolume_reference or ()),
        number,
        selection_words(designs, number, asked.data["live"]),
        asked.data.get("seen"),
        View(tuple(kept["x"]), tuple(kept["y"])) if kept else None,
        bool(asked.data["live"]),
    )


def front_shown(run: Run, designs: RunDesigns, asked: FrontQuery) -> FrontView:
    """Return the picture of the front, or a text that explains its absence."""
    chosen = asked.choices
    if not len(designs) or chosen.x not in designs.columns or chosen.y not in designs.columns:
        return _nothing(run, asked)
    request = replace(
        front_request(run, designs, asked),
        remarks=remarks_of(run),
        measured=measured_marks(run, designs, chosen.x, chosen.y),
    )
    ranges, outside = next_view(designs, request)
    fitted_to = len(designs) if request.view is None or asked.view is None else asked.view["count"]
    request = replace(request, view=ranges)
    remain = int(designs.remaining(request.limits, request.region).sum())
    fresh = len(designs) - request.seen if request.seen is not None else 0
    figure = drawn_front(designs, request) if chosen.view == "2d" else drawn_many(designs, request)
    view = {"axes": asked.axes, "x": list(ranges.x), "y": list(ranges.y), "count": fitted_to}
    return FrontView(
        figure,
        front_summary(designs, remain, request.selected),
        "" if remain else nothing_left(designs, request.limits, request.region),
        _new_words(fresh, outside and chosen.view == "2d"),
        remaining_words(designs, remain, asked.data["live"], request.region is not None),
        drawn_words(designs, chosen, request.most),
        view | {"traces": len(figure["data"]), "kind": chosen.view},
        designs.front.tolist(),
    )


def drawn_note(words: str) -> list[Any]:
    """Return `drawn_words` as the picture's note; its second half goes where the picture is too narrow for it next to the axis."""
    counted, _, behind = words.partition("; ")
    return [counted, html.Span(f"; {behind}", className="run-drawn-behind")] if behind else [counted]


def drawn_words(designs: RunDesigns, chosen: Choices, most_points: int = MOST_POINTS) -> str:
    """Return the number of drawn designs, "" if all are drawn: "20 000 of 100 000 drawn; density behind"."""
    most = most_points if chosen.view == "2d" else MOST_IN_MANY
    if len(designs) <= most:
        return ""
    behind = "; density behind" if chosen.view == "2d" and "dominated" not in chosen.hidden else ""
    return f"{integer(most)} of {integer(len(designs))} drawn{behind}"


def too_early(view: Mapping[str, Any] | None) -> bool:
    """Return whether the axes were fitted to too few designs to suit the current ones."""
    return bool(view) and view is not None and view.get("count", 0) < REFIT_BELOW


def _nothing(run: Run, asked: FrontQuery) -> FrontView:
    words = "They appear here as soon as the first are stored." if run.active else "This run stored none."
    over = empty_state("chart-scatter", "No designs yet" if run.active else "No designs", words, level=3)
    blank = blank_figure(sizes(asked.viewport).front_plot[1])
    return FrontView(blank, "Pareto front: no designs.", over, "", "", "", {}, [])


def _new_words(fresh: int, outside: bool) -> list[Any]:
    parts: list[Any] = [chip(f"{fresh} new", tone="acc")] if fresh > 0 else []
    if outside:
        title = "Designs of the front lie outside"
        parts.append(button("Fit", id={"type": RunIds.FIT, "name": "fit"}, size="small", title=title))
    return parts
