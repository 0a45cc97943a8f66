"""Versions of a document, the runs that pin them, and what differs between two. No callbacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from django.db.models import QuerySet
from django.utils import timezone

from engines.contract.errors import ProblemError
from frontend.components.card import card, card_title
from frontend.components.chip import chip
from frontend.components.items.conflict import value_words
from frontend.components.items.notes import notes_card
from frontend.components.name import cut_name
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.designs.run_words import person_name
from frontend.figures.numbers import ago, integer
from frontend.ids.catalogue import DocumentIds
from frontend.pages.asked_number import asked_number
from frontend.pages.catalogue.data import address_of
from frontend.pages.catalogue.document.frame import DocumentView, edit_href
from frontend.pages.catalogue.document.outdated_runs import outdated_box
from webapp.catalogue.differences import Difference, differences
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import DocumentEntry, get_entry, list_documents
from webapp.runs.models import Run, RunInput
from webapp.runs.service import visible_runs
from webapp.teams.visibility import Principal, may_edit, visible

_MOST_RUNS = 5
_MOST_DIFFERENCES = 300
_LONGEST_VALUE = 160


def versions_card(principal: Principal, shown: DocumentView) -> Component:
    """Return the versions, newest first, each with who stored it, when, how many runs pin it, and what is different now."""
    entry = shown.entry
    pinned = _pinned(principal, shown)
    runs = visible_runs(principal).filter(pk__in=pinned.values("run"))
    counts = Counter(pinned.values_list("content_hash", flat=True))
    if entry.builtin:
        words = "Built in and read-only. To change it, make a copy with versions of its own."
        lines: list[Component] = [_version_line("v1", "built in", entry.summary, True, sum(counts.values()), [])]
        lines.append(html.Div(words, className="sm t3 document-note"))
    else:
        restorable = entry.kind == "hardware" and bool(shown.versions) and may_edit(principal, shown.versions[0])
        lines = [_stored_line(shown, each, counts[each.content_hash], restorable) for each in shown.versions]
    return card(
        "Versions", html.Div(lines, className="timeline"), *_newest_runs(runs), subtitle="a version never changes"
    )


def versions_and_notes(principal: Principal, shown: DocumentView) -> Component:
    """Return the versions, and below them the notes on the one that is shown; what is built in has none."""
    here = next((each for each in shown.versions if each.number == shown.entry.version), None)
    notes = [notes_card("version", here.pk, may_edit(principal, here))] if here else []
    return html.Div([versions_card(principal, shown), *notes], className="stack g12")


def _stored_line(shown: DocumentView, version: DocumentVersion, runs: int, restorable: bool) -> Component:
    here = version.number == shown.entry.version
    who = f"{ago(version.created, timezone.now())} {person_name(version.created_by)}"
    base = address_of(shown.entry)
    links: list[Component] = []
    if not here:
        links = [
            dcc.Link("open", href=f"{base}?version={version.number}"),
            dcc.Link("compare", href=f"{base}?version={shown.entry.version}&tab=versions&versus=v{version.number}"),
        ]
    if restorable and version.number != shown.newest:
        links.append(dcc.Link("restore", href=edit_href(replace(shown.entry, version=version.number))))
    return _version_line(f"v{version.number}", who, version.reason or version.summary, here, runs, links)


def _version_line(number: str, who: str, words: str, on: bool, runs: int, links: list[Component]) -> Component:
    top = [html.Span(number, className="b num"), html.Span(who, className="sm t2")]
    pinned = f"{integer(runs)} runs pin it" if runs != 1 else "1 run pins it"
    below = [html.Span(pinned if runs else "no runs", className="t3 num"), *links]
    return html.Div(
        [
            html.Div(top, className="row"),
            html.Div(words, className="sm el", title=words),
            html.Div(below, className="row xs"),
        ],
        className="timeline-entry on" if on else "timeline-entry",
    )


def _pinned(principal: Principal, shown: DocumentView) -> QuerySet[RunInput]:
    """Return where runs pin any version of the document, as far as `principal` sees them, told by what they pinned."""
    inputs = visible(principal, RunInput.objects.filter(kind=shown.entry.kind))
    if shown.entry.builtin:
        return inputs.filter(slug=shown.entry.slug)
    return inputs.filter(content_hash__in=[version.content_hash for version in shown.versions])


def _newest_runs(runs: QuerySet[Run]) -> list[Component]:
    found: list[Run] = list(runs.order_by("-pk")[: _MOST_RUNS + 1])
    title = html.Div("Newest runs that use it", className="b sm document-runs-head")
    if not found:
        return [title, html.Div("None yet.", className="sm t3")]
    links = [
        dcc.Link(
            [cut_name(run.title), html.Span(f"{run.pk:04d}", className="mono t3")],
            href=f"/runs/{run.pk}",
            className="li",
        )
        for run in found[:_MOST_RUNS]
    ]
    more = [html.Div("and older ones", className="xs t3 document-none")] if len(found) > _MOST_RUNS else []
    return [title, html.Div([*links, *more])]


def versions_tab(principal: Principal, shown: DocumentView, versus: str) -> Component:
    """Return the differences of this version and another one, by default the one before, or another document of the kind."""
    options = _versus_options(principal, shown)
    known = {option["value"] for group in options for option in group["items"]}
    chosen = versus if versus in known else _one_before(shown)
    select: Component = dmc.Select(
        id=DocumentIds.VERSUS,
        data=options,
        value=chosen,
        searchable=True,
        clearable=True,
        placeholder="another version or document",
        nothingFoundMessage="No such document",
        w=340,
        **{"aria-label": "Compare with"},
    )
    head_row = html.Div(
        [card_title("Differences"), html.Span("Compare with", className="sm t3"), select], className="ch"
    )
    body = html.Div(difference_view(principal, shown, chosen), id=DocumentIds.DIFFERENCES, **{"aria-live": "polite"})
    return html.Div(
        [
            html.Section([head_row, body], className="card grow document-differences", **{"aria-label": "Differences"}),
            html.Div(
                [versions_and_notes(principal, shown), *_outdated(principal, shown)], className="document-side stack"
            ),
        ],
        className="row top g12 stretch",
    )


def _outdated(principal: Principal, shown: DocumentView) -> list[Component]:
    found = outdated_box(principal, shown.versions[0].document) if shown.versions else None
    return [card("Out of date", found)] if found else []


def _versus_options(principal: Principal, shown: DocumentView) -> list[dict[str, Any]]:
    entry = shown.entry
    versions = [
        {"value": f"v{version.number}", "label": f"v{version.number}: {version.title}"}
        for version in shown.versions
        if version.number != entry.version
    ]
    others = [
        {"value": other.name, "label": other.title}
        for other in list_documents(principal, entry.kind)
        if other.name != entry.name and other.schema == entry.schema
    ]
    groups = [{"group": "Versions", "items": versions}, {"group": "Other documents", "items": others}]
    return [group for group in groups if group["items"]]


def _one_before(shown: DocumentView) -> str | None:
    """Return the newest version that is older than the one that is shown; None where there is none."""
    older = [version.number for version in shown.versions if version.number < shown.entry.version]
    return f"v{max(older)}" if older else None


def difference_view(principal: Principal, shown: DocumentView, versus: str | None) -> Component:
    """Return key, value there, value here, of everything that is not the same."""
    if not versus:
        words = "Pick another version, or another document of the same kind, to list every key that differs."
        return empty_state("git-compare", "Nothing is compared", words, level=3)
    other = _versus_entry(principal, shown, versus)
    if other is None:
        return empty_state("search", "It no longer exists", "Pick another one.", level=3)
    found = differences(other.content, shown.entry.content)
    if not found:
        return empty_state("circle-check", "No difference", "Both are equal, key by key.", level=3)
    names = (
        (f"v{other.version}", f"v{shown.entry.version}")
        if other.name == shown.entry.name
        else (other.title, shown.entry.title)
    )
    columns = [Column("Key"), Column(f"From: {names[0]}"), Column(f"To: {names[1]}"), Column("")]
    rows = [_difference_row(each) for each in found[:_MOST_DIFFERENCES]]
    rest = len(found) - _MOST_DIFFERENCES
    note = (
        html.Div(f"and {integer(rest)} more; the YAML has all", className="sm t3 document-none") if rest > 0 else None
    )
    count = f"{integer(len(found))} keys differ" if len(found) > 1 else "1 key differs"
    return html.Div(
        [
            html.Div(count, className="sm t2 document-none"),
            html.Div(plain_table(columns, rows), className="table-scroll"),
            note,
        ]
    )


def _versus_entry(principal: Principal, shown: DocumentView, versus: str) -> DocumentEntry | None:
    entry = shown.entry
    try:
        number = asked_number(versus[1:]) if versus[:1] == "v" and not entry.builtin else None
        if number is not None:
            return get_entry(principal, entry.kind, entry.name, number)
        return get_entry(principal, entry.kind, versus)
    except ProblemError:
        return None


def _difference_row(each: Difference) -> list[Component | str]:
    tones = {"added": "good", "removed": "bad", "changed": "plain"}
    return [
        html.Span(each.key, className="mono"),
        _value(each.before, each.change == "added"),
        _value(each.after, each.change == "removed"),
        chip(each.change, tone=tones[each.change]),  # type: ignore[arg-type]
    ]


def _value(value: Any, absent: bool) -> Component:
    if absent:
        return html.Span("–", className="t3")
    words = value_words(value)
    shown = words if len(words) <= _LONGEST_VALUE else words[:_LONGEST_VALUE] + "…"
    return html.Span(shown, className="difference-value", title=words[:2000])
