"""What the bar asks the server for: workers, and what a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dash import Input, Output, callback, dcc, html
from dash.development.base_component import Component
from django.db.models import Q

from frontend.components.chip import status_chip
from frontend.components.icon import icon
from frontend.ids.shell import ShellIds
from frontend.request import current_user
from webapp.catalogue.service import list_documents
from webapp.runs.service import visible_runs
from webapp.runs.workers import WorkerSummary, worker_summary
from webapp.teams.visibility import Principal

_MOST_PER_GROUP = 6
_SHORTEST_QUERY = 2


@dataclass(frozen=True)
class Hit:
    """Something that a search found: words, a quieter addition, where it leads; `status` and `outcome` for runs."""

    words: str
    note: str
    href: str
    status: str = ""
    outcome: str = ""


def find_runs(principal: Principal, query: str) -> list[Hit]:
    """The newest runs that `principal` sees whose title, engine or number matches."""
    wanted = Q(title__icontains=query) | Q(engine__icontains=query)
    if query.isdigit():
        wanted |= Q(pk=int(query[:18]))
    found = visible_runs(principal).filter(wanted).order_by("-pk")[:_MOST_PER_GROUP]
    return [Hit(run.title, f"{run.pk:04d}", f"/runs/{run.pk}", run.status, run.outcome) for run in found]


def find_documents(principal: Principal, kind: str, query: str) -> list[Hit]:
    """Documents of a kind whose slug, title or summary holds every word of the query; they lead to their page."""
    words = query.lower().split()
    hits = []
    for entry in list_documents(principal, kind):
        text = f"{entry.slug} {entry.title} {entry.summary}".lower()
        if all(word in text for word in words):
            hits.append(Hit(entry.title, entry.slug, f"/catalogue/{kind}/{entry.name}"))
    return hits[:_MOST_PER_GROUP]


@callback(Output(ShellIds.SEARCH_RESULTS, "children"), Input(ShellIds.SEARCH, "value"), prevent_initial_call=True)
def show_results(query: str | None) -> list[Component]:
    """Runs, hardware and workloads that match, as links under the field."""
    query = (query or "").strip()[:100]
    if len(query) < _SHORTEST_QUERY and not query.isdigit():
        return []
    user = current_user()
    groups = (
        ("Runs", "chart-scatter", find_runs(user, query)),
        ("Hardware", "cpu", find_documents(user, "hardware", query)),
        ("Workloads and models", "stack-2", find_documents(user, "workload", query)),
    )
    parts = [part for title, picture, hits in groups if hits for part in _group(title, picture, hits)]
    return parts or [html.Div(f"Nothing matches “{query}”.", className="find-group")]


def _group(title: str, picture: str, hits: Sequence[Hit]) -> list[Component]:
    return [html.Div(title, className="find-group"), *hit_rows(picture, hits)]


def hit_rows(picture: str, hits: Sequence[Hit]) -> list[Component]:
    """A link per hit: what it is called, its number or slug, and the state of a run."""
    rows: list[Component] = []
    for hit in hits:
        state = [status_chip(hit.status, hit.outcome)] if hit.status else []
        # The number tells runs of one title apart, so it is never cut; a slug says again what the title says.
        note = html.Span(hit.note, className="mono t3 nw" if hit.status else "mono t3 el")
        words = [html.Span(hit.words, className="el", title=hit.words), note]
        rows.append(dcc.Link([icon(picture, "s", "t3"), *words, html.Span(className="sp"), *state], href=hit.href))
    return rows


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
