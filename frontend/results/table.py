"""Tables."""

from __future__ import annotations

from collections.abc import Sequence

import dash_ag_grid as dag
import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.results import Table, TableColumn
from frontend.components.table import Column, grid_options, plain_table
from frontend.figures.numbers import amount, decimals_for, fixed, scale_of
from frontend.results.view import ResultView

# Dash keeps every cell of a plain table as a component of its own: thousands of them hold the browser up for many seconds.
_MOST_PLAIN_ROWS = 60
_ROW_PX, _HEAD_PX, _MOST_GRID_PX = 28, 36, 460
_WIDE_COLUMNS = 9  # tables with so many take the whole width


def result_table(table: Table) -> Component:
    """Return a table: one unit per column, in its head, equal decimals; where rows name their own unit, it follows each value."""
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
    """Return a long table: the browser draws only the rows in view, sorts and filters them itself."""
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
    """Return the unit of each row, None where columns have theirs."""
    given = next((column.values for column in columns if column.row_units), None)
    return None if given is None else list(map(str, given))


def _column(column: TableColumn) -> tuple[Column, list[str]]:
    if not isinstance(column.values, np.ndarray):
        return Column(column.title, unit=column.unit), list(column.values)
    scale = scale_of(column.values, column.unit)
    values = column.values * scale.factor
    decimals = decimals_for(values.tolist())
    return Column(column.title, number=True, unit=scale.unit), [fixed(float(v), decimals) for v in values]


VIEW = ResultView(
    Table,
    "table",
    lambda table: table.title,
    lambda table, _scheme, _width_px: result_table(table),
    wide=lambda table: len(table.table_columns) >= _WIDE_COLUMNS,
)
