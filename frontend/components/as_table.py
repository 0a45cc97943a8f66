"""Numbers of a figure as a table, collapsed below it."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from frontend.components.static_part import static_text


def as_table(*tables: Component | None, id: str = "") -> html.Details:  # noqa: A002  (as Dash calls it)
    """Return `Show as table`, which opens the tables; None is skipped. Until then they are no elements of the page.

    Args:
        tables: plain HTML.
        id: id of the part that holds them, where a callback gives it others (`table_text` as its `data-folded`).
    """
    given = {"id": id} if id else {}
    part = html.Div(**given, **{"data-folded": table_text(*tables)})
    return html.Details([html.Summary("Show as table", className="sm"), part], className="as-table")


def folded(table: Component) -> html.Details:
    """Return `Show as table` over a small table, which is part of the page from the start."""
    return html.Details(
        [html.Summary("Show as table", className="sm"), html.Div(table, className="table-scroll")], className="as-table"
    )


def table_text(*tables: Component | None) -> str:
    """Return the tables as text."""
    return static_text([html.Div(table, className="table-scroll") for table in tables if table is not None])
