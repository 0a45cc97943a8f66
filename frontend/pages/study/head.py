"""The head of the page of a study: progress, what the grid is made of, what is the same in every cell. No callbacks."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from frontend.components.chip import chip
from frontend.components.pictures.kpi import kpi
from frontend.figures.numbers import integer, many, percent
from frontend.pages.study.words import axis_title, value_title
from webapp.studies.document import short_name
from webapp.studies.models import Study
from webapp.studies.service import Progress, grid_of


def progress_view(progress: Progress) -> list[Component]:
    """Return a bar of the work done and how many runs stand where."""
    ended = progress.done + progress.failed + progress.stopped
    share = percent(progress.fraction)
    bar = html.Div(
        [
            html.Div(
                [
                    html.Span(f"{integer(ended)} of {many(progress.total, 'run')} ended", className="sm num"),
                    html.Span(className="sp"),
                    html.Span(share, className="sm t2 num"),
                ],
                className="row",
            ),
            html.Div(html.Div(style={"width": f"{100 * progress.fraction:.1f}%"}), className="bar"),
        ],
        className="run-progress",
        role="progressbar",
        **{
            "aria-label": "Work done of the study",
            "aria-valuenow": f"{100 * progress.fraction:.0f}",
            "aria-valuemin": "0",
            "aria-valuemax": "100",
        },
    )
    counts = [("Running", progress.running), ("Waiting", progress.queued), ("Done", progress.done)]
    counts += [(name, number) for name, number in (("Infeasible", progress.infeasible), ("Stopped", progress.stopped),
                                                   ("Failed", progress.failed)) if number]  # fmt: skip
    return [bar, *[kpi(name, integer(number)) for name, number in counts]]


def single_values(study: Study, engine: Engine) -> list[Component]:
    """Return the values that all combinations share: inputs with one value, set parameters, a single seed."""
    grid = grid_of(study)
    same = [(axis.name, axis.values[0]) for axis in grid.axes if not axis.varies]
    same += [(f"params.{name}", value) for name, value in grid.params.items()]
    chips = [
        chip(
            html.Span(axis_title(name, engine), className="t3"),
            f" {value_title(name, value, engine, study.titles)}",
            tone="line",
            title=str(value),
        )
        for name, value in same
    ]
    return [html.Span("In every cell", className="sm t3"), *chips] if chips else []


def size_words(study: Study) -> str:
    """Return the size of the grid: "2 hardware × 3 workloads × 3 seeds"."""
    document = study.document
    factors = [(len(slugs), slot) for slot, slugs in document.get("inputs", {}).items()]
    factors += [
        (len(given["each"]), name)
        for name, given in document.get("params", {}).items()
        if isinstance(given, dict) and "each" in given
    ]
    factors.append((len(document.get("seeds", [])), "seed"))
    return " × ".join(many(count, short_name(name)) for count, name in factors if count > 1) or "one cell"
