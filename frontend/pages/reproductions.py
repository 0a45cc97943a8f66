"""Published results beside ours: per engine and publication, one column of ours per reading."""

from __future__ import annotations

from collections.abc import Sequence

import dash
from dash import html
from dash.development.base_component import Component

from engines.registry import get_engine
from engines.reproductions import Comparison, Flip, flips
from frontend.bridge import current_user
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import duration, significant
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import comparisons, is_outdated, latest


def layout(**_query: str) -> Component:
    """The page for the signed-in user."""
    if not current_user().is_authenticated:
        return html.Div()
    parts = [
        part
        for engine, found in latest().items()
        for part in (_cards(found) if found is not None else [_not_made(engine)])
    ]
    words = "What the publications report, and what the engines compute here. Ratios above one favour the second name."
    return html.Div([html.H1("Reproductions"), html.P(words, className="sm t2"), *parts], className="page stack g16")


dash.register_page(
    __name__, path="/reproductions", name="Reproductions", title="Reproductions · Paretoscope", layout=layout
)


def _not_made(engine: str) -> Component:
    command = html.Code(f".venv/bin/python manage.py reproduce {engine}", className="mono")
    words = html.Span([f"{get_engine(engine).title} has one. To compute it here: ", command])
    return html.Section(empty_state("circle-check", "Not computed on this site yet", words), className="card")


def _cards(found: Reproduction) -> list[Component]:
    rows = comparisons(found)
    title = get_engine(found.engine).title
    facts: list[Component] = [
        chip(f"{title} {found.engine_version}", tone="line"),
        chip(f"computed {found.created:%Y-%m-%d %H:%M} UTC in {duration(found.duration_s)}", tone="line"),
    ]
    if found.quick:
        facts.append(chip("quick: a part of the comparisons", tone="warn"))
    if is_outdated(found):
        facts.append(
            chip("the installed engine is another version: compute it again", tone="warn", icon="alert-triangle")
        )
    anchors = dict.fromkeys(row.anchor for row in rows)
    return [
        html.Div(facts, className="row g8 wrap"),
        *[_anchor_card(title, anchor, [row for row in rows if row.anchor == anchor]) for anchor in anchors],
    ]


def _anchor_card(title: str, anchor: str, rows: Sequence[Comparison]) -> Component:
    readings = list(dict.fromkeys(row.reading for row in rows))
    table = html.Div(
        plain_table(_columns(rows, readings), _table_rows(rows, readings), tight=True), className="repro-table"
    )
    turns = flips(rows)
    whys = list(dict.fromkeys(row.why for row in rows if row.why))
    notes = [html.P(why, className="sm t2") for why in whys]
    return card(
        f"{title} in {anchor}",
        html.Div([_score(rows, readings), table, *_flip_list(turns), *notes], className="stack g12"),
        subtitle="published beside ours; none of it fitted" if all(row.kind == "predicted" for row in rows) else "",
    )


def _columns(rows: Sequence[Comparison], readings: Sequence[str]) -> list[Column]:
    heads = [Column(reading or "ours", number=True) for reading in readings]
    return [Column("Compared"), Column("Published", number=True), *heads, Column("Where")]


def _table_rows(rows: Sequence[Comparison], readings: Sequence[str]) -> list[list[Component | str]]:
    by_name: dict[str, dict[str, Comparison]] = {}
    for row in rows:
        by_name.setdefault(row.name, {})[row.reading] = row
    table: list[list[Component | str]] = []
    for name, found in by_name.items():
        first = next(iter(found.values()))
        ours = [_ours(found[reading]) if reading in found else html.Span("–", className="t3") for reading in readings]
        table.append([name, _value(first.published, first.unit), *ours, html.Span(first.where, className="t3")])
    return table


def _ours(row: Comparison) -> Component:
    words = _value(row.ours, row.unit)
    if row.ordering is None:
        return html.Span(words)
    mark, tone = ("✓", "good") if row.ordering else ("✗", "bad")
    side = "the same side wins as published" if row.ordering else "the other side wins"
    return html.Span([words, " ", html.Span(mark, className=f"b {tone}", title=side, **{"aria-label": side})])


def _value(value: float, unit: str) -> str:
    return f"{significant(value)}{unit if unit == 'x' else f' {unit}'}".replace("x", "×")


def _score(rows: Sequence[Comparison], readings: Sequence[str]) -> Component:
    """How often ours and the publication agree on who wins, per reading."""
    chips = []
    for reading in readings:
        told = [row.ordering for row in rows if row.reading == reading and row.ordering is not None]
        if told:
            chips.append(chip(f"{reading or 'ours'}: same side wins in {sum(told)} of {len(told)}", tone="line"))
    return html.Div(chips, className="row g8 wrap")


def _flip_list(found: Sequence[Flip]) -> list[Component]:
    if not found:
        return []
    entries = [
        html.Li(
            [
                html.Span(f"{flip.name}: ", className="b"),
                f"as published with {_words(flip.holds)}; not with {_words(flip.fails)}",
            ]
        )
        for flip in found
    ]
    return [html.H3("Where the reading decides who wins"), html.Ul(entries, className="sm t2 repro-list")]


def _words(readings: Sequence[str]) -> str:
    return "; ".join(readings)
