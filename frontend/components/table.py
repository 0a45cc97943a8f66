"""Plain tables for a few rows; long ones are AG Grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dash import html
from dash.development.base_component import Component

from frontend.theme import FONT

# AG Grid takes the tokens as custom properties, so the grid follows the scheme without being drawn again.
_GRID_PARAMS: Mapping[str, Any] = {
    "backgroundColor": "var(--p-surface)",
    "foregroundColor": "var(--p-text)",
    "headerBackgroundColor": "var(--p-surface)",
    "headerTextColor": "var(--p-text3)",
    "borderColor": "var(--p-border-soft)",
    "accentColor": "var(--p-accent)",
    "rowHoverColor": "var(--p-sunken)",
    "selectedRowBackgroundColor": "var(--p-accent-weak)",
    "oddRowBackgroundColor": "var(--p-surface)",
    "fontFamily": FONT,
    "fontSize": 12,
    "headerFontSize": 11,
    "headerFontWeight": 500,
    "headerHeight": 32,
    "rowHeight": 36,
    "spacing": 6,
    "wrapperBorder": False,
    "wrapperBorderRadius": 0,
    "headerColumnResizeHandleColor": "transparent",
    "cellHorizontalPadding": 10,
    "browserColorScheme": "inherit",
}


@dataclass(frozen=True)
class Column:
    """A column of a plain table: its head, and whether it holds numbers (right-aligned, tabular figures)."""

    title: str
    number: bool = False
    unit: str = ""


def plain_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Component | str]],
    *,
    selected: int | None = None,
    row_ids: Sequence[dict[str, Any]] | None = None,
    tight: bool = False,
) -> html.Table:
    """Return a table.

    Args:
        columns: heads in order.
        rows: cells, one sequence per row.
        selected: index of the row drawn as selected.
        row_ids: ids of the rows, which are then clickable (`n_clicks`).
        tight: rows of 26 pixels instead of 30.
    """
    heads = [
        html.Th([c.title, html.Span(f" {c.unit}", className="t3") if c.unit else ""], className=_cell(c))
        for c in columns
    ]
    body = []
    for index, row in enumerate(rows):
        classes = " ".join(p for p in ("sel" if index == selected else "", "click" if row_ids else "") if p)
        cells = [html.Td(value, className=_cell(column)) for column, value in zip(columns, row, strict=True)]
        body.append(html.Tr(cells, className=classes, **({"id": row_ids[index]} if row_ids else {})))
    return html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)], className="t tight" if tight else "t")


def _cell(column: Column) -> str:
    return "r num" if column.number else ""


def grid_options(**options: Any) -> dict[str, Any]:
    """Return `dashGridOptions` of a `dash_ag_grid.AgGrid` in the explorer's looks; `options` are added."""
    parameters = ", ".join(f"{name}: {_literal(value)}" for name, value in _GRID_PARAMS.items())
    theme = {"function": f"themeQuartz.withParams({{{parameters}}})"}
    return {"theme": theme, "animateRows": False, "suppressCellFocus": False, "suppressMovableColumns": True} | options


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}'" if isinstance(value, str) else str(value)
