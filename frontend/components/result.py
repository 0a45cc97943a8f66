"""Any result as a component: one renderer per type, so that a new method needs no page of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import dash_ag_grid as dag
import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.results import (
    ChipletGrid,
    Note,
    Result,
    Schedule,
    Table,
    TableColumn,
    Trace,
)
from frontend.components.figure import plot
from frontend.components.states import notice
from frontend.components.table import Column, grid_options, plain_table
from frontend.components.time_strip import HINT, time_strip, values_at_cursor
from frontend.figures.chiplet_grid import grid_figure
from frontend.figures.numbers import amount, decimals_for, fixed, scale_of
from frontend.figures.of_result import FIGURES, figure_of
from frontend.figures.schedule import schedule_figure
from frontend.figures.summary import grid_sentence, result_sentence
from frontend.theme import Scheme

# Dash keeps every cell of a plain table as a component of its own: thousands of them hold the browser up for many seconds.
_MOST_PLAIN_ROWS = 60
_ROW_PX, _HEAD_PX, _MOST_GRID_PX = 28, 36, 460
Renderer = Callable[[Result, Scheme, float], Component]


def draw(result: Result, scheme: Scheme, width_px: float = 900) -> Component:
    """The result as a figure, table or notice.

    Args:
        result: of any of the types in `engines.contract.results`.
        scheme: light or dark.
        width_px: width that it will have.

    Raises:
        TypeError: if there is no renderer for the type; names those that there are.
    """
    renderer = RENDERERS.get(type(result))
    if renderer is None:
        names = sorted(known.__name__ for known in RENDERERS)
        raise TypeError(f"A result must be one of {names}. Got {type(result).__name__} instead.")
    return renderer(result, scheme, width_px)


def _figure(result: Result, scheme: Scheme, width_px: float) -> Component:
    return plot(figure_of(result, scheme, width_px), summary=result_sentence(result))


def _trace(result: Result, scheme: Scheme, width_px: float) -> Component:
    assert isinstance(result, Trace)
    picture = figure_of(result, scheme, width_px)
    words = f"{result_sentence(result)} Arrow keys move a time cursor."
    return html.Div([time_strip(picture, summary=words), values_at_cursor(HINT)], className="trace")


def _grid(result: Result, scheme: Scheme, width_px: float) -> Component:
    assert isinstance(result, ChipletGrid)
    width = min(width_px, 640.0)
    pictures = [
        html.Div(
            [
                html.Div(f"W{index + 1}", className="b sm"),
                plot(
                    grid_figure(result, index, scheme, width_px=width, height_px=90.0 * result.rows),
                    summary=grid_sentence(result, index),
                ),
            ],
            style={"width": width},
        )
        for index in range(len(result.windows))
    ]
    return html.Div(pictures, className="row wrap top g16")


def _schedule(result: Result, scheme: Scheme, width_px: float) -> Component:
    assert isinstance(result, Schedule)
    height = 60.0 + 24.0 * max(1, len(result.lanes))
    picture = schedule_figure(result, scheme, width_px=width_px, height_px=height)
    return plot(picture, summary=result_sentence(result))


def result_table(table: Table) -> Component:
    """A table: one unit per column, in its head, equal decimals; where rows name their own unit, it follows each value."""
    columns, shown = [], []
    units = _row_units(table.table_columns)
    rows = len(table.table_columns[0].values) if table.table_columns else 0
    if units is None and rows > _MOST_PLAIN_ROWS:
        return _grid_of(table, rows)
    for column in table.table_columns:
        if column.row_units:
            continue
        if units is not None and isinstance(column.values, np.ndarray):
            columns.append(Column(column.title, number=True))
            shown.append([amount(float(v), unit, 4) for v, unit in zip(column.values, units, strict=True)])
            continue
        head, cells = _column(column)
        columns.append(head)
        shown.append(cells)
    return html.Div(plain_table(columns, list(zip(*shown, strict=True))), className="table-scroll")


def _grid_of(table: Table, rows: int) -> Component:
    """A long table: the browser draws only the rows in view, sorts and filters them itself."""
    heads: list[dict[str, object]] = []
    fields: list[Sequence[object]] = []
    for number, column in enumerate(table.table_columns):
        head: dict[str, object] = {"field": f"c{number}", "headerName": column.title, "flex": 1, "minWidth": 92}
        if isinstance(column.values, np.ndarray):
            scale = scale_of(column.values, column.unit)
            values = column.values * scale.factor
            places = decimals_for(values.tolist())
            shown = f"params.value == null ? '–' : d3.format('.{places}f')(params.value)"
            head |= {"type": "rightAligned", "cellClass": "num ag-right-aligned-cell", "filter": "agNumberColumnFilter"}
            head |= {"valueFormatter": {"function": shown}}
            head |= {"headerName": f"{column.title} ({scale.unit})" if scale.unit else column.title}
            fields.append([float(value) if np.isfinite(value) else None for value in values])
        else:
            head |= {"filter": "agTextColumnFilter"}
            fields.append(column.values)
        heads.append(head)
    return dag.AgGrid(
        rowData=[{f"c{number}": cell for number, cell in enumerate(row)} for row in zip(*fields, strict=True)],
        columnDefs=heads,
        defaultColDef={"sortable": True, "resizable": True, "filterParams": {"buttons": ["reset"]}},
        dashGridOptions=grid_options(rowHeight=_ROW_PX),
        style={"height": min(_MOST_GRID_PX, _HEAD_PX + _ROW_PX * rows), "width": "100%"},
    )


def _row_units(columns: Sequence[TableColumn]) -> list[str] | None:
    """The unit of each row, None where columns have theirs."""
    given = next((column.values for column in columns if column.row_units), None)
    return None if given is None else list(map(str, given))


def _column(column: TableColumn) -> tuple[Column, list[str]]:
    if not isinstance(column.values, np.ndarray):
        return Column(column.title, unit=column.unit), list(column.values)
    scale = scale_of(column.values, column.unit)
    values = column.values * scale.factor
    decimals = decimals_for(values.tolist())
    return Column(column.title, number=True, unit=scale.unit), [fixed(float(v), decimals) for v in values]


def _table(result: Result, scheme: Scheme, width_px: float) -> Component:
    assert isinstance(result, Table)
    return result_table(result)


def _note(result: Result, scheme: Scheme, width_px: float) -> Component:
    assert isinstance(result, Note)
    if result.role == "document":
        return html.Pre(result.text, className="mono command tall", tabIndex=0)
    return notice(result.text, tone="warn" if result.level == "warning" else "plain")


RENDERERS: Mapping[type[Result], Renderer] = {
    ChipletGrid: _grid,
    Schedule: _schedule,
    Table: _table,
    Note: _note,
    **dict.fromkeys(FIGURES, _figure),
    Trace: _trace,
}
