"""Lists that follow by themselves: a table of rows that lead to pages, asked for again sooner while something runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_ag_grid as dag
from dash.development.base_component import Component

from frontend.components.table import grid_options

_LIVE_EVERY_MS = 1000
_IDLE_EVERY_MS = 5000
RIGHT = {"type": "rightAligned"}


def every_ms(live: bool) -> int:
    """Return after how long a list is requested again."""
    return _LIVE_EVERY_MS if live else _IDLE_EVERY_MS


def moment_column(field: str, title: str, width_px: int) -> dict[str, Any]:
    """Return a column of moments in words; pointing at one tells it exactly (`exact` of the row)."""
    return {
        "field": field, "headerName": title, "width": width_px, "tooltipField": "exact", "sortable": False,
        "cellClass": "t2 ag-right-aligned-cell", **RIGHT,
    }  # fmt: skip


def list_table(
    table_id: str,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any] | None = None,
) -> Component:
    """Return a table whose rows are updated in place by a poll.

    Args:
        table_id: id of the component.
        rows: rows with an `id`, by which a changed row keeps its place.
        columns: column definitions of AG Grid.
        options: further options of AG Grid.
    """
    return dag.AgGrid(
        id=table_id,
        rowData=list(rows),
        columnDefs=list(columns),
        defaultColDef={"resizable": True, "suppressHeaderMenuButton": True, "sortable": True},
        getRowId="params.data.id",
        dashGridOptions=grid_options(domLayout="autoHeight", tooltipShowDelay=300, **(options or {})),
        className="home-table",
        style={"height": None, "width": "100%"},
    )
