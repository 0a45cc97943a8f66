"""The content of the page of one method: verdicts, tables with their pictures, and readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, groupby
from typing import Literal

from dash import dcc, html
from dash.development.base_component import Component

from engines.reproduction.comparisons import Comparison, Flip, ValueComparison, compared, flips
from engines.reproduction.reproductions import readings_of
from engines.reproduction.verdicts import VERDICTS, Verdict, verdict_counts
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import data_link, figure_menu
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import many
from frontend.figures.statistics.published_against_ours import (
    PART_MARKS,
    left_out,
    part_words,
    published_figure,
    published_sentence,
)
from frontend.figures.statistics.published_curves import curves_figure, is_curves
from frontend.ids.reproductions import ReproductionIds
from frontend.pages.reproduction.table import comparison_table, reading_table
from frontend.pages.reproduction.values_without_comparison import uncompared_card
from frontend.pages.reproduction.words import (
    TONES,
    ReproductionQuery,
    kinds_words,
    short_rule,
    table_of,
    verdict_chip,
    verdict_under_default,
)
from frontend.theme import Scheme
from webapp.reproductions.service import ReproductionSummary


def body(found: ReproductionSummary, asked: ReproductionQuery, scheme: Scheme) -> Component:
    """Return verdicts, the list of tables, the chosen ones, readings."""
    everything = compared(found.rows)
    chosen = [each for each in everything if _wanted(each, found, asked)]
    groups = [(key, list(members)) for key, members in groupby(chosen, key=lambda each: table_of(each.first))]
    cards: list[Component] = [_group_card(found, members, scheme, number) for number, (_, members) in enumerate(groups)]
    if not cards:
        words = dcc.Link("Show all", href=f"/reproductions/{found.engine}")
        cards = [html.Section(empty_state("filter", "No comparison matches this filter", words), className="card")]
    return html.Div(
        [
            _verdicts(found, everything, asked),
            html.Div(
                [
                    _tables(found, everything, asked),
                    html.Div(
                        [*cards, *_flips_card(found), *_readings_card(found), *uncompared_card(found.engine)],
                        className="stack g12 repro-main",
                    ),
                ],
                className="repro-columns",
            ),
        ],
        className="stack g12",
    )


def rules() -> Component:
    """Return the definitions of the verdicts."""
    entries = [
        html.Div([verdict_chip(verdict), html.Span(words, className="sm t2")], className="row g8 repro-rule")
        for verdict, words in VERDICTS.items()
    ]
    return card("How verdicts are decided", html.Div(entries, className="repro-rules"))


def _wanted(each: ValueComparison, found: ReproductionSummary, asked: ReproductionQuery) -> bool:
    if asked.table and table_of(each.first) != asked.table:
        return False
    return not asked.verdict or verdict_under_default(each, found.computed) == asked.verdict


def _verdicts(found: ReproductionSummary, everything: Sequence[ValueComparison], asked: ReproductionQuery) -> Component:
    """Return the number of comparisons with each verdict and its rule, as filters."""
    within = [each for each in everything if not asked.table or table_of(each.first) == asked.table]
    counts = verdict_counts(within, found.computed)
    entries = [_verdict_filter(found, asked, "", len(within))]
    entries += [
        _verdict_filter(found, asked, verdict, counts.get(verdict, 0))
        for verdict in VERDICTS
        if verdict in counts or verdict == asked.verdict
    ]
    return html.Nav(entries, className="card repro-verdicts", **{"aria-label": "Filter by verdict"})


def _verdict_filter(
    found: ReproductionSummary, asked: ReproductionQuery, verdict: Verdict | Literal[""], count: int
) -> Component:
    rule = short_rule(verdict) if verdict else "Comparisons under the first reading"
    tone = TONES.get(verdict, "plain")
    chosen = verdict == asked.verdict
    return dcc.Link(
        [
            html.Span(str(count), className=f"repro-number num {tone}"),
            html.Span(verdict or "all", className="m5 sm"),
            html.Span(rule, className="xs t3 repro-rule-words"),
            *_shown_now(chosen),
        ],
        href=asked.href(found.engine, verdict=verdict),
        className="repro-verdict on" if chosen else "repro-verdict",
    )


def _tables(found: ReproductionSummary, everything: Sequence[ValueComparison], asked: ReproductionQuery) -> Component:
    """Return the published tables, by publication; each is a filter."""
    anchors: dict[str, dict[str, int]] = {}
    for each in everything:
        tables = anchors.setdefault(each.first.anchor, {})
        tables[each.first.group] = tables.get(each.first.group, 0) + 1
    entries: list[Component] = [_table_link(found, asked, "", "All tables", len(everything))]
    for anchor, tables in anchors.items():
        entries.append(html.H2(anchor, className="xs t3 repro-anchor"))
        entries += [_table_link(found, asked, f"{anchor}/{group}", group, count) for group, count in tables.items()]
    return html.Nav(entries, className="card repro-tables", **{"aria-label": "Published tables"})


def _table_link(found: ReproductionSummary, asked: ReproductionQuery, table: str, words: str, count: int) -> Component:
    chosen = table == asked.table
    return dcc.Link(
        [html.Span(words), html.Span(str(count), className="num t3"), *_shown_now(chosen)],
        href=asked.href(found.engine, table=table),
        className="li repro-table-link on" if chosen else "li repro-table-link",
    )


def _shown_now(chosen: bool) -> list[Component]:
    """Return the text for those who do not see which link is marked."""
    return [html.Span("(shown)", className="visually-hidden")] if chosen else []


def _group_card(
    found: ReproductionSummary, members: Sequence[ValueComparison], scheme: Scheme, number: int
) -> Component:
    """Return one published table: its rows, why they differ, all readings, and the picture."""
    first = members[0].first
    everywhere = [row for each in members for row in each.by_reading.values() if row.key in found.computed]
    readings = list(dict.fromkeys(row.reading for row in everywhere))
    whys = _whys(members)
    default = next(iter(readings_of(found.engine)), "")
    parts: list[Component] = [
        html.Div(comparison_table(members, found.computed, len(readings) > 1, whys, default), className="repro-table")
    ]
    if whys:
        notes = [html.Li(why) for why in whys]
        parts.append(html.Div([html.H3("Why they differ"), html.Ol(notes)], className="sm t2 repro-whys"))
    if len(readings) > 1:
        summary = html.Summary(f"All {len(readings)} readings")
        parts.append(html.Details([summary, html.Div(reading_table(members, readings), className="repro-table")]))
    drawn = len(members) - left_out(members)
    picture = _picture(members, scheme, number) if drawn else None
    subtitle = f"{first.anchor} · {kinds_words([each.first.kind for each in members])}"
    menu = figure_menu(
        data_link("All rows as CSV", f"/api/v1/reproductions/{found.engine}/comparisons.csv?bom=1"), table=False
    )
    inner = html.Div(
        [html.Div(parts, className="stack g8 repro-left"), *([picture] if picture else [])],
        className="repro-group" if picture else "repro-group single",
    )
    return card(
        first.group or "Compared",
        inner,
        subtitle=subtitle,
        actions=[menu] if picture else [],
        label=f"{first.group or 'Compared'}, {first.anchor}",
    )


def _picture(members: Sequence[ValueComparison], scheme: Scheme, number: int) -> Component:
    if is_curves(members):
        return _curves(members, scheme, number)
    missing = left_out(members)
    told = (
        f"{missing} without a published value above zero {'is' if missing == 1 else 'are'} not drawn" if missing else ""
    )
    legend = html.Div(
        [
            html.Span([html.Span(className="repro-key published"), "published"]),
            html.Span([html.Span(className="repro-key ours"), "computed, first reading"]),
            *_key_of_rest(members),
            html.Span("at the right: computed over published"),
            *([html.Span(told, className="t3")] if told else []),
        ],
        className="leg",
    )
    figure_id = {"type": ReproductionIds.FIGURE_TYPE, "number": number}
    drawn = plot(published_figure(members, scheme), summary=published_sentence(members), id=figure_id)
    return html.Div([legend, drawn], className="repro-picture")


def _curves(members: Sequence[ValueComparison], scheme: Scheme, number: int) -> Component:
    values = members[0].first.along
    legend = html.Div(
        [
            html.Span([html.Span(className="repro-key published"), "published"]),
            html.Span([html.Span(className="repro-key ours"), "computed, first reading"]),
            *([html.Span(f"up: {values.title_y}")] if values else []),
        ],
        className="leg",
    )
    figure_id = {"type": ReproductionIds.FIGURE_TYPE, "number": number}
    drawn = plot(curves_figure(members, scheme), summary=published_sentence(members), id=figure_id)
    return html.Div([legend, drawn], className="repro-picture")


def _key_of_rest(members: Sequence[ValueComparison]) -> list[Component]:
    """Return the line next to the published and the computed value: its parts, or all readings."""
    words = part_words(members)
    if not words:
        return [html.Span([html.Span(className="repro-key span"), "computed, all readings"])]
    return [html.Span(f"{mark} computed at {word}") for mark, word in zip(cycle(PART_MARKS), words, strict=False)]


def _whys(members: Sequence[ValueComparison]) -> Mapping[str, int]:
    """Return the number of every remark on why values differ, within a table."""
    told = dict.fromkeys(row.why for each in members for row in each.by_reading.values() if row.why)
    return {why: number for number, why in enumerate(told, start=1)}


def _readings_card(found: ReproductionSummary) -> list[Component]:
    """Return the card of readings: description and number of orderings that agree."""
    words = readings_of(found.engine)
    rows = found.rows
    anchors = list(dict.fromkeys(row.anchor for row in rows))
    table: list[list[Component | str]] = []
    for reading in dict.fromkeys(row.reading for row in rows if row.reading):
        told = [_agreeing([r for r in rows if (r.reading, r.anchor) == (reading, anchor)]) for anchor in anchors]
        table.append([html.Span(reading, className="b"), words.get(reading, ""), *told])
    if not table:
        return []
    columns = [Column("Reading"), Column("Kind"), *[Column(f"Same winner, {a}", number=True) for a in anchors]]
    subtitle = "Readings of the text; verdicts use the first one"
    return [card("Readings", html.Div(plain_table(columns, table), className="repro-readings"), subtitle=subtitle)]


def _agreeing(rows: Sequence[Comparison]) -> str:
    told = [row.ordering for row in rows if row.ordering is not None]
    return f"{sum(told)} of {len(told)}" if told else "–"


def _flips_card(found: ReproductionSummary) -> list[Component]:
    """Return the assumptions that decide: with many readings most comparisons turn under some of them."""
    turned = flips(found.rows)
    if not turned:
        return []
    entries = [html.Li([html.Span(f"{flip.name}: ", className="b"), _flip_words(flip)]) for flip in turned]
    listed = html.Ul(entries, className="sm t2 repro-list")
    summary = html.Summary(f"{many(len(turned), 'comparison')} whose winner depends on the reading")
    return [card("Comparisons whose winner depends on the reading", html.Details([summary, listed]))]


def _flip_words(flip: Flip) -> str:
    return f"as published with {'; '.join(flip.holds)}; not with {'; '.join(flip.fails)}"
