"""The card of a method's reproduction: a published and the computed value on one line, verdict, and the error of all."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log10
from typing import Literal

from dash import dcc, html
from dash.development.base_component import Component

from engines.registry import get_engine
from engines.reproduction.comparisons import ValueComparison, compared
from engines.reproduction.verdicts import fact_of, headline_counts
from frontend.components.card import card_title
from frontend.components.chip import chip
from frontend.figures.numbers import MISSING, many
from frontend.pages.reproduction.words import (
    TONES,
    headline,
    published_words,
    value_words,
    verdict_chip,
    verdict_under_default,
)
from webapp.reproductions.service import ReproductionSummary

_WIDEST = 4.0  # times; ratios beyond stand at the edge
_AT = {"release": "computed at release", "site": "computed here"}
_ENDS = (f"{1 / _WIDEST:g} ×", "computed as published", f"{_WIDEST:g} ×")


def reproduction_card(found: ReproductionSummary, level: Literal[2, 3] = 2) -> Component:
    """Return a link to the page of the method; `level` is that of its heading."""
    engine = get_engine(found.engine)
    rows = compared(found.rows)
    chosen = headline(found, rows)
    verdict = verdict_under_default(chosen, found.computed)
    row = chosen.first
    ours = value_words(row.ours, row.unit) if row.key in found.computed else "not computed yet"
    why = row.why if verdict == "differs (explained)" else row.where
    head = html.Div([card_title(engine.title, level=level)], className="row")
    figures = html.Div(
        [
            _value("published ", published_words(row), True),
            _value("ours ", ours, row.key in found.computed),
            verdict_chip(verdict),  # of this value alone: the counts below are those of the method
        ],
        className="row g8 sm wrap",
    )
    return dcc.Link(
        [
            html.Div(
                [head, html.Div(engine.source, className="xs t2 el", title=engine.source)], className="repro-card-head"
            ),
            ratio_strip(rows),
            html.Div(
                [
                    html.Div(row.name, className="sm m5 repro-card-name", title=row.name),
                    figures,
                    html.Div(why, className="xs t3 repro-card-why", title=why),
                ],
                className="repro-card-foot",
            ),
            html.Div(_counts(found, rows), className="row g8 wrap repro-card-counts"),
        ],
        href=f"/reproductions/{found.engine}",
        className="card repro-card",
    )


def ratio_strip(rows: Sequence[ValueComparison]) -> Component:
    """Return a tick for every published value that is counted: computed over published, on a logarithmic axis."""
    ratios = [row.ratio for row in (each.first for each in rows) if fact_of(row) == "value" and row.ratio > 0]
    ratios = [ratio for ratio in ratios if isfinite(ratio)]
    ticks = [html.Span(className="repro-tick", style={"left": f"{_place(ratio):.1f}%"}) for ratio in ratios]
    words = (
        f"{many(len(ratios), 'comparison')}, computed over published from {min(ratios):.2g} to {max(ratios):.2g} times"
        if ratios
        else f"{len(rows)} published values, not computed yet"
    )
    ends = [html.Span(words) for words in _ENDS]
    return html.Div(
        [
            html.Div([html.Span(className="repro-middle"), *ticks], className="repro-axis"),
            html.Div(ends, className="repro-ends num"),
        ],
        className="repro-strip",
        role="img",
        **{"aria-label": words},
    )


def _value(title: str, words: str, known: bool) -> Component:
    value = html.Span(words, className="b num" if known else "t3")
    return html.Span([html.Span(title, className="t2"), value], className="repro-card-value")


def _place(ratio: float) -> float:
    """Return the position in per cent from the left."""
    share = 0.5 + 0.5 * log10(ratio) / log10(_WIDEST)
    return 100 * min(1.0, max(0.0, share))


def _counts(found: ReproductionSummary, rows: Sequence[ValueComparison]) -> list[Component]:
    """Return the number of values and trends with each verdict; the page of the method lists cross-checks and uncounted rows."""
    counts = headline_counts(rows, found.computed)
    shown: list[Component] = [
        html.Span(
            [html.Span(str(count), className="b num"), f" {verdict}"], className=f"xs repro-count {TONES[verdict]}"
        )
        for verdict, count in counts.items()
    ]
    shown += [html.Span(_AT[made.at], className="xs t3", title=made.words) for made in found.origins]
    if found.outdated:
        shown.append(chip("out of date", tone="warn"))
    return shown or [html.Span(MISSING)]
