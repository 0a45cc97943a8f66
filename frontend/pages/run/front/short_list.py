"""The short list of the run page: the best designs of the front by a quantity, by weighted ranks, or by what is good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.quantities import Quantity
from engines.search.ranking import achievement, ordered, weighted_ranks
from frontend.components.card import card_title
from frontend.components.static_html import static_html
from frontend.designs.run_designs import Region, RunDesigns
from frontend.figures.numbers import decimals_for, fixed, in_sentence, many, scale_of, significant
from frontend.ids.run import RunIds

SHORT_LIST = 5
_LOOKED_AT = 40  # designs alike share a row
_MOST_ALIKE = 4
WEIGHTS, ENOUGH = "weights", "enough"
_WORDS = {
    WEIGHTS: (
        "Weighted ranks",
        "Ranks by every objective times its weight, summed; the least is best (Minakova et al. 2022, eq. 5)",
    ),
    ENOUGH: (
        "Good enough",
        "The worst shortfall as a share of the range decides; below 0 all are met",
    ),
}


@dataclass(frozen=True)
class Ranking:
    """How the short list is ordered.

    Attributes:
        by: a column, `WEIGHTS` or `ENOUGH`.
        values: objective -> weight, or value in stored units that is good enough.
    """

    by: str
    values: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the ranking as the store of the page holds it."""
        return {"by": self.by, "values": dict(self.values)}


def read_ranking(text: str, designs: RunDesigns) -> Ranking:
    """Return the ranking of an address: "energy_j", "weights:latency_s=2,energy_j=1", "enough:latency_s=1.2"."""
    by, _, rest = text.partition(":")
    values = {}
    for part in rest.split(","):
        name, _, number = part.partition("=")
        try:
            value = float(number)
        except ValueError:
            continue
        if name in designs.columns and np.isfinite(value):
            values[name] = value
    if by in (WEIGHTS, ENOUGH):
        return Ranking(by, values)
    return Ranking(by if by in designs.columns else usual_by(designs))


def usual_by(designs: RunDesigns) -> str:
    """Return the column that the list is ordered by where nothing else is asked."""
    named = [quantity.name for quantity in designs.quantities if quantity.sense != "none"]
    return designs.primary or (named[0] if named else "")


def ranked(designs: RunDesigns, among: BoolArray, ranking: Ranking) -> tuple[IntArray, FloatArray]:
    """Return the designs of the front within `among`, best first, and what they were ordered by; both shape `k`."""
    numbers = designs.front[among[designs.front]] if len(designs.front) else designs.front
    if not len(numbers):
        return numbers, np.empty(0)
    scores = _scores(designs, numbers, ranking)
    order = ordered(np.where(np.isnan(scores), np.inf, scores))
    return numbers[order], scores[order]


def _scores(designs: RunDesigns, numbers: IntArray, ranking: Ranking) -> FloatArray:
    if ranking.by in designs.columns:
        sign = -1.0 if designs.quantity(ranking.by).sense == "maximise" else 1.0
        return designs.columns[ranking.by][numbers] * sign
    names = [quantity.name for quantity in designs.objectives]
    matrix = np.column_stack([designs.columns[name][numbers] for name in names])
    senses = [quantity.sense for quantity in designs.objectives]
    if ranking.by == WEIGHTS:
        weights = [max(0.0, ranking.values.get(name, 1.0)) for name in names]
        return weighted_ranks(matrix, senses, weights if sum(weights) > 0 else [1.0] * len(names))
    return achievement(matrix, senses, [ranking.values.get(name) for name in names])


# -- components ---------------------------------------------------------------------------------------------------------


def short_list_section(
    designs: RunDesigns, limits: Mapping[str, float], region: Region | None, ranking: Ranking, selected: int | None
) -> list[Component]:
    """Return the head with the order, fields of weights or values, and the list."""
    several = (
        [{"value": key, "label": words[0]} for key, words in _WORDS.items()] if len(designs.objectives) > 1 else []
    )
    data = [{"value": q.name, "label": q.title} for q in designs.quantities if q.sense != "none"]
    by = dmc.Select(
        id=RunIds.SHORT_BY,
        data=[*data, *several],
        value=ranking.by or None,
        allowDeselect=False,
        size="xs",
        w=104,
        comboboxProps={"width": 160, "position": "top-end"},
        **{"aria-label": "Short list by"},
    )
    head = [card_title("Short list"), html.Span(className="sp"), html.Span("by", className="sm t3"), by]
    return [
        html.Div(head, className="row g4"),
        html.Div(ranking_fields(designs, ranking), id=RunIds.RANKING_BOX, className="stack g4 ranking-box"),
        html.Div(id=RunIds.SHORT_LIST),
        dcc.Store(id=RunIds.SHORT_WORDS, data=short_list_words(designs, limits, region, ranking, selected)),
    ]


