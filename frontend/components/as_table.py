"""What a figure shows as a table, folded away below it."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component


def as_table(*tables: Component | None) -> html.Details:
    """`Show as table`, which opens the tables; None is skipped."""
    shown = [html.Div(table, className="table-scroll") for table in tables if table is not None]
    return html.Details([html.Summary("Show as table", className="sm"), *shown], className="as-table")
