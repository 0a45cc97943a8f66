"""The change log as a table. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.errors import ProblemError
from frontend.components.button import link_button
from frontend.components.moment import moment
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import many
from frontend.ids.changes import ChangesIds
from webapp.changes.models import Change
from webapp.changes.service import Line, lines, page_of, people_of, read_asked, visible_changes
from webapp.items.registry import items
from webapp.teams.visibility import Principal, visible_projects

PAGE_SIZE = 50
FILTERS = ("kind", "project", "person", "means", "verb", "since", "until")
_COLUMNS = tuple(Column(title) for title in ("When", "Who", "Action", "To what", "Before and after", "Project"))


def controls(principal: Principal, query: Mapping[str, str]) -> list[Component]:
    """Return the filters, as the address says them."""
    projects = visible_projects(principal).order_by("title").values_list("slug", "title")
    return [
        _select("kind", "Kind", [(name, name.capitalize()) for name in items("logged")], query),
        _select("project", "Project", list(projects), query),
        _select("person", "Person", [(name, name) for name in people_of(principal) if name], query),
        _select("means", "By", [(value, label.capitalize()) for value, label in Change.Means.choices], query),
        _select("verb", "Action", [(value, label.capitalize()) for value, label in Change.Verb.choices], query),
        _day("since", "From", query),
        _day("until", "To", query),
    ]


def results(principal: Principal, query: Mapping[str, str]) -> Component:
    """Return the newest changes that the filters leave, and a link to those before."""
    try:
        found = visible_changes(principal, read_asked(query))
        before = int(query["before"]) if query.get("before", "").isdigit() else None
    except ProblemError as error:
        return notice(str(error), tone="warn")
    page, go_on = page_of(found, PAGE_SIZE, before)
    if not page:
        words = "The change log records what people and their programs change in your projects."
        return empty_state("list", "No changes of this kind yet", words)
    now = timezone.now()
    table = plain_table(_COLUMNS, [_row(line, now) for line in lines(page)])
    return html.Div([html.Div(table, className="changes-table"), _turns(query, go_on, before)])


def export_href(query: Mapping[str, str]) -> str:
    """Return the address of the filtered log as a file."""
    return f"/api/v1/changes.csv{_query({name: query.get(name, '') for name in (*FILTERS, 'number')} | {'bom': '1'})}"


def object_words(query: Mapping[str, str]) -> list[Component]:
    """Return the item of the log, with a link to the complete log."""
    if not query.get("number"):
        return []
    words = f"Only {query.get('kind', '')} {query['number']}"
    return [html.Span(words, className="b"), dcc.Link("Show everything", href="/changes")]


def _row(line: Line, now: datetime) -> Sequence[Component | str]:
    when = moment(line.at, now, "nw")
    means = f"{line.means}, token {line.token}" if line.token else line.means
    who = html.Div([html.Span(line.who or "unknown", className="m5"), html.Div(means, className="sm t3")])
    what = dcc.Link(line.what, href=line.href) if line.href else html.Span(line.what)
    return [when, who, html.Span(line.verb, className="nw"), what, _differences(line), line.project]


def _differences(line: Line) -> Component:
    rows = []
    for name, before, after in line.differences:
        values: list[Component | str] = [html.Span(after, className="mono")]
        if before:
            values = [html.Span(before, className="mono t3"), " → ", *values]
        rows.append(html.Div([html.Span(f"{name}: ", className="t2"), *values], className="change-difference"))
    return html.Details([html.Summary(f"{many(len(rows), 'field')}"), *rows]) if len(rows) > 3 else html.Div(rows)


def _turns(query: Mapping[str, str], go_on: int | None, before: int | None) -> Component:
    kept = {name: query.get(name, "") for name in (*FILTERS, "number")}
    links: list[Component] = []
    if before is not None:
        links.append(link_button("Newest", f"/changes{_query(kept)}", size="small"))
    if go_on is not None:
        links.append(link_button("Older", f"/changes{_query({**kept, 'before': str(go_on)})}", size="small"))
    return html.Div(links, className="row changes-turns")


def _query(values: Mapping[str, str]) -> str:
    given = urlencode({name: value for name, value in values.items() if value})
    return f"?{given}" if given else ""


def _select(name: str, label: str, options: Sequence[tuple[str, str]], query: Mapping[str, str]) -> Component:
    chosen = query.get(name)
    control: Component = dmc.Select(
        id={"type": ChangesIds.FILTER_TYPE, "name": name},
        data=[{"value": value, "label": words} for value, words in options],
        value=chosen if chosen in {value for value, _ in options} else None,
        placeholder=label,
        clearable=True,
        w=144,
        **{"aria-label": label},
    )
    return control


def _day(name: str, label: str, query: Mapping[str, str]) -> Component:
    field: Component = dmc.TextInput(
        id={"type": ChangesIds.FILTER_TYPE, "name": name},
        value=query.get(name, ""),
        placeholder=f"{label} 2026-03-31",
        debounce=500,
        w=144,
        **{"aria-label": f"{label} this day (UTC), as in 2026-03-31"},
    )
    return field