def ranking_fields(designs: RunDesigns, ranking: Ranking) -> list[Component]:
    """Return a field per objective: its weight, or the value that is good enough in the unit of its column.

    None for a plain order.
    """
    if ranking.by not in _WORDS:
        return []
    fields: list[Component] = [html.Div(_WORDS[ranking.by][1], className="xs t3")]
    for quantity in designs.objectives:
        factor, unit = field_scale(designs, quantity.name) if ranking.by == ENOUGH else (1.0, "")
        value = ranking.values.get(quantity.name, None if ranking.by == ENOUGH else 1.0)
        sign = "≥" if quantity.sense == "maximise" else "≤"
        number = dmc.NumberInput(
            id={"type": RunIds.RANKING_TYPE, "name": quantity.name},
            value=""
            if value is None
            else float(significant(value * factor, 4).replace("\u2009", "").replace("−", "-")),
            placeholder="best",
            min=0 if ranking.by == WEIGHTS else None,
            size="xs",
            w=82,
            hideControls=True,
            debounce=300,
            suffix=f" {unit}" if unit else "",
            prefix=f"{sign} " if ranking.by == ENOUGH else "× ",
            **{"aria-label": f"{_WORDS[ranking.by][0]}: {quantity.title}"},
        )
        fields.append(html.Div([html.Span(quantity.title, className="sm el"), number], className="row between"))
    return fields


def field_scale(designs: RunDesigns, name: str) -> tuple[float, str]:
    """Return the factor and unit in which values of a column are typed: those of the front."""
    numbers = designs.front
    scale = scale_of(designs.columns[name][numbers], designs.quantity(name).unit)
    return scale.factor, scale.unit


def typed_ranking(designs: RunDesigns, by: str, typed: Sequence[tuple[str, Any]]) -> Ranking:
    """Return the ranking as its fields stand: (objective, number as typed in the field's unit) pairs."""
    values = {}
    for name, number in typed:
        if isinstance(number, int | float) and name in designs.columns:
            values[name] = float(number) / (field_scale(designs, name)[0] if by == ENOUGH else 1.0)
    return Ranking(by, values)


def short_list_words(
    designs: RunDesigns, limits: Mapping[str, float], region: Region | None, ranking: Ranking, selected: int | None
) -> dict[str, dict[str, str]]:
    """Return the list as the text that `run.js` puts into its place: it follows every step of a slider."""
    shown = short_list(designs, limits, region, ranking, selected)
    return {"html": {RunIds.SHORT_LIST: static_html(shown, answered=True)}}


def short_list(
    designs: RunDesigns, limits: Mapping[str, float], region: Region | None, ranking: Ranking, selected: int | None
) -> Component | None:
    """Return the best designs of the front that pass: rank, objectives, and what orders them."""
    if not ranking.by or not (ranking.by in designs.columns or designs.objectives):
        return None
    numbers, scores = ranked(designs, designs.remaining(limits, region), ranking)
    if not len(numbers):
        return html.Div(
            "No design yet" if not limits and region is None else "No design of the front passes", className="sm t3"
        )
    numbers, scores = numbers[:_LOOKED_AT], scores[:_LOOKED_AT]
    cells = _cells(designs, numbers, scores, ranking)
    rows: list[Component] = []
    for rank, members in enumerate(_alike(cells)[:SHORT_LIST], start=1):
        own = numbers[members]
        rows.append(_row(rank, [column[members[0]] for column in cells], own, selected))
        if len(own) > 1:
            rows.append(_alike_row(designs, own, len(cells)))
    return html.Table([_head(designs, numbers, ranking), html.Tbody(rows)], className="t tight short-list")


def _others(designs: RunDesigns, ranking: Ranking) -> list[Quantity]:
    """Return the objectives next to what the list is ordered by."""
    return [q for q in designs.objectives if q.name != ranking.by][:2]


