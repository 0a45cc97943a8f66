"""Everything around the picture of the front: made once for the layout, and again whenever its callback is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from frontend.components.button import button
from frontend.components.chip import chip
from frontend.components.states import empty_state
from frontend.figures.front import Hidden, View
from frontend.ids.run import RunIds
from frontend.pages.run_data import RunDesigns, obstacle
from frontend.pages.run_front import (
    REFIT_BELOW,
    FrontRequest,
    drawn_front,
    front_summary,
    next_view,
    selection_words,
)
from frontend.pages.run_layout import blank_figure, sizes
from frontend.pages.run_rail import SWITCHES, nothing_left, remaining_words
from frontend.pages.run_selection import follow_best
from frontend.pages.run_view import lower_bounds
from frontend.theme import Scheme

if TYPE_CHECKING:
    from webapp.runs.models import Run

_HIDDEN: Mapping[str, Hidden] = {"dominated": "dominated", "baselines": "baselines", "products": "products"}


@dataclass(frozen=True)
class Asked:
    """What the reader chose of the front.

    Attributes:
        x, y: columns of the axes.
        limits: column -> limit.
        shown: which of `SWITCHES` are on, in their order.
        scheme, viewport: of the browser.
        selection: the one selection of the page.
        view: what the axes showed before (`FrontShown.view`), or None.
        data: the store of the run's designs: count, live, and how many of them were seen before.
    """

    x: str
    y: str
    limits: Mapping[str, float]
    shown: Sequence[bool]
    scheme: Scheme
    viewport: Any
    selection: Mapping[str, Any]
    view: Mapping[str, Any] | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class FrontShown:
    """The picture, its sentence, what lies over it, what stands in its head, how many designs remain, and its ranges."""

    figure: Any
    summary: str
    over: Any
    news: Any
    remaining: Any
    view: dict[str, Any] | None


def front_request(run: Run, designs: RunDesigns, asked: Asked) -> FrontRequest:
    """What `frontend.pages.run_front` is to draw."""
    width, height = sizes(asked.viewport).front_plot
    kept = asked.view if asked.view and asked.view.get("axes") == [asked.x, asked.y] else None
    number = asked.selection.get("design")
    return FrontRequest(
        asked.x,
        asked.y,
        asked.scheme,
        width,
        height,
        asked.limits,
        lower_bounds(run, designs),
        [_HIDDEN[name] for (name, _), on in zip(SWITCHES, asked.shown, strict=True) if not on],
        number,
        selection_words(designs, number, asked.data["live"]),
        asked.data.get("seen"),
        View(tuple(kept["x"]), tuple(kept["y"])) if kept else None,
    )


def front_shown(run: Run, designs: RunDesigns, asked: Asked) -> FrontShown:
    """The picture of the front with everything in it, or the words that stand in its place."""
    if not len(designs) or asked.x not in designs.columns or asked.y not in designs.columns:
        return _nothing(run, asked)
    asked = replace(asked, selection=follow_best(designs, asked.selection))
    request = front_request(run, designs, asked)
    ranges, outside = next_view(designs, request)
    fitted_to = len(designs) if request.view is None or asked.view is None else asked.view["count"]
    request = replace(request, view=ranges)
    remain = int(designs.remaining(request.limits).sum())
    fresh = len(designs) - request.seen if request.seen is not None else 0
    return FrontShown(
        drawn_front(designs, request),
        front_summary(designs, remain, request.selected),
        "" if remain else nothing_left(obstacle(designs, request.limits)),
        _new_words(fresh, outside),
        remaining_words(designs, remain, asked.data["live"]),
        {"axes": [asked.x, asked.y], "x": list(ranges.x), "y": list(ranges.y), "count": fitted_to},
    )


def too_early(view: Mapping[str, Any] | None) -> bool:
    """Whether the picture was fitted to so few designs that it says nothing of those that came since."""
    return view is not None and view.get("count", 0) < REFIT_BELOW


def _nothing(run: Run, asked: Asked) -> FrontShown:
    words = "They appear here as soon as the first are stored." if run.active else "This run stored none."
    over = empty_state("chart-scatter", "No designs yet" if run.active else "No designs", words)
    blank = blank_figure(sizes(asked.viewport).front_plot[1])
    return FrontShown(blank, "Pareto front: no designs.", over, "", "", None)


def _new_words(fresh: int, outside: bool) -> list[Any]:
    parts: list[Any] = [chip(f"{fresh} new", tone="acc")] if fresh > 0 else []
    if outside:
        title = "Designs of the front lie outside"
        parts.append(button("Fit", id={"type": RunIds.FIT, "name": "fit"}, size="small", title=title))
    return parts
