"""Parts of the page of a comparison: chips of the runs, what differs, fronts, table of measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dash import Patch, dcc, html
from dash.development.base_component import Component

from frontend.components.certainty import certainty_sign
from frontend.components.chip import chip, imported_chip
from frontend.components.icon import icon
from frontend.components.name import cut_name
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_words import engine_title
from frontend.figures.front.fronts import FrontSide, chosen_designs, equal_fronts, fronts_figure
from frontend.figures.numbers import in_sentence, integer, many, percent, ratio, si, significant
from frontend.ids.compare import CompareIds
from frontend.pages.compare.data import Side, axis_choices, drawn, front_side, unlike_rows
from frontend.pages.compare.measures import MetricRow, common_reference, fronts_of
from frontend.theme import RunStyle, Scheme
from webapp.comparisons.differences import differing
from webapp.runs.bundles.import_mark import checked_words

# The bar of a ratio is full at a factor of four.
_BAR_FULL = 2.0
# Of runs of different engines most parameters are no difference, but of one engine only.
_MOST_DIFFERENCES = 8


def letter(style: RunStyle) -> Component:
    """Return the letter of a run on its colour."""
    return html.Span(style.letter, className=f"run-letter run-{style.letter.lower()}")


# -- head -------------------------------------------------------------------------------------------------------------


def run_chips(sides: Sequence[Side], removable: bool) -> list[Component]:
    """Return letter, title and seed of every run, each with a button that takes it out."""
    return [_run_chip(side, removable) for side in sides]


def _run_chip(side: Side, removable: bool) -> Component:
    words = f"{engine_title(side.run.engine)}, seed {side.run.seed}"
    link = dcc.Link(
        [html.Span(f"{side.run.pk:04d}", className="mono t3"), cut_name(side.run.title)],
        href=f"/runs/{side.run.pk}" + (f"?design={side.number}" if side.number is not None else ""),
        className="compare-run m5",
        title=side.run.title,
    )
    take_out = html.Button(
        icon("x", "s"),
        id={"type": CompareIds.REMOVE_TYPE, "run": side.run.pk},
        className="ib tiny",
        type="button",
        title=f"Take {side.style.letter} out",
        **{"aria-label": f"Remove run {side.style.letter}"},
    )
    return html.Span(
        [
            *(letter(side.style), link, html.Span(words, className="sm t3 nw")),
            imported_chip(checked_words(side.run)) if side.run.imported else None,
            take_out if removable else None,
        ],
        className="row g4 compare-chip",
    )


def differences_line(sides: Sequence[Side]) -> list[Component]:
    """Return the line on the differences between the problems."""
    rows = differing([side.run for side in sides])
    if not rows:
        return [html.Span("The problems are the same.", className="sm t3")]
    named = [row for row in rows if row.telling or len(rows) <= _MOST_DIFFERENCES]
    rest = len(rows) - len(named)
    chips = [
        chip(
            html.Span(row.name, className="t3"),
            _told_apart(sides, row.values),
            tone="warn" if row.decides else "line",
            title=_in_full(sides, row.values),
        )
        for row in named
    ]
    words = f"and in {rest} items that some of them lack" if rest else "all else equal"
    return [html.Span("Differs in", className="sm t3"), *chips, html.Span(words, className="sm t3")]


def unlike_names(sides: Sequence[Side]) -> str:
    """Return the differences that make runs incomparable, such as "workload and estimator"; "" for comparable runs."""
    names = [row.name for row in unlike_rows(sides)]
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def unlike_notice(sides: Sequence[Side]) -> Component | None:
    """Return a notice why the runs cannot be compared; None if they can."""
    names = unlike_names(sides)
    if not names:
        return None
    words = f"These runs differ in {names}: their values are side by side, but none of them is marked as better."
    return notice(words, tone="warn")


def _told_apart(sides: Sequence[Side], values: Sequence[str]) -> str:
    """Return "from → to" for two runs; for more, each value with the letters of the runs that have it."""
    if len(sides) == 2:
        return " → ".join(values)
    having = {
        value: [side.style.letter for side, other in zip(sides, values, strict=True) if other == value]
        for value in values
    }
    return " · ".join(f"{' '.join(letters)}: {value}" for value, letters in having.items())


def _in_full(sides: Sequence[Side], values: Sequence[str]) -> str:
    return "; ".join(f"{side.style.letter}: {value}" for side, value in zip(sides, values, strict=True))


# -- fronts -----------------------------------------------------------------------------------------------------------


def fronts_picture(
    sides: Sequence[Side], axes: tuple[str, str], scheme: Scheme, size: tuple[int, int], log: str = ""
) -> dict[str, Any]:
    """Return the fronts over two quantities that all runs have; `log` names the logarithmic axes, as "xy"."""
    shown, corner = _fronts(sides, axes)
    return fronts_figure(shown, scheme, width_px=size[0], height_px=size[1], reference=corner, log=log)


def fronts_patch(
    sides: Sequence[Side], axes: tuple[str, str], scheme: Scheme, size: tuple[int, int], log: str = ""
) -> Patch:
    """Return the patch of that picture for other selected designs; it excludes the point clouds to save transfer."""
    shown, corner = _fronts(sides, axes)
    chosen = chosen_designs(shown, scheme, width_px=size[0], height_px=size[1], reference=corner, log=log)
    patch = Patch()
    for position, trace in enumerate(chosen.traces):
        for part in ("x", "y", "customdata"):
            value = trace[part]
            patch["data"][chosen.first + position][part] = value if isinstance(value, list) else value.tolist()
        for part in ("marker", "hovertemplate"):  # another where the design lies beyond the axes
            patch["data"][chosen.first + position][part] = trace[part]
    patch["layout"]["annotations"] = list(chosen.annotations)
    return patch


def _fronts(sides: Sequence[Side], axes: tuple[str, str]) -> tuple[list[FrontSide], tuple[float, float] | None]:
    quantities = {quantity.name: quantity for quantity in axis_choices(sides)}
    x, y = (quantities[name] for name in axes)
    reference = common_reference(sides)
    corner = (reference[x.name], reference[y.name]) if x.name in reference and y.name in reference else None
    return [front_side(side, x, y) for side in drawn(sides, axes)], corner


def fronts_sentence(sides: Sequence[Side], axes: tuple[str, str]) -> str:
    """Return the text for those who do not see the picture."""
    quantities = {quantity.name: quantity for quantity in axis_choices(sides)}
    parts = []
    for side in drawn(sides, axes):
        bests = ", ".join(f"{quantities[n].title.lower()} {si(side.best(n), quantities[n].unit)}" for n in axes)
        parts.append(f"{side.style.letter}: {many(len(side.designs), 'design')}, best {bests}")
    return " ".join(["Fronts of " + "; ".join(parts) + ".", *fronts_remarks(sides, axes)])


def fronts_remarks(sides: Sequence[Side], axes: tuple[str, str]) -> list[str]:
    """Return the remarks on runs with equal fronts and on runs that the picture omits."""
    shown = drawn(sides, axes)
    quantities = {quantity.name: quantity for quantity in axis_choices(sides)}
    clouds = [front_side(side, *(quantities[name] for name in axes)).cloud for side in shown]
    found = [
        f"{shown[at].style.letter} and {shown[first].style.letter} have equal fronts: a ring around the marks of "
        f"{shown[first].style.letter}."
        for at, first in equal_fronts(clouds).items()
    ]
    for side in sides:
        if side not in shown:
            lacking = [in_sentence(quantities[name].title) for name in axes if not side.has(quantities[name])]
            found.append(f"{side.style.letter} is not drawn: it has no {' and no '.join(lacking)}.")
    return found


def fronts_counts(sides: Sequence[Side]) -> list[Component]:
    """Return the designs of every run, as the legend of the picture."""
    parts: list[Component] = []
    for side in sides:
        parts += [letter(side.style), html.Span(integer(len(side.designs)), className="num sm")]
    return [*parts, html.Span("designs", className="sm t3")]


# -- measures ---------------------------------------------------------------------------------------------------------


def metric_table(rows: Sequence[MetricRow], sides: Sequence[Side]) -> Component:
    """Return the values per run, the better one bold.

    For two runs their ratio as a bar in the better one's colour, for more next to each.
    """
    if not rows:
        return html.P("The runs have no metric in common.", className="sm t2 compare-nothing")
    pair = len(sides) == 2
    heads: list[Any] = [html.Th("Measure"), *[html.Th(letter(side.style), className="r") for side in sides]]
    if pair:
        heads += [html.Th(f"{sides[1].style.letter} = {sides[0].style.letter}", className="r"), html.Th(_bar_scale())]
    bodies = []
    for group, members in groupby(rows, key=lambda row: row.group):
        span = len(sides) + (3 if pair else 1)
        body = [html.Tr(html.Th(group, colSpan=span, scope="rowgroup"), className="compare-group")]
        bodies.append(html.Tbody([*body, *[_metric_row(row, sides, pair) for row in members]]))
    return html.Table([html.Thead(html.Tr(heads)), *bodies], className="t tight compare-table")


def _bar_scale() -> Component:
    return html.Span([html.Span("¼ ×"), html.Span("1 ×"), html.Span("4 ×")], className="compare-scale xs t3")


def _metric_row(row: MetricRow, sides: Sequence[Side], pair: bool) -> Component:
    title = [row.title, html.Span(f" {row.unit}", className="t3") if row.unit else ""]
    cells: list[Any] = [html.Td(title, title=row.help)]
    best = row.best
    ratios = [""] * len(sides) if pair else [_ratio_words(at, value) for at, value in enumerate(row.ratios)]
    unsure = row.inside_error
    for at, (text, words) in enumerate(zip(row.texts, ratios, strict=True)):
        number = row.certainties[at] if row.certainties and math.isfinite(row.values[at]) else None
        sign = certainty_sign(number) if number else None
        shown = [
            html.Span(words, className="compare-ratio t3") if words else None,
            _unsure(row, at, unsure),
            sign,
            text,
        ]
        cells.append(html.Td(shown, className="r num b" if at in best and at not in unsure else "r num"))
    if pair:
        quotient = row.values[1] / row.values[0] if row.values[0] else float("nan")
        known = math.isfinite(quotient) and quotient > 0
        cells.append(html.Td(_factor(quotient) if known else "–", className="r num"))
        cells.append(html.Td(_ratio_bar(quotient, row, sides) if known else None))
    return html.Tr(cells)


def _unsure(row: MetricRow, position: int, unsure: frozenset[int]) -> Component | None:
    """Return a mark where a value differs from the best by no more than its estimate may be off."""
    if position not in unsure:
        return None
    factor = max(factor for factor in row.factors if math.isfinite(factor))
    words = (
        f"The difference is smaller than the error band (×/÷ {factor:.2f}), so the runs are not ranked. The error may be larger "
        "for other networks and precisions."
    )
    return html.Span("≈", className="compare-unsure t3", title=words, role="img", **{"aria-label": words})


def _ratio_words(position: int, value: float) -> str:
    """Return the factor from the value of the first run; nothing for the first itself."""
    return _factor(value) if position and math.isfinite(value) else ""


def _factor(quotient: float) -> str:
    """Return a ratio that exceeds 1: "× 4.20" or "÷ 34.8" of the first run's value."""
    return f"÷ {significant(1 / quotient)}" if 0 < quotient < 1 else f"× {significant(quotient)}"


