"""Callbacks of the run page: tabs, selection, table."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.components.clicks import clicked_id
from frontend.figures.numbers import integer, many
from frontend.ids.measurements import MeasuredIds
from frontend.ids.notes_and_tags import TalkIds
from frontend.ids.run import RunIds
from frontend.pages.run.front.choices import read_region
from frontend.pages.run.measurements.columns import with_measured
from frontend.pages.run.page import tab_class
from frontend.pages.run.run_reader import decisions_of, designs_of, listed_designs, open_run, remarks_of
from frontend.pages.run.selection import follow_best, on_key
from frontend.pages.run.tabs.registry import TABS
from frontend.pages.run.tabs.table import column_definitions, table_page
from frontend.pages.run.tabs.table_columns import choosable

NAMES = tuple(tab.name for tab in TABS)


# -- tabs -------------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.TAB, "data"),
    Output({"type": RunIds.TAB_TYPE, "name": ALL, "place": "bar"}, "className"),
    Output({"type": RunIds.TAB_TYPE, "name": ALL, "place": "bar"}, "aria-selected"),
    Output({"type": RunIds.PANEL_TYPE, "name": ALL}, "hidden"),
    Input({"type": RunIds.TAB_TYPE, "name": ALL, "place": ALL}, "n_clicks"),
    State({"type": RunIds.PANEL_TYPE, "name": ALL}, "id"),
    prevent_initial_call=True,
)
def open_tab(clicks: list[int | None], panels: list[dict[str, str]]) -> Any:
    """Show one panel; its own callback fills it."""
    name = clicked_id(clicks)["name"]
    return (
        name,
        [tab_class(each, name) for each in NAMES],
        [str(each == name).lower() for each in NAMES],
        [each["name"] != name for each in panels],
    )


# A note that is begun at the design is about it.
clientside_callback(
    ClientsideFunction("run", "aboutDesign"),
    Output({"type": TalkIds.FIELD_TYPE, "name": "design", "number": 0}, "value"),
    Input({"type": RunIds.TAB_TYPE, "name": "notes", "place": "design"}, "n_clicks"),
    State(RunIds.SELECTION, "data"),
    prevent_initial_call=True,
)


# -- selection --------------------------------------------------------------------------------------------------------


# Clicks and steps along the front are told apart in the browser; what needs the designs comes here.
@callback(
    Output(RunIds.FOLLOWED, "data"),
    Input(RunIds.KEYS, "data"),
    Input(RunIds.DATA, "data"),
    State(RunIds.LISTED, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def select(key: Any, data: dict[str, Any], listed: dict[str, Any], now: dict[str, Any], run_id: int) -> Any:
    """Return the one selection after a key, and after more designs have come; and which one it follows on."""
    designs = listed_designs(open_run(run_id), data, listed)
    chosen = on_key(designs, now, key or {}) if ctx.triggered_id == RunIds.KEYS else follow_best(designs, now)
    if chosen == now:
        raise PreventUpdate
    return {"selection": chosen, "on": now}


# A person who has picked another design while the server was asked keeps it.
clientside_callback(
    ClientsideFunction("front", "followed"),
    Output(RunIds.SELECTION, "data"),
    Input(RunIds.FOLLOWED, "data"),
    State(RunIds.SELECTION, "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction("front", "select"),
    Output(RunIds.SELECTION, "data", allow_duplicate=True),
    Input(RunIds.FRONT, "clickData"),
    Input({"type": RunIds.SHORT_ROW_TYPE, "number": ALL}, "n_clicks"),
    Input(RunIds.TABLE, "cellClicked"),
    State(RunIds.SELECTION, "data"),
    prevent_initial_call=True,
)


clientside_callback(
    ClientsideFunction("run", "showWords"),
    Output(RunIds.SHORT_WORDS, "modified_timestamp"),
    Input(RunIds.SHORT_WORDS, "data"),
)


# Address, undo and the mark in the short list.
clientside_callback(
    ClientsideFunction("front", "changed"),
    Output(RunIds.SELECTION, "modified_timestamp"),
    Input(RunIds.SELECTION, "data"),
    Input(RunIds.TAB, "data"),
    Input(RunIds.CHOICES, "data"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.REGION, "data"),
    Input(RunIds.RANKING, "data"),
    Input(RunIds.FRONT_ORDER, "data"),
    State(RunIds.RUN, "data"),
)


# -- table ------------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.TABLE, "getRowsResponse"),
    Output(RunIds.TABLE_SHOWN, "children"),
    Input(RunIds.TABLE, "getRowsRequest"),
    State(RunIds.LIMITS, "data"),
    State(RunIds.REGION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def table_rows(request: dict[str, Any] | None, limits: dict[str, float] | None, lasso: Any, run_id: int) -> Any:
    """Return the rows that the table scrolled to, of the designs that pass constraints, lasso and filters, and how many do."""
    if not request:
        raise PreventUpdate
    run = open_run(run_id)
    designs = designs_of(run)
    region = read_region(lasso, designs)
    among = designs.remaining(limits or {}, region) if limits or region else None
    decisions = decisions_of(run, designs)
    page = table_page(with_measured(run, designs), request, among, remarks_of(run), decisions)
    count, total = page["rowCount"], len(designs)
    return page, "" if count == total else f"{integer(count)} of {many(total, 'design')} shown"


clientside_callback(
    ClientsideFunction("table", "address"),
    Output(RunIds.TABLE_CLEAR, "disabled"),
    Input(RunIds.TABLE, "getRowsRequest"),
    State(RunIds.TABLE, "columnDefs"),
    prevent_initial_call=True,
)


@callback(
    Output(RunIds.TABLE, "columnDefs"),
    Input(RunIds.DATA, "data"),
    Input(TalkIds.TURN, "data"),
    Input(MeasuredIds.TURN, "data"),
    State(RunIds.TABLE, "columnDefs"),
    State(RunIds.TABLE_COLUMNS, "value"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def table_heads(
    _data: Any, _turn: Any, _measured: Any, shown: list[dict[str, Any]], chosen: list[str] | None, run_id: int
) -> Any:
    """Return units of the columns, which follow the values, decisions that came, columns of remarks and of what was measured."""
    run = open_run(run_id)
    designs = designs_of(run)
    decisions, designs = decisions_of(run, designs), with_measured(run, designs)
    offered = {column["field"] for column in shown}
    hidden = {
        field
        for field, column in choosable(designs, decisions).items()
        if (field not in chosen if chosen is not None and field in offered else not column.usual)
    }
    wanted = column_definitions(designs, (), decisions, hidden, remarks=bool(remarks_of(run)))
    # What the table began with has done its work; it would not be undone by columns without it.
    known = [{key: value for key, value in column.items() if not key.startswith("initial")} for column in shown]
    return no_update if wanted == known else wanted


clientside_callback(
    ClientsideFunction("table", "columns"),
    Output(RunIds.TABLE_USUAL, "modified_timestamp"),
    Input(RunIds.TABLE_COLUMNS, "value"),
    State(RunIds.TABLE_USUAL, "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction("run", "refreshTable"),
    Output(RunIds.TAB, "modified_timestamp"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.TAB, "data"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.REGION, "data"),
    Input(MeasuredIds.TURN, "data"),
    prevent_initial_call=True,
)
