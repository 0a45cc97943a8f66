"""The content of the page of a study: its table as drawn, and the picked cell. No callbacks."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component
from plotly.colors import sample_colorscale

from engines.contract.engine import Engine
from engines.contract.errors import ProblemError
from engines.search.significance import rounded
from frontend.components.button import link_button
from frontend.components.card import card_title
from frontend.components.chip import status_chip
from frontend.components.pictures.kpi import kpi
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, Scale, decimals_for, fixed, full, many, scale_of, si, significant
from frontend.pages.asked_number import asked_number
from frontend.pages.study.words import axis_title, column_title, value_title
from frontend.theme import SEQUENTIAL, ink_on
from webapp.comparisons.service import FEWEST, MOST
from webapp.studies.models import Study
from webapp.studies.service import Progress
from webapp.studies.tables import BASELINES, StudyTable, TableCell, study_table
from webapp.studies.values import RunRow

_EQUAL_DECIMALS_UP_TO = 100.0
_LOGARITHMIC_FROM = 20.0
_DARK_HALF, _LIGHT_HALF = 0.47, 0.54  # where the halves of the ramp end and begin


@dataclass(frozen=True)
class StudyQuery:
    """The reader's choices; None takes the default. `cell` is "row.column" in the table as drawn."""

    rows: str | None = None
    columns: str | None = None
    quantity: str | None = None
    cell: str | None = None


def asked_table(study: Study, asked: StudyQuery, keep: str = "rows") -> tuple[StudyTable, StudyQuery]:
    """Return the table and the query that it answers; duplicate or unknown axes become defaults.

    Args:
        study: the study.
        asked: as in the address or the controls.
        keep: "rows" or "columns", the choice that stays where both are the same axis.
    """
    if asked.rows and asked.rows == asked.columns:
        asked = replace(asked, columns=None) if keep == "rows" else replace(asked, rows=None)
    for attempt in (asked, replace(asked, columns=None), StudyQuery(quantity=asked.quantity), StudyQuery()):
        try:
            table = study_table(study, attempt.rows, attempt.columns, attempt.quantity)
        except ProblemError:
            continue
        rows = table.row_axes[0].name if table.row_axes else ""
        return table, StudyQuery(rows, table.column_axis, table.quantity.name, asked.cell)
    raise ProblemError("engine", study.engine, "an installed engine")


def digest_of(table: StudyTable, progress: Progress, asked: StudyQuery) -> str:
    """Return a digest that changes with everything that the page draws."""
    runs = [
        (each.run.pk, each.run.status, each.run.wish, each.run.outcome, each.value, round(each.run.fraction, 2))
        for row in table.rows
        for cell in row.cells
        for each in cell.runs
    ]
    return hashlib.sha256(repr((runs, progress, asked)).encode()).hexdigest()[:16]


# -- the table --------------------------------------------------------------------------------------------------------


def table_view(table: StudyTable, study: Study, engine: Engine, picked: str | None) -> Component:
    """Return the rows x columns; a cell is coloured by its median, the best of a row is bold, every cell is a button."""
    colour, scale = _Colours(table.medians), scale_of(table.medians or [0.0], table.quantity.unit)
    text = _texts(table.medians, scale)
    heads = [html.Th(axis_title(axis.name, engine), scope="col") for axis in table.row_axes]
    heads += [
        html.Th(
            column_title(table.column_axis, head, engine, study.titles),
            className="r study-head",
            scope="col",
            title=str(head),
        )
        for head in table.columns
    ]
    body = []
    for position, row in enumerate(table.rows):
        names = [
            html.Th(
                value_title(axis.name, value, engine, study.titles),
                className="study-name",
                scope="row",
                title=str(value),
            )
            for axis, value in zip(table.row_axes, row.key, strict=True)
        ]
        best = _best(row.cells, table.quantity.sense)
        cells = [
            _cell(cell, f"{position}.{column}", colour, text, column in best, picked)
            for column, cell in enumerate(row.cells)
        ]
        body.append(html.Tr([*names, *cells]))
    return html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)], className="t study-grid")


