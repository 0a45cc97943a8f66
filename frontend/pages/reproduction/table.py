"""The rows of one published table: published, computed, ratio, verdict."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite

from dash import html
from dash.development.base_component import Component

from engines.reproduction.comparisons import Comparison, Key, ValueComparison
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, significant
from frontend.pages.reproduction.words import (
    KINDS,
    comparison_note,
    number_words,
    published_words,
    side_words,
    unit_words,
    value_words,
    verdict_chip,
    verdict_under_default,
)


def comparison_table(
    members: Sequence[ValueComparison], computed: Collection[Key], several: bool, whys: Mapping[str, int], default: str
) -> Component:
    """Return a row per comparison, under its first reading; the spread of all readings next to it.

    Args:
        members: compared members.
        computed: keys of what was computed.
        several: whether ours is there under more than one reading.
        whys: number of every remark on why values differ.
        default: the method's first reading; a row that has no value under it names its own.
    """
    units = {each.first.unit for each in members}
    unit = unit_words(next(iter(units))) if len(units) == 1 else ""
    told = any(each.agreeing[1] for each in members)
    columns = [
        Column("Compared"),
        Column("Published", number=True, unit=unit),
        Column("Ours", number=True, unit=unit),
        Column("Ratio", number=True),
        Column("Verdict"),
        Column("Computed value is"),
    ]
    if several:
        columns.append(Column("All readings", number=True))
    if told:
        columns.append(Column("Same winner"))
    if whys:
        columns.append(Column("Why", number=True))
    write = number_words if len(units) == 1 else value_words
    rows = []
    for each in members:
        row, known = each.first, each.first.key in computed
        under = f" · under {row.reading}" if row.reading not in ("", default) else ""
        notes = " · ".join(filter(None, (row.where + under, comparison_note(row))))
        where = html.Span(notes, className="xs t3 repro-where")
        cells: list[Component | str] = [
            html.Div([html.Span(row.name), where], className="repro-name"),
            published_words(row, write),
            _ours(row, write(row.ours, row.unit)) if known else html.Span(MISSING, className="t3"),
            f"{row.ratio:.2f}" if isfinite(row.ratio) else MISSING,
            verdict_chip(verdict_under_default(each, computed)),
            html.Span(row.kind, className="t2", title=KINDS[row.kind]),
        ]
        if several:
            cells.append(html.Span(_spread(each), className="t2"))
        if told:
            cells.append(_sides(each))
        if whys:
            numbers = sorted({whys[one.why] for one in each.by_reading.values() if one.why})
            cells.append(html.Span(", ".join(map(str, numbers)), className="t2", title=row.why))
        rows.append(cells)
    return plain_table(columns, rows, tight=True)


def reading_table(members: Sequence[ValueComparison], readings: Sequence[str]) -> Component:
    """Return one column per reading."""
    columns = [
        Column("Compared"),
        Column("Published", number=True),
        *[Column(r or "ours", number=True) for r in readings],
    ]
    rows = []
    for each in members:
        unit = each.first.unit
        ours = [
            _ours(each.by_reading[r], value_words(each.by_reading[r].ours, unit))
            if r in each.by_reading
            else html.Span(MISSING)
            for r in readings
        ]
        rows.append([each.first.name, published_words(each.first), *ours])
    return plain_table(columns, rows, tight=True)


def _spread(each: ValueComparison) -> str:
    return " to ".join(significant(value) for value in each.range or ()) or MISSING


def _ours(row: Comparison, words: str) -> Component:
    if row.ordering is None:
        return html.Span(words)
    mark, tone = ("✓", "good") if row.ordering else ("✗", "bad")
    side = side_words(row)
    return html.Span([words, " ", html.Span(mark, className=f"b {tone}", title=side, **{"aria-label": side})])


def _sides(each: ValueComparison) -> Component | str:
    """Return a mark per reading, in their order, and how many agree."""
    agreeing, told = each.agreeing
    if not told:
        return ""
    marks = [
        html.Span(
            className=f"repro-mark {'good' if row.ordering else 'bad'}", title=f"{row.reading}: {side_words(row)}"
        )
        for row in each.by_reading.values()
        if row.ordering is not None
    ]
    return html.Span([*marks, html.Span(f"{agreeing} of {told}", className="num t2")], className="repro-marks")