def pairs_table(sides: Sequence[Side]) -> Component | None:
    """Return every run against every other: coverage and, below it, the factor to cover; None for two runs and for unlike ones."""
    found = fronts_of(sides).measures
    if len(sides) < 3 or found.reference is None or unlike_rows(sides):
        return None
    heads = [html.Th("Share of the front of"), *[html.Th(letter(side.style), className="r") for side in sides]]
    body = []
    for side, shares, factors in zip(sides, found.coverage, found.factors, strict=True):
        cells = [_pair_cell(share, factor) for share, factor in zip(shares, factors, strict=True)]
        body.append(html.Tr([html.Th(["dominated by ", letter(side.style)], scope="row"), *cells]))
    words = "Factor below each share: the run of the row must improve by it to cover the run of the column."
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)], className="t tight compare-pairs")
    return html.Div([table, html.P(words, className="xs t3")])


def _pair_cell(share: float, factor: float) -> Component:
    if math.isnan(share) and math.isnan(factor):
        return html.Td("–", className="r t3")
    return html.Td([percent(share), html.Span(ratio(factor), className="compare-ratio t3")], className="r num")


def _ratio_bar(quotient: float, row: MetricRow, sides: Sequence[Side]) -> Component:
    """Return a bar of log2(ratio): left of the middle if the second value is smaller, in the better run's colour or grey."""
    reach = max(-_BAR_FULL, min(_BAR_FULL, math.log2(quotient))) / _BAR_FULL * 50
    owner = next((sides[at].style.letter.lower() for at in row.best), None)
    left, width = (50.0, reach) if reach >= 0 else (50.0 + reach, -reach)
    bar = html.Span(
        className=f"compare-bar run-{owner}" if owner else "compare-bar",
        style={"left": f"{left:.1f}%", "width": f"{max(width, 0.8):.1f}%"},
    )
    return html.Div(bar, className="compare-bars", **{"aria-hidden": "true"})


def differences_table(sides: Sequence[Side]) -> Component:
    """Return the table of the differences between the problems, one row each."""
    rows = differing([side.run for side in sides])
    columns = [Column("Differs in"), *[Column(side.style.letter) for side in sides]]
    return plain_table(columns, [[row.name, *row.values] for row in rows])
