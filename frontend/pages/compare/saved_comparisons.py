"""The comparisons that were kept, and where a new one begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button
from frontend.components.card import card_title
from frontend.components.items.mark_filters import NONE_MARKED, mark_filters, marks_cell
from frontend.components.moment import moment
from frontend.components.states import empty_state
from frontend.designs.run_words import person_name
from frontend.figures.numbers import integer
from frontend.ids.compare import CompareListIds
from frontend.pages.compare.head import run_choices
from webapp.annotations.marks import AskedMarks, Marks, marks_of, only_marked, tag_counts
from webapp.comparisons.models import Comparison
from webapp.comparisons.service import MOST, visible_comparisons
from webapp.teams.visibility import Principal

MOST_ROWS = 200


def list_page(principal: Principal, asked: AskedMarks) -> Component:
    """Return the page for `principal`, with the comparisons that have what is asked for, those with a star before the others."""
    kept = list(only_marked(principal, "comparison", visible_comparisons(principal), asked)[:MOST_ROWS])
    marks = marks_of(principal, "comparison", [each.pk for each in kept])
    kept.sort(key=lambda each: not marks[each.pk].star)
    starred = any(each.star for each in marks.values())
    return html.Div(
        [
            dcc.Location(id=CompareListIds.LOCATION, refresh="callback-nav"),
            html.Div([html.H1("Comparisons")], className="row between home-head"),
            _new_card(run_choices(principal, set())),
            mark_filters("comparison", tag_counts(principal, "comparison"), asked, starred),
            _list_card(kept, marks, asked),
        ],
        className="page home stack g12",
    )


def _new_card(choices: list[dict[str, str]]) -> Component:
    pick = dmc.MultiSelect(
        id=CompareListIds.PICK,
        data=choices,
        value=[],
        placeholder="Pick two to six runs",
        searchable=True,
        maxValues=MOST,
        nothingFoundMessage="No run has this name",
        **{"aria-label": "Runs to compare"},
    )
    go = button("Compare", id=CompareListIds.OPEN, kind="primary", disabled=True)
    return html.Section(
        [
            html.Div([card_title("New comparison")], className="ch"),
            html.Div([html.Div(pick, className="grow"), go], className="row cb"),
        ],
        className="card",
        **{"aria-label": "New comparison"},
    )


def _list_card(kept: list[Comparison], marks: Mapping[int, Marks], asked: AskedMarks) -> Component:
    if not kept and asked != AskedMarks():
        return html.Section(empty_state(*NONE_MARKED), className="card home-empty")
    if not kept:
        words = (
            "A comparison shows two to six runs together: fronts, metrics, and schedules on one time axis. "
            "Pick runs above, or choose Compare on the page of a run."
        )
        return html.Section(empty_state("git-compare", "No saved comparisons yet", words), className="card home-empty")
    now = timezone.now()
    heads = [
        html.Th("Comparison"),
        html.Th("Runs", className="r"),
        html.Th("Project"),
        html.Th("Owner"),
        html.Th("Kept"),
    ]
    rows = [_row(comparison, marks[comparison.pk], now) for comparison in kept]
    head = html.Div([card_title("Kept"), html.Span(integer(len(kept)), className="sm t3 num")], className="ch")
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(rows)], className="t")
    return html.Section([head, html.Div(table, className="table-scroll")], className="card", **{"aria-label": "Kept"})


def _row(comparison: Comparison, marks: Marks, now: Any) -> Component:
    link = dcc.Link(comparison.title, href=f"/compare/{comparison.pk}", className="m5")
    return html.Tr(
        [
            html.Td(html.Span([link, *marks_cell(marks)], className="row g4")),
            html.Td(integer(len(comparison.entries)), className="r num"),
            html.Td(comparison.project.title),
            html.Td(person_name(comparison.owner)),
            html.Td(moment(comparison.created, now), className="t2"),
        ]
    )
