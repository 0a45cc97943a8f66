"""The blocks of a report as components: fronts, designs, tables, comparisons, caveats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.errors import EngineError
from engines.contract.results import Result
from frontend.components.certainty import certainty_legend, quantity_sign, signed_title
from frontend.components.name import cut_words
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.answer import answer_of
from frontend.designs.run_words import engine_title, other_version
from frontend.figures.numbers import integer, many, si
from frontend.pages.compare.data import Side, logarithmic, sides_of, usual_axes, usual_scale
from frontend.pages.compare.measurements import table_rows
from frontend.pages.compare.measures import MetricRow
from frontend.pages.compare.tables import fronts_table
from frontend.pages.compare.view import (
    differences_table,
    fronts_picture,
    fronts_remarks,
    fronts_sentence,
    letter,
    metric_table,
)
from frontend.pages.report.canvas import Canvas
from frontend.pages.report.caveats import caveats_of
from frontend.pages.report.repeat_link import repeat_path
from frontend.pages.report.verdict import verdict_sentences
from frontend.pages.run.run_reader import bounds_of, decisions_of, explained
from frontend.pages.run.why.cause import cause_of
from frontend.results.registry import VIEWS
from webapp.comparisons.differences import differing
from webapp.comparisons.service import Entry
from webapp.reports.blocks import Block
from webapp.runs.models import Run

FRONT_PX = 320
MOST_RESULTS = 4
_MOST_DECIDED, _MOST_LETTERS = 3, 60
Runs = Mapping[int, Run]


def block_parts(block: Block, runs: Runs, canvas: Canvas, gone: Mapping[int, str] | None = None) -> Component:
    """Return a block as it is shown.

    Args:
        block: requested block.
        runs: runs of the whole report, those that the reader sees.
        canvas: canvas of the drawing.
        gone: number of a run that is deleted, as far as the reader may know -> the same in words.
    """
    missing = [number for number in block.runs if number not in runs]
    if missing and block.kind != "caveats":
        found = gone or {}
        words = [
            f"{found.get(number, f'Run {number} is not shown: it is deleted, or you cannot see it')}."
            for number in missing
        ]
        return notice(" ".join(words))
    try:
        body = _SHOWN[block.kind](block, runs, canvas)
    except (EngineError, LookupError) as error:
        names = [other_version(runs[number]) for number in block.runs if number in runs]
        body = [notice(next(filter(None, names), str(error)), tone="warn")]
    name = {"aria-label": block.kind.capitalize()}
    return html.Figure(body, className=f"report-block card report-{block.kind}", **name)


def _front(block: Block, runs: Runs, canvas: Canvas) -> list[Component | None]:
    sides = sides_of([Entry(runs[block.runs[0]], block.design)])
    return [_run_line(sides[0], canvas), _answer(sides[0]), *_fronts(block, sides, canvas)]


def _answer(side: Side) -> Component | None:
    """Return the answer of the run."""
    run, designs = side.run, side.designs
    found = answer_of(
        designs, bounds_of(run, designs), why=cause_of(run, designs), unfinished=run.status != "done", page=False
    )
    if found is None:
        return None
    return html.Div([html.P([html.B(f"{label}: "), text]) for label, text in found.lines], className="sm report-answer")


def _comparison(block: Block, runs: Runs, canvas: Canvas) -> list[Component | None]:
    sides = sides_of([Entry(runs[number]) for number in block.runs])
    rows = table_rows(sides)
    chosen = [row for row in rows if row.group == rows[0].group]
    table = html.Div(metric_table(chosen, sides), className="table-scroll")
    rest = html.Details([html.Summary("All measures", className="sm"), metric_table(rows, sides)])
    same = html.P("The problems are the same.", className="sm t2")
    differs = (
        html.Div(differences_table(sides), className="table-scroll") if differing([s.run for s in sides]) else same
    )
    parts: list[Component | None] = [html.P(html.B(verdict_sentences(sides)), className="sm report-answer"), differs]
    for side in sides:
        parts += [_run_line(side, canvas, lettered=True), _result(side)]
    return [*parts, *_fronts(block, sides, canvas), table, _signs(chosen), rest]


def _result(side: Side) -> Component | None:
    """Return the result of a run with its cause, in one paragraph: its certainty is among the caveats."""
    run, designs = side.run, side.designs
    found = answer_of(
        designs, bounds_of(run, designs), why=cause_of(run, designs), unfinished=run.status != "done", page=False
    )
    return None if found is None else html.P(f"{found.result} {found.why}".rstrip(), className="sm report-answer")


def _signs(rows: Sequence[MetricRow]) -> Component:
    """Return the legend of the signs of certainty in a table."""
    words = [number.word for row in rows for number in row.certainties if number]
    return html.Div(certainty_legend(words), className="row g12 wrap")


def _fronts(block: Block, sides: Sequence[Side], canvas: Canvas) -> list[Component | None]:
    axes = usual_axes(sides, block.x or None, block.y or None)
    if axes is None:
        return [notice("Fewer than two metrics have values, so there is no front to draw.")]
    log = logarithmic(sides, axes, usual_scale(sides, axes))
    picture = fronts_picture(sides, axes, canvas.scheme, (canvas.width_px, FRONT_PX), log)
    table = html.Details([html.Summary("Show as table", className="sm"), fronts_table(sides, axes)])
    remarks = " ".join(fronts_remarks(sides, axes))
    return [canvas.figure(picture, FRONT_PX, fronts_sentence(sides, axes)), html.P(remarks, className="sm t2"), table]


def _design(block: Block, runs: Runs, canvas: Canvas) -> list[Component | None]:
    side = sides_of([Entry(runs[block.runs[0]], block.design)])[0]
    if side.number is None:
        return [_run_line(side, canvas), notice("This run has no designs yet.")]
    results = sorted(explained(side.run, side.number), key=_rank)[:MOST_RESULTS]
    found: list[Component | None] = [_run_line(side, canvas), _figures_line(side)]
    for result in results:
        shown = canvas.result(result)
        if shown is not None:
            found += [html.H4(result.title), shown]
    return found


def _rank(result: Result) -> int:
    order = list(VIEWS)
    return order.index(type(result)) if type(result) in order else len(order)


def _figures_line(side: Side) -> Component:
    """Return the objectives of the design looked at, and what it decides."""
    designs = side.designs
    objectives = [designs.quantity(each.name, side.number) for each in designs.objectives]
    values = [(q.title, si(side.value(q.name), q.unit), quantity_sign(q)) for q in objectives]
    decisions = decisions_of(side.run, designs)
    row = decisions.rows([side.number])[0] if side.number is not None else {}
    told = [(c.title, row.get(f"decision.{c.name}", ""), None) for c in decisions.columns if c.varies]
    pairs = [*values, *[each for each in told if each[1]][:_MOST_DECIDED]]
    facts = [
        html.Span([html.Span(f"{title} ", className="t3"), sign, html.B(_cut(value))]) for title, value, sign in pairs
    ]
    return html.Div(facts, className="row g12 wrap sm report-figures")


def _cut(words: str) -> Component:
    return html.Span(cut_words(words, _MOST_LETTERS), title=words)


def _designs(block: Block, runs: Runs, canvas: Canvas) -> list[Component | None]:
    """Return the designs of the front that are best by the run's own measure."""
    side = sides_of([Entry(runs[block.runs[0]])])[0]
    designs = side.designs
    primary = designs.quantity(designs.primary)
    values = designs.columns[primary.name][designs.front] if len(designs) else np.empty(0)
    order = np.argsort(-values if primary.sense == "maximise" else values, kind="stable")[: block.rows]
    numbers = [int(number) for number in designs.front[order]] if len(designs) else []
    decisions = decisions_of(side.run, designs)
    shown = [column for column in decisions.columns if column.varies][:_MOST_DECIDED]
    quantities = [primary, *(q for q in designs.objectives if q.name != primary.name)]
    heads = [
        Column("Design"),
        *(Column(signed_title(q), number=True) for q in quantities),
        *(Column(c.title) for c in shown),
    ]
    rows: list[list[Component | str]] = [
        [
            canvas.link(f"{number:04d}", f"/runs/{side.run.pk}?design={number}"),
            *(si(float(designs.columns[q.name][number]), q.unit) for q in quantities),
            *(_cut(decided.get(f"decision.{column.name}", "")) for column in shown),
        ]
        for number, decided in zip(numbers, decisions.rows(numbers), strict=True)
    ]
    words = f"{integer(len(numbers))} of {many(len(designs.front), 'design')} on the front, best {primary.title} first."
    table = html.Div(plain_table(heads, rows, tight=True), className="table-scroll")
    signs = html.Div(certainty_legend([q.certainty.word for q in quantities if q.certainty]), className="row g12 wrap")
    return [_run_line(side, canvas), table, signs, html.P(words, className="xs t3")]


