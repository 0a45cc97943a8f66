"""The workers and their last errors, as an administrator sees them."""

from __future__ import annotations

from datetime import datetime

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.moment import moment
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import ago, percent
from frontend.ids.workers import WorkersIds
from webapp.runs.models import Run
from webapp.runs.queue.worker_overview import ErrorLine, WorkerLine, last_errors, worker_lines
from webapp.teams.permissions import Principal

_LONGEST_REASON = 300


def workers_view(person: Principal) -> list[Component]:
    """Return both cards.

    Raises:
        NotAllowed: `person` does not look after the site.
    """
    now = timezone.now()
    return [_workers_card(worker_lines(person), now), _errors_card(last_errors(person), now)]


def _workers_card(lines: list[WorkerLine], now: datetime) -> Component:
    if not lines:
        words = "Queued runs start with a worker: celery -A webapp.site.celery:app worker --pool threads"
        return card(
            "Workers", empty_state("alert-triangle", "No worker has reported in the last minute", words, level=3)
        )
    columns = [*(Column(title) for title in ("Worker", "State", "Since", "Offers", "Now")), Column("")]
    table = plain_table(columns, [_worker_row(line, now) for line in lines])
    idle = [line for line in lines if line.beat.draining and line.alive and not line.runs]
    done = f"{', '.join(line.beat.name for line in idle)}: nothing left to finish, can be ended."
    told = notice(done) if idle else None
    body = html.Div([html.Div(table, className="table-scroll"), told], className="stack g8")
    return card("Workers", body, subtitle=_slots_words(lines))


def _slots_words(lines: list[WorkerLine]) -> str:
    alive = [line.beat for line in lines if line.alive]
    slots, busy = sum(beat.slots for beat in alive), sum(beat.busy for beat in alive)
    return f"{len(alive)} of {len(lines)} running, {busy} of {slots} places busy"


def _worker_row(line: WorkerLine, now: datetime) -> list[Component | str]:
    beat = line.beat
    offers = [chip(name) for name in beat.offers.split(",") if name]
    offers += [chip("short runs only")] if beat.short_only else []
    runs = [_run_line(run, now) for run in line.runs]
    idle = html.Span("nothing", className="t3")
    return [
        html.Span(beat.name, className="mono"),
        _state(line, now),
        moment(beat.started, now, "nw"),
        html.Div(offers or html.Span("nothing special", className="t3"), className="row g4 wrap"),
        html.Div(runs or idle, className="stack g4"),
        html.Div(_button(line), className="row team-actions"),
    ]


def _state(line: WorkerLine, now: datetime) -> Component:
    beat = line.beat
    if not line.alive:
        return chip(f"silent since {ago(beat.seen, now)}", tone="bad")
    if beat.draining:
        return chip("draining", tone="warn", title="It finishes its runs and takes no new ones")
    return chip(f"{beat.busy} of {beat.slots} busy", tone="good" if beat.busy < beat.slots else "plain")


def _run_line(run: Run, now: datetime) -> Component:
    since = f", begun {ago(run.started, now)}" if run.started else ""
    facts = f"{percent(run.fraction)}{since}, {run.owner.get_username()} in {run.project.title}"
    # Administrators look after the site, which gives them no role in a project: the page of the run may not open for them.
    return html.Div(
        [dcc.Link(f"{run.pk:04d}", href=f"/runs/{run.pk}", className="link mono"), html.Span(facts, className="sm t2")],
        className="row g8",
    )


def _button(line: WorkerLine) -> Component | None:
    if not line.alive:
        return None
    draining = line.beat.draining
    return button(
        "Take runs again" if draining else "Drain",
        id={"type": WorkersIds.ACTION_TYPE, "worker": line.beat.name, "draining": int(not draining)},
        size="small",
        title="Let it take runs again"
        if draining
        else "It finishes its runs and takes no new ones until it ends or you undo this",
    )


def _errors_card(errors: list[ErrorLine], now: datetime) -> Component:
    if not errors:
        return card("Last errors", html.P("No attempt of a run has failed.", className="sm t2"))
    columns = [Column("Run"), Column("Worker"), Column("Ended"), Column("Why")]
    rows = [_error_row(error, now) for error in errors]
    table = html.Div(plain_table(columns, rows), className="table-scroll")
    return card("Last errors", table, subtitle="of failed runs, and of runs that continue in another attempt")


def _error_row(error: ErrorLine, now: datetime) -> list[Component | str]:
    run = dcc.Link(f"{error.run.pk:04d}", href=f"/runs/{error.run.pk}", className="link mono")
    when = "continues" if error.at is None else ago(error.at, now)
    attempt = html.Span(f"attempt {error.attempt}", className="sm t3")
    reason = error.reason if len(error.reason) <= _LONGEST_REASON else f"{error.reason[:_LONGEST_REASON]} …"
    return [
        html.Div([run, attempt], className="row g8 nw"),
        html.Span(error.worker, className="mono"),
        html.Span(when, className="nw"),
        html.Span(reason, className="sm"),
    ]