def _best(cells: Sequence[TableCell], sense: str) -> set[int]:
    """Return the columns with the best median, to the digits that tests compare; none where there is one median."""
    known = {column: rounded([cell.median])[0] for column, cell in enumerate(cells) if cell.median is not None}
    best = (max if sense == "maximise" else min)(known.values(), default=0.0)
    return {column for column, median in known.items() if median == best} if len(known) > 1 else set()


def _cell(cell: TableCell, place: str, colour: _Colours, text: Any, best: bool, picked: str | None) -> Component:
    count = f"{cell.count} of {len(cell.runs)}" if cell.count < len(cell.runs) else ""
    if not cell.runs:
        return html.Td(html.Span(MISSING, className="study-cell t3"))
    fill, ink = colour.of(cell.median)
    classes = ["study-cell num", *(["empty"] if cell.median is None else []), *(["best"] if best else [])]
    shown = [html.Span(text(cell.median))]
    if count:
        shown.append(html.Span(count, className="study-count"))
    if cell.active:
        shown.insert(0, html.Span(className="dot acc"))
    button = html.Button(
        shown,
        type="button",
        className=" ".join(classes + (["on"] if place == picked else [])),
        style={"background": fill, "color": ink} if fill else {},
        title=_hint(cell),
        **{"data-study-cell": place, "aria-pressed": str(place == picked).lower()},
    )
    return html.Td(button)


def _hint(cell: TableCell) -> str:
    if cell.median is None:
        return "No value yet" if cell.active else "No value"
    middle = f"median {full(cell.median)}, {full(cell.low or 0.0)} to {full(cell.high or 0.0)}"
    return f"{middle}, {cell.count} of {many(len(cell.runs), 'run')}"


def _texts(medians: Sequence[float], scale: Scale) -> Any:
    """Return medians as text with equal decimals, unless small ones would lose all digits."""
    shown = [abs(value * scale.factor) for value in medians if value]
    if shown and max(shown) > _EQUAL_DECIMALS_UP_TO * min(shown):
        return lambda value: MISSING if value is None else significant(value * scale.factor)
    decimals = decimals_for(shown)
    return lambda value: MISSING if value is None else fixed(value * scale.factor, decimals)


class _Colours:
    """Median -> fill and ink; logarithmic where the values span more than a factor of 20."""

    def __init__(self, medians: Sequence[float]) -> None:
        finite = [value for value in medians if math.isfinite(value)]
        self.low, self.high = min(finite, default=0.0), max(finite, default=0.0)
        self.logarithmic = self.low > 0 and self.high > _LOGARITHMIC_FROM * self.low

    def of(self, value: float | None) -> tuple[str, str]:
        if value is None or not math.isfinite(value):
            return "", ""
        return fill_of(self._share(value))

    def _share(self, value: float) -> float:
        if self.high <= self.low:
            return 0.5
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def fill_of(share: float) -> tuple[str, str]:
    """Return the colour of the ramp at `share` (0..1), and the ink that reads on it with a contrast of at least 4.5."""
    share = min(1.0, max(0.0, share))
    # On the ramp's middle grey neither ink reads well enough: the two halves leave that band out.
    place = share * 2 * _DARK_HALF if share < 0.5 else 1.0 - (1.0 - share) * 2 * (1.0 - _LIGHT_HALF)
    channels = sample_colorscale(SEQUENTIAL, [place], colortype="tuple")[0]
    fill = "#" + "".join(f"{round(255 * channel):02X}" for channel in channels)
    return fill, ink_on(fill)


