"""What the bar asks the server for: workers, and what a search finds."""

from __future__ import annotations

from dash import Input, Output, callback, html
from dash.development.base_component import Component

from frontend.components.found import found_groups
from frontend.ids.shell import ShellIds
from frontend.request import current_user
from webapp.runs.workers import WorkerSummary, worker_summary

_SHORTEST_QUERY = 2


@callback(Output(ShellIds.SEARCH_RESULTS, "children"), Input(ShellIds.SEARCH, "value"), prevent_initial_call=True)
def show_results(query: str | None) -> list[Component]:
    """What words find, as links under the field."""
    query = (query or "").strip()[:100]
    if len(query) < _SHORTEST_QUERY and not query.isdigit():
        return []
    return found_groups(current_user(), query)


@callback(Output(ShellIds.WORKERS, "children"), Input(ShellIds.WORKERS_TICK, "n_intervals"), prevent_initial_call=True)
def show_workers(_ticks: int | None) -> list[Component]:
    """How many workers gave a sign of life."""
    return workers_words(worker_summary())


def workers_words(summary: WorkerSummary) -> list[Component]:
    """Green while any worker lives, red when there is none: queued runs then wait."""
    tone = "good" if summary.alive else "bad"
    words = f"{summary.alive} of {summary.known} workers" if summary.known else "no workers"
    if summary.known == 1:
        words = f"{summary.alive} of 1 worker"
    busy = f"{summary.busy} of {summary.slots} slots busy" if summary.alive else "queued runs wait for a worker"
    return [html.Span(className=f"dot {tone}"), html.Span(words, title=busy)]
