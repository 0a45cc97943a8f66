"""Hits of the search field in the bar, as links in groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dash import dcc, html
from dash.development.base_component import Component

from engines.registry import installed_engines
from frontend.components.chip import status_chip
from frontend.components.icon import icon
from frontend.components.name import cut_name
from webapp.catalogue.service import DocumentEntry, builtin_entries, entries_of
from webapp.items.registry import Item, items
from webapp.search.service import found
from webapp.search.words import words_of
from webapp.teams.permissions import Principal, known

MOST_PER_GROUP = 6


@dataclass(frozen=True)
class Hit:
    """A search hit: its text, an addition in muted colour and its link; `status` and `outcome` for runs."""

    words: str
    note: str
    href: str
    status: str = ""
    outcome: str = ""


def find_runs(principal: Principal, query: str) -> list[Hit]:
    """Return newest runs that `principal` sees whose words begin so: title, engine, owner, inputs, labels of designs, number."""
    rows = found(principal, query, "run", MOST_PER_GROUP)
    # "0012", as pages write the number of a run.
    rows.sort(key=lambda run: query.isdigit() and run.pk == int(query[:18]), reverse=True)
    return [Hit(run.title, f"{run.pk:04d}", f"/runs/{run.pk}", run.status, run.outcome) for run in rows]


def find_items(principal: Principal, query: str, item: Item) -> list[Hit]:
    """Return the items whose number is in the path of their page; they lead there."""
    rows = found(principal, query, item.name, MOST_PER_GROUP)
    return [Hit(item.label(each), f"{each.pk:04d}", item.path(each)) for each in rows]


def find_documents(principal: Principal, kind: str, query: str) -> list[Hit]:
    """Return the documents of a kind, one's own first, then built-ins whose slug, title or summary has every word.

    They lead to their page.
    """
    wanted = words_of(query)
    if not wanted or not known(principal):
        return []
    own = [each for each in found(principal, query, "document", 5 * MOST_PER_GROUP) if each.kind == kind]
    entries: list[DocumentEntry] = entries_of(principal, own)
    entries += [
        entry for entry in builtin_entries(kind) if _begin(wanted, words_of(entry.slug, entry.title, entry.summary))
    ]
    hits = [Hit(entry.title, entry.slug, f"/catalogue/{kind}/{entry.name}") for entry in entries]
    return hits[:MOST_PER_GROUP]


def find_engines(query: str) -> list[Hit]:
    """Return the engines whose name or title has every word; they lead to a new run."""
    wanted = words_of(query)
    engines = [
        engine for engine in installed_engines() if wanted and _begin(wanted, words_of(engine.name, engine.title))
    ]
    return [Hit(engine.title, engine.name, f"/new?engine={engine.name}") for engine in engines][:MOST_PER_GROUP]


def found_groups(principal: Principal, query: str) -> list[Component]:
    """Return the hits of a query in groups; one line if there are none."""
    others = (each for each in items("searchable").values() if each.page and each.name != "run")
    groups = (
        ("Runs", "chart-scatter", find_runs(principal, query)),
        *((each.plural, each.icon, find_items(principal, query, each)) for each in others),
        ("Hardware", "cpu", find_documents(principal, "hardware", query)),
        ("Workloads and models", "stack-2", find_documents(principal, "workload", query)),
        ("Engines", "route", find_engines(query)),
    )
    parts = [part for title, picture, hits in groups if hits for part in _group(title, picture, hits)]
    return parts or [html.Div(f"Nothing matches “{query}”.", className="find-group")]


def hit_rows(picture: str, hits: Sequence[Hit]) -> list[Component]:
    """Return a link per hit: what it is called, its number or slug, and the state of a run."""
    rows: list[Component] = []
    for hit in hits:
        state = [status_chip(hit.status, hit.outcome)] if hit.status else []
        # The number tells runs of one title apart, so it is never cut; a slug says again what the title says.
        note = html.Span(hit.note, className="mono t3 nw" if hit.note.isdigit() else "mono t3 el")
        words = [cut_name(hit.words), note]
        rows.append(dcc.Link([icon(picture, "s", "t3"), *words, html.Span(className="sp"), *state], href=hit.href))
    return rows


def _group(title: str, picture: str, hits: Sequence[Hit]) -> list[Component]:
    return [html.Div(title, className="find-group"), *hit_rows(picture, hits)]


def _begin(wanted: Iterable[str], words: Sequence[str]) -> bool:
    return all(any(word.startswith(each) for word in words) for each in wanted)