def legend(table: StudyTable) -> list[Component]:
    """Return the quantity with its unit, what a cell is, and the ramp with its ends."""
    scale, colour = scale_of(table.medians or [0.0], table.quantity.unit), _Colours(table.medians)
    unit = f" in {scale.unit}" if scale.unit else ""
    words = html.Span(
        f"Median of the best {table.quantity.title}{unit} over the runs of a combination", className="sm t2"
    )
    if not table.medians:
        return [words]
    steps = ", ".join(fill_of(i / 8)[0] for i in range(9))
    ramp = html.Span(
        className="study-ramp", style={"background": f"linear-gradient(90deg, {steps})"}, **{"aria-hidden": "true"}
    )
    ends = [html.Span(si(value, table.quantity.unit), className="xs num t2") for value in (colour.low, colour.high)]
    kind = [html.Span("logarithmic", className="xs t3")] if colour.logarithmic else []
    best = html.Span("bold: best of its row", className="xs t3")
    return [words, html.Span(className="sp"), best, ends[0], ramp, ends[1], *kind]


# -- the picked cell --------------------------------------------------------------------------------------------------


def cell_view(table: StudyTable, study: Study, engine: Engine, picked: str | None) -> Component | None:
    """Return the runs of the picked cell with their values, each with a link; None where no cell is picked."""
    place = place_of(table, picked)
    if place is None:
        return None
    row, column = table.rows[place[0]], place[1]
    cell, unit = row.cells[column], table.quantity.unit
    words = [
        value_title(axis.name, value, engine, study.titles) for axis, value in zip(table.row_axes, row.key, strict=True)
    ]
    if table.column_axis:
        words.append(column_title(table.column_axis, table.columns[column], engine, study.titles))
    figures = [("Median", cell.median), ("Least", cell.low), ("Largest", cell.high)]
    kpis = [kpi(name, si(value, unit, 4), title="" if value is None else full(value)) for name, value in figures]
    columns = (Column("Run"), Column("Seed", number=True), Column(table.quantity.title, number=True), Column("State"))
    rows = [
        (
            dcc.Link(f"{each.run.pk:04d}", href=f"/runs/{each.run.pk}", className="mono"),
            str(each.run.cell.get("seed", MISSING)),
            si(each.value, unit, 4),
            status_chip(each.run.status, each.run.outcome),
        )
        for each in cell.runs
    ]
    note = "The baseline as each run evaluated it." if table.column_axis == BASELINES and column else ""
    return html.Section(
        [
            html.Div(
                [
                    card_title(" · ".join(words) or "All runs", "el"),
                    html.Span(className="sp"),
                    _compare("Compare these runs", [each.run for each in cell.runs]),
                    _compare("Compare the row", [other.runs[0].run for other in row.cells if other.runs]),
                ],
                className="ch",
            ),
            html.Div(
                [
                    html.Div(
                        [*kpis, kpi("Runs with a value", f"{cell.count} of {len(cell.runs)}")], className="row g24 wrap"
                    ),
                    html.Div(note, className="xs t3") if note else None,
                    html.Div(plain_table(columns, rows), className="table-scroll study-runs"),
                ],
                className="cb stack g12",
            ),
        ],
        className="card study-picked",
        **{"aria-label": "Runs of the selected combination"},
    )


def _compare(words: str, runs: Sequence[RunRow]) -> Component | None:
    """Return a link to the comparison of those runs that have designs; None where that would be too few or too many."""
    numbers = list(dict.fromkeys(str(run.pk) for run in runs if run.design_count))
    if not FEWEST <= len(numbers) <= MOST:
        return None
    return link_button(words, f"/compare?runs={','.join(numbers)}", icon="git-compare", size="small")


def place_of(table: StudyTable, picked: str | None) -> tuple[int, int] | None:
    """Return the row and column of the picked cell; None where the table has none there."""
    row, column = map(asked_number, (picked or "").partition(".")[::2])
    if row is None or column is None:
        return None
    there = row < len(table.rows) and column < len(table.columns) and table.rows[row].cells[column].runs
    return (row, column) if there else None
