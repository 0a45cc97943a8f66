"""Requests of the bar to the server: workers, and search hits."""

from __future__ import annotations

from typing import Any

from dash import Input, Output, callback, html
from dash.development.base_component import Component

from frontend.components.shell.search_hits import found_groups
from frontend.figures.numbers import integer, many
from frontend.ids.shell import ShellIds
from frontend.request import current_user
from webapp.annotations.notices import unread_count
from webapp.runs.queue.workers import WorkerSummary, worker_summary
from webapp.teams.permissions import Principal

_SHORTEST_QUERY = 2


@callback(Output(ShellIds.SEARCH_RESULTS, "children"), Input(ShellIds.SEARCH, "value"), prevent_initial_call=True)
def show_results(query: str | None) -> list[Component]:
    """Return the search results as links below the field."""
    query = (query or "").strip()[:100]
    if len(query) < _SHORTEST_QUERY and not query.isdigit():
        return []
    return found_groups(current_user(), query)


@callback(
    Output(ShellIds.WORKERS, "children"),
    Output(ShellIds.NOTICES, "children"),
    Input(ShellIds.WORKERS_TICK, "n_intervals"),
    prevent_initial_call=True,
)
def show_workers(_ticks: int | None) -> Any:
    """Return the number of active workers and of unread notices."""
    return workers_words(worker_summary()), bell_count(current_user())


def bell_count(person: Principal) -> list[Component]:
    """Return the number of unread notices for the bell; nothing if there is none."""
    count = unread_count(person)
    if not count:
        return []
    return [html.Span(integer(count), className="bell-count num"), html.Span(" new", className="visually-hidden")]


def workers_words(summary: WorkerSummary) -> list[Component]:
    """Return the green while any worker lives, red when there is none: queued runs then wait."""
    tone = "good" if summary.alive else "bad"
    words = f"{summary.alive} of {many(summary.known, 'worker')}" if summary.known else "no workers"
    busy = f"{summary.busy} of {many(summary.slots, 'slot')} busy" if summary.alive else "queued runs wait for a worker"
    return [html.Span(className=f"dot {tone}"), html.Span(words, title=busy)]
