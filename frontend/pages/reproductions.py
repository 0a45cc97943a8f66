"""Published results beside ours: per engine the readings, then per publication what is compared, with all readings on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isfinite

import dash
from dash import html
from dash.development.base_component import Component

from engines.registry import get_engine
from engines.reproductions import Compared, Comparison, Flip, compared, flips, readings_of
from frontend.bridge import current_user
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import duration, significant
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import comparisons, is_outdated, latest

_COUNTED = ("layers", "changes", "mappings")  # whole numbers, named by their rows
_KINDS = {
    "exact": "formulas alone decide",
    "fitted": "our model was fitted to such values",
    "predicted": "none of it fitted",
}


def layout(**_query: str) -> Component:
    """The page for the signed-in user."""
    if not current_user().is_authenticated:
        return html.Div()
    parts = [
        part
        for engine, found in latest().items()
        for part in (_cards(found) if found is not None else [_not_made(engine)])
    ]
    words = (
        "What the publications report, and what the engines compute here. Ratios above one favour the second name; "
        "✓ and ✗ tell whether the same side wins as published."
    )
    return html.Div([html.H1("Reproductions"), html.P(words, className="sm t2"), *parts], className="page stack g16")


dash.register_page(
    __name__, path="/reproductions", name="Reproductions", title="Reproductions · Paretoscope", layout=layout
)


def _not_made(engine: str) -> Component:
    """What will be compared, and the commands that do it: nothing is shown as ours that was not computed on this site."""
    found = get_engine(engine)
    command = f".venv/bin/python manage.py reproduce {engine}"
    lines = [
        html.Div([html.Pre(f"{command} --quick", className="mono command"), _said("the comparisons that matter most")]),
        html.Div([html.Pre(command, className="mono command"), _said("all of them, under every reading")]),
    ]
    words = (
        "Ours is never shipped, it is computed by the engine that is installed here. Whoever keeps this site runs one of these; "
        "then the page shows every published value beside ours."
    )
    readings = [[html.Span(name, className="b"), what] for name, what in readings_of(engine).items()]
    table = html.Div(plain_table([Column("Reading"), Column("What it is")], readings), className="repro-readings")
    parts = [
        html.P([html.B("Not computed on this site yet. "), words], className="sm repro-words"),
        html.Div(lines, className="stack g8"),
        html.P(["Published in: ", found.source], className="sm t2"),
        html.Details([html.Summary(f"{len(readings)} readings of what the text leaves open"), table])
        if readings
        else None,
    ]
    return card(f"{found.title}: published results", html.Div(parts, className="stack g8 repro-notes"))


def _said(words: str) -> Component:
    return html.Span(words, className="xs t3")


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
    anchors = list(dict.fromkeys(row.anchor for row in rows))
    return [
        html.Div(facts, className="row g8 wrap"),
        _readings_card(title, readings_of(found.engine), rows, anchors),
        *[_anchor_card(title, anchor, [row for row in rows if row.anchor == anchor]) for anchor in anchors],
    ]


def _readings_card(
    title: str, words: Mapping[str, str], rows: Sequence[Comparison], anchors: Sequence[str]
) -> Component:
    """What each reading is, and how often the same side wins under it."""
    table = []
    for reading in dict.fromkeys(row.reading for row in rows if row.reading):
        told = [_agreeing([r for r in rows if (r.reading, r.anchor) == (reading, anchor)]) for anchor in anchors]
        table.append([html.Span(reading, className="b"), words.get(reading, ""), *told])
    columns = [Column("Reading"), Column("What it is"), *[Column(f"Same side wins, {a}", number=True) for a in anchors]]
    subtitle = "choices that the text leaves open; each differs from the default by what it says"
    return card(
        f"Readings of {title}", html.Div(plain_table(columns, table), className="repro-readings"), subtitle=subtitle
    )


def _agreeing(rows: Sequence[Comparison]) -> str:
    told = [row.ordering for row in rows if row.ordering is not None]
    return f"{sum(told)} of {len(told)}" if told else "–"


def _anchor_card(title: str, anchor: str, rows: Sequence[Comparison]) -> Component:
    whys = {why: number for number, why in enumerate(dict.fromkeys(row.why for row in rows if row.why), start=1)}
    groups = [
        _group(name, list(members), whys)
        for name, members in groupby(compared(rows), key=lambda each: each.first.group)
    ]
    notes: list[Component] = [html.P(f"{number}. {why}", className="sm t2") for why, number in whys.items()]
    if notes:
        notes.insert(0, html.H4("Why they differ"))
    notes = [*_flip_list(flips(rows)), *notes]
    return card(
        f"{title} in {anchor}",
        html.Div([*groups, html.Div(notes, className="stack g8 repro-notes")], className="stack g24"),
    )


def _group(name: str, members: Sequence[Compared], whys: Mapping[str, int]) -> Component:
    """One heading: what is compared under the first reading with the spread of all; all readings folded away.

    Args:
        name: the heading.
        members: what is compared under it.
        whys: number of every remark on why values differ.
    """
    kinds = dict.fromkeys(each.first.kind for each in members)
    readings = list(dict.fromkeys(reading for each in members for reading in each.by_reading))
    head = html.Div(
        [html.H4(name or "Compared"), html.Span("; ".join(_KINDS[kind] for kind in kinds), className="sm t3")],
        className="row g8 repro-head",
    )
    parts: list[Component] = [head, html.Div(_summary_table(members, len(readings) > 1, whys), className="repro-table")]
    if len(readings) > 1:
        summary = html.Summary(f"All {len(readings)} readings")
        parts.append(html.Details([summary, html.Div(_reading_table(members, readings), className="repro-table")]))
    return html.Div(parts, className="stack g8 repro-group")


def _summary_table(members: Sequence[Compared], several: bool, whys: Mapping[str, int]) -> Component:
    reading = next((each.first.reading for each in members if each.first.reading), "")
    columns = [
        Column("Compared"),
        Column("Published", number=True),
        Column(f"Ours, {reading}" if reading else "Ours", number=True),
        Column("Ratio", number=True),
        Column("Ours is"),
    ]
    if several:
        columns += [Column("All readings", number=True), Column("Same side wins")]
    columns += [Column("Where"), Column("Why")]
    return plain_table(columns, [_summary_row(each, several, whys) for each in members], tight=True)


def _summary_row(each: Compared, several: bool, whys: Mapping[str, int]) -> list[Component | str]:
    row = each.first
    ratio = f"{row.ratio:.2f}" if isfinite(row.ratio) else "–"
    kind = html.Span(row.kind, className="t2", title=_KINDS[row.kind])
    cells: list[Component | str] = [row.name, _value(row.published, row.unit), _ours(row), ratio, kind]
    if several:
        spread = " to ".join(significant(value) for value in each.range or ()) or "–"
        cells += [html.Span(spread, className="t2"), _sides(each)]
    numbers = sorted({whys[one.why] for one in each.by_reading.values() if one.why})
    why = html.Span(", ".join(map(str, numbers)), className="t2", title=row.why)
    return [*cells, html.Span(row.where, className="t3"), why]


def _sides(each: Compared) -> Component | str:
    """A mark per reading, in their order, and how many agree."""
    agreeing, told = each.agreeing
    if not told:
        return ""
    marks = [
        html.Span(className=f"repro-mark {'good' if row.ordering else 'bad'}", title=f"{row.reading}: {_side(row)}")
        for row in each.by_reading.values()
        if row.ordering is not None
    ]
    return html.Span([*marks, html.Span(f"{agreeing} of {told}", className="num t2")], className="repro-marks")


def _reading_table(members: Sequence[Compared], readings: Sequence[str]) -> Component:
    """One column per reading."""
    columns = [
        Column("Compared"),
        Column("Published", number=True),
        *[Column(r or "ours", number=True) for r in readings],
    ]
    return plain_table(columns, [_reading_row(each, readings) for each in members], tight=True)


def _reading_row(each: Compared, readings: Sequence[str]) -> list[Component | str]:
    ours = [_ours(each.by_reading[r]) if r in each.by_reading else html.Span("–", className="t3") for r in readings]
    return [each.first.name, _value(each.first.published, each.first.unit), *ours]


def _ours(row: Comparison) -> Component:
    words = _value(row.ours, row.unit)
    if row.ordering is None:
        return html.Span(words)
    mark, tone = ("✓", "good") if row.ordering else ("✗", "bad")
    return html.Span(
        [words, " ", html.Span(mark, className=f"b {tone}", title=_side(row), **{"aria-label": _side(row)})]
    )


def _side(row: Comparison) -> str:
    return "the same side wins as published" if row.ordering else "the other side wins"


def _value(value: float, unit: str) -> str:
    if not isfinite(value):
        return "–"
    if unit in _COUNTED:
        return f"{value:.0f}"
    return f"{significant(value)}{unit if unit == 'x' else f' {unit}'}".replace("x", "×")


def _flip_list(found: Sequence[Flip]) -> list[Component]:
    """The assumptions that decide, folded away: with many readings most comparisons turn under some of them."""
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
    summary = html.Summary(f"Where the reading decides who wins: {len(found)} comparisons")
    return [html.Details([summary, html.Ul(entries, className="sm t2 repro-list")])]


def _words(readings: Sequence[str]) -> str:
    return "; ".join(readings)
