"""The run that computes a reproduction, as the page of its method shows it, and the buttons that start one."""

from __future__ import annotations

from typing import Any

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.reproduction.reproductions import parts_of
from frontend.components.button import Kind, button, link_button
from frontend.components.chip import status_chip
from frontend.designs.run_words import percent_done, run_seconds
from frontend.figures.numbers import duration
from frontend.ids.reproductions import ReproductionIds
from webapp.reproductions import runs
from webapp.runs.models import Run
from webapp.teams.visibility import Principal, may_edit

_RESUMABLE = (Run.Status.STOPPED, Run.Status.FAILED)


def state_of(run: Run | None) -> dict[str, Any]:
    """Return the state of the page, by which its store detects changes."""
    return {} if run is None else {"run": run.pk, "status": run.status}


def actions(method: str, run: Run | None, again: bool) -> list[Component]:
    """Start buttons; none while a run of one's own is on its way. `again`: whether there are values already."""
    if run is not None and run.active:
        return []
    quick, full = runs.expected_s(method, True), runs.expected_s(method, False)
    verb = "Recompute" if again else "Compute"
    return [
        _action("quick", f"{verb}, quick · about {duration(quick)}", "player-play", "primary"),
        _action("full", f"{verb} all · about {duration(full)}", "player-play", "plain"),
    ]


def tools(method: str) -> list[Component]:
    """Return the links to files."""
    return [
        button("Print", id=ReproductionIds.PRINT, icon="file-text", kind="quiet"),
        link_button(
            "CSV",
            f"/api/v1/reproductions/{method}/comparisons.csv?bom=1",
            icon="download",
            kind="quiet",
            download=f"reproduction-{method}.csv",
        ),
    ]


def job_strip(principal: Principal, run: Run | None) -> Component:
    """Return the status of the run with its actions; empty without a relevant run.

    Only `job_progress` changes while it continues: a button that is drawn again every second loses clicks.
    """
    if run is None:
        return html.Div(id=ReproductionIds.JOB, hidden=True)
    controls = [
        *_controls(principal, run),
        dcc.Link("Run, log and tables", href=f"/runs/{run.pk}?tab=data", className="sm"),
    ]
    tone = " bad" if run.status == Run.Status.FAILED else ""
    return html.Div(
        [
            html.Div(job_progress(run), id=ReproductionIds.JOB, className="stack g8 repro-job-progress"),
            html.Div(controls, className="row g8"),
        ],
        className=f"card row g12 repro-job{tone}",
    )


def job_progress(run: Run) -> list[Component]:
    """Return state, part at hand, share done and time."""
    title = "Quick" if run.params["quick"] else "All comparisons"
    detail = str(run.outcome_detail.get("text", "")) if run.status == Run.Status.FAILED else run.message
    passed = run_seconds(run, timezone.now())
    waits = "waits for a worker" if run.active else ""
    how_far = f"{percent_done(run)}, {duration(passed)}" if passed is not None else waits
    line: list[Component] = [
        status_chip(run.status, run.outcome),
        html.Span(title, className="b"),
        html.Span(detail, className="t2 repro-job-words", title=detail),
        html.Span(className="sp"),
        html.Span(how_far, className="num t2"),
    ]
    bar = html.Div(html.Div(style={"width": f"{100 * run.fraction:.0f}%"}), className="bar")
    return [html.Div(line, className="row g8 wrap"), bar]


def _controls(principal: Principal, run: Run) -> list[Component]:
    if not may_edit(principal, run):
        return []
    if run.active:
        return [_action("stop", "Stop", "player-stop", "plain", small=True)]
    if run.status not in _RESUMABLE:
        return []
    parts = len(parts_of(run.params["method"], run.params["quick"]))
    done = round(run.fraction * parts)
    return [_action("continue", f"Continue after part {done} of {parts}", "player-play", "plain", small=True)]


def _action(name: str, words: str, icon: str, kind: Kind, small: bool = False) -> Component:
    action_id = {"type": ReproductionIds.ACTION_TYPE, "name": name}
    return button(words, id=action_id, icon=icon, kind=kind, size="small" if small else "medium")