def _caveats(block: Block, runs: Runs, canvas: Canvas) -> list[Component | None]:
    named = block.runs or tuple(runs)
    found: list[Component | None] = []
    for number in named:
        if number not in runs:
            continue
        side = sides_of([Entry(runs[number])])[0]
        lines = [html.Li(words) for words in caveats_of(side.run, side.designs)]
        found += [
            _run_line(side, canvas),
            html.Ul(lines) if lines else html.P("No caveats.", className="sm t2"),
        ]
    return found or [html.P("The report contains no run yet.", className="sm t2")]


def _run_line(side: Side, canvas: Canvas, lettered: bool = False) -> Component:
    """Return the run with its design, and the way to repeat it; its letter where a picture has several."""
    run, repeat = side.run, repeat_path(side.run)
    design = f"?design={side.number}" if side.number is not None else ""
    words = f"run {run.pk:04d}, {engine_title(run.engine)} version {run.engine_version}, {side.words}"
    link = canvas.link(run.title, f"/runs/{run.pk}{design}")
    again = canvas.link("Repeat with my network", repeat) if repeat else None
    told = html.Span(words, className="xs t3")
    parts = [letter(side.style) if lettered else None, link, told, html.Span(className="sp"), again]
    return html.Div(parts, className="row g4 wrap report-run")


_SHOWN: Mapping[str, Callable[[Block, Runs, Canvas], list[Component | None]]] = {
    "front": _front,
    "design": _design,
    "designs": _designs,
    "comparison": _comparison,
    "caveats": _caveats,
}