def _head(designs: RunDesigns, numbers: IntArray, ranking: Ranking) -> Component:
    """Return the names of the columns, on several lines where they are long, above their units."""
    named = [q.name for q in _others(designs, ranking)]
    named += [ranking.by] if ranking.by in designs.columns else []
    heads = [
        (designs.quantity(name).title, scale_of(designs.columns[name][numbers], designs.quantity(name).unit).unit)
        for name in named
    ]
    if ranking.by in _WORDS:
        heads.append(("Sum of ranks" if ranking.by == WEIGHTS else "Shortfall", ""))
    cells = [
        html.Th([html.Div(title, className="name"), html.Div(unit, className="unit")], className="r", title=title)
        for title, unit in heads
    ]
    return html.Thead(html.Tr([html.Th(""), *cells]))


def _cells(designs: RunDesigns, numbers: IntArray, scores: FloatArray, ranking: Ranking) -> list[list[str]]:
    """Return the columns of the list as they are shown; the last is what orders it."""
    cells = [_column(designs, numbers, q.name, 4) for q in _others(designs, ranking)]
    if ranking.by in designs.columns:
        return [*cells, _column(designs, numbers, ranking.by, 3)]
    # Small weights hide in large numbers of ranks: as many decimals as tell neighbours apart.
    return [*cells, [fixed(score, 2 if ranking.by == ENOUGH else 1) for score in scores]]


def _alike(cells: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the places of designs that read the same in every column, by the first of each.

    A row for each would say one thing thrice.
    """
    found: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(zip(*cells, strict=True)):
        found.setdefault(row, []).append(place)
    return list(found.values())


def _row(rank: int, cells: Sequence[str], numbers: IntArray, selected: int | None) -> Component:
    tds = [html.Td(cell, className="r num b" if cell is cells[-1] else "r num") for cell in cells]
    several = (
        [html.Span(f" ×{len(numbers)}", className="times", title=f"{many(len(numbers), 'design')} alike")]
        if len(numbers) > 1
        else []
    )
    return html.Tr(
        [html.Td([str(rank), *several], className="t3 num"), *tds],
        id={"type": RunIds.SHORT_ROW_TYPE, "number": int(numbers[0])},
        className="click sel" if selected is not None and selected in numbers else "click",
        # The script that marks the selected row reads the numbers.
        title=f"Design {', '.join(str(number) for number in numbers)}",
    )


def _alike_row(designs: RunDesigns, numbers: IntArray, columns: int) -> Component:
    """Return how many are alike, and a button for each, named by what tells them apart; shows below the selected row alone."""
    title, names = _apart(designs, numbers)
    buttons = [
        html.Button(name, type="button", className="link num", title=f"Design {number}", **{"data-design": str(number)})
        for name, number in list(zip(names, numbers, strict=True))[:_MOST_ALIKE]
    ]
    rest = [html.Span(f" and {len(numbers) - _MOST_ALIKE} more")] if len(numbers) > _MOST_ALIKE else []
    words = html.Span(f"{many(len(numbers), 'design')} alike: {title}")
    return html.Tr(html.Td([words, *buttons, *rest], colSpan=columns + 1), className="alike xs t2")


def _apart(designs: RunDesigns, numbers: IntArray) -> tuple[str, list[str]]:
    """Return the metrics in which equal designs of the list differ, with their values; else their labels or numbers."""
    shown = sorted(designs.shown, key=lambda quantity: quantity.role != "decision")
    for quantity in shown:
        values = designs.columns[quantity.name][numbers]
        if not np.isfinite(values).all() or len(np.unique(values)) < len(values):
            continue
        scale = scale_of(values, quantity.unit)
        names = [fixed(value * scale.factor, decimals_for(values * scale.factor, 3)) for value in values]
        if len(set(names)) == len(names):
            return in_sentence(quantity.title) + (f" ({scale.unit})" if scale.unit else ""), names
    labels = [str(designs.label[number]) for number in numbers]
    if len(set(labels)) == len(labels) and all(labels):
        return "", labels
    return "no.", [str(number) for number in numbers]


def _column(designs: RunDesigns, numbers: IntArray, name: str, digits: int) -> list[str]:
    values = designs.columns[name][numbers]
    shown = values * scale_of(values, designs.quantity(name).unit).factor
    places = decimals_for(shown, digits)
    return [fixed(value, places) for value in shown]
