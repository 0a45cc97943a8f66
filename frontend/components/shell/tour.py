"""The tour of two minutes: from Home to a first result, its front, a design, and a comparison.

The words and places are here, the browser walks through them (`assets/tour.js`). It can be ended at any step and started again from
the user menu.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from dash import html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.icon import icon
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.teams.visibility import Principal

TOUR, INVITATION = "tour", "tour-invitation"


@dataclass(frozen=True)
class TourStep:
    """One stop of the tour.

    Attributes:
        path: page on which it is; the browser goes there.
        place: CSS selector of what is pointed at; "" points at nothing.
        title: a few words.
        words: one to three sentences.
    """

    path: str
    place: str
    title: str
    words: str


def tour_steps(run: int | None, other: int | None = None) -> tuple[TourStep, ...]:
    """Return the stops; with a first result where `run` is one, else the way to it. `other` is a second one, to compare with."""
    begin = TourStep(
        "/",
        "#home-runs",
        "All runs are listed here",
        "A run takes hardware, a workload and a search method. It answers with designs: which layer runs "
        "where and when, and at what cost.",
    )
    own = TourStep(
        "/new",
        "#new-chooser",
        "Start your own",
        "Choose a question, then a device and networks from the catalogue. You can also upload your own as "
        "ONNX or YAML. Before the run starts, the page says which inputs it needs and whether they fit.",
    )
    if run is None:
        return (begin, own, _end("/new"))
    page = f"/runs/{run}"
    compared = "Add a second run" if other is None else "Two runs side by side"
    return (
        begin,
        TourStep(
            page,
            "#run-progress",
            "A result",
            "The head shows the progress of the search, its best design, and the difference to the "
            "published baselines. While a run is live, everything on this page is updated.",
        ),
        TourStep(
            page,
            "#run-front",
            "The front",
            "Every dot is a design. On the Pareto front, no objective can improve without another getting "
            "worse. Click a dot, or use the arrow keys.",
        ),
        TourStep(
            page,
            "#run-limit-box",
            "Limits",
            "Set limits: designs beyond a limit leave all plots at once, and the short list ranks the "
            "rest. Ctrl+Z undoes a change.",
        ),
        TourStep(
            page,
            "#run-grid",
            "One design in every view",
            "Every picture shows the selected design: which layers run on which chiplet or unit, and the "
            "schedule below. The tabs above have tables, convergence, and every input with its source.",
        ),
        TourStep(
            f"/compare?runs={run}" if other is None else f"/compare?runs={run},{other}",
            "#compare-add" if other is None else "#compare-fronts",
            "Compare",
            f"{compared}, of another method or device if you like. Fronts lie over each other, "
            "schedules share one time axis, and the page says what differs. A study does that over many seeds.",
        ),
        own,
        _end("/new"),
    )


def _end(path: str) -> TourStep:
    return TourStep(
        path,
        "",
        "End of the tour",
        "Press ? for the keys of every page. The catalogue gives a source for every value. Reproductions "
        "compare published and computed results. The tour is in your menu at the top right.",
    )


def first_results(principal: Principal) -> list[int]:
    """Return numbers of the two oldest finished runs with designs that `principal` sees; fewer where there are fewer."""
    if not principal.is_authenticated:
        return []
    runs = visible_runs(principal).filter(status=Run.Status.DONE, design_count__gt=0)
    return list(runs.order_by("pk").values_list("pk", flat=True)[:2])


def tour(principal: Principal) -> Component:
    """Return the box of the tour, hidden until it is started; the browser fills it."""
    found = first_results(principal)
    steps = [asdict(step) for step in tour_steps(*found or (None,))]
    return html.Section(
        [
            html.Div(
                [html.H2(id="tour-title"), html.Span(id="tour-count", className="sm t3 num nw")],
                className="row between",
            ),
            html.P(id="tour-words"),
            html.Div(
                [
                    button("End", id="tour-end", kind="quiet"),
                    html.Span(className="sp"),
                    button("Back", id="tour-back", icon="arrow-left"),
                    button("Next", id="tour-next", kind="primary"),
                ],
                className="row",
            ),
        ],
        id=TOUR,
        className="tour card",
        hidden=True,
        tabIndex="-1",
        role="dialog",
        **{"aria-labelledby": "tour-title", "aria-describedby": "tour-words", "data-steps": json.dumps(steps)},
    )


def tour_invitation() -> Component:
    """Return the invitation to the tour on Home; the browser shows it until the user takes or dismisses the tour."""
    closing: dict[str, Any] = {"aria-label": "No tour, thank you", "data-tour": "away"}
    return html.Div(
        [
            icon("route", "s"),
            html.Span("New here? A two-minute tour shows a run, its front, a design and a comparison.", className="sm"),
            html.Span(className="sp"),
            html.Button("Take the tour", className="btn small", type="button", **{"data-tour": "start"}),
            html.Button(icon("x", "s"), className="ib tiny", type="button", title="No tour, thank you", **closing),
        ],
        id=INVITATION,
        className="card row tour-invitation",
        hidden=True,
    )
