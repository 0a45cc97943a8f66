"""Callbacks of the run page: tabs, selection, limits, front, table."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run import TABS, tab_class
from frontend.pages.run_data import LimitScale, active_limits, limit_scales, obstacle
from frontend.pages.run_front import front_summary, selection_patch
from frontend.pages.run_front_shown import Asked, front_request, front_shown, too_early
from frontend.pages.run_rail import cut_style, limit_box, limit_text, short_list
from frontend.pages.run_selection import follow_best, on_key, picked
from frontend.pages.run_table import column_definitions, table_page
from frontend.pages.run_view import designs_of, open_run

NAMES = tuple(name for name, _ in TABS)
SLIDERS = {"type": RunIds.LIMIT_TYPE, "name": ALL}


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
    if not any(clicks) or not isinstance(ctx.triggered_id, dict):
        raise PreventUpdate
    name = ctx.triggered_id["name"]
    return (
        name,
        [tab_class(each, name) for each in NAMES],
        [str(each == name).lower() for each in NAMES],
        [each["name"] != name for each in panels],
    )


# -- selection --------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.SELECTION, "data"),
    Input(RunIds.FRONT, "clickData"),
    Input({"type": RunIds.SHORT_ROW_TYPE, "number": ALL}, "n_clicks"),
    Input({"type": RunIds.WINDOW_TYPE, "index": ALL}, "n_clicks"),
    Input(RunIds.TABLE, "cellClicked"),
    Input(RunIds.KEYS, "data"),
    Input(RunIds.DATA, "data"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def select(
    click: Any,
    rows: list[int | None],
    windows: list[int | None],
    cell: Any,
    key: Any,
    _data: Any,
    now: dict[str, Any],
    run_id: int,
) -> Any:
    """The one selection, whatever changes it."""
    designs = designs_of(open_run(run_id))
    source = ctx.triggered_id
    if isinstance(source, dict):
        clicked = any(rows) if source["type"] == RunIds.SHORT_ROW_TYPE else any(windows)
        chosen = picked(source, now) if clicked else now
    elif source == RunIds.FRONT:
        number = (click or {}).get("points", [{}])[0].get("customdata")
        chosen = picked({"number": number}, now) if number is not None else now
    elif source == RunIds.TABLE:
        chosen = picked({"number": int(cell["rowId"])}, now) if cell and str(cell.get("rowId", "")).isdigit() else now
    elif source == RunIds.KEYS:
        chosen = on_key(designs, now, key or {})
    else:
        chosen = follow_best(designs, now)
    if chosen == now:
        raise PreventUpdate
    return chosen


clientside_callback(
    ClientsideFunction("pages", "runAddress"),
    Output(RunIds.SELECTION, "modified_timestamp"),
    Input(RunIds.SELECTION, "data"),
    Input(RunIds.TAB, "data"),
    Input(RunIds.X_AXIS, "value"),
    Input(RunIds.Y_AXIS, "value"),
)


clientside_callback(
    ClientsideFunction("run", "remember"),
    Output(RunIds.UNDO, "modified_timestamp"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
)


# -- front ------------------------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.FRONT, "figure"),
    Output(RunIds.FRONT_SUMMARY, "aria-label"),
    Output(RunIds.FRONT_EMPTY, "children"),
    Output(RunIds.FRONT_NEW, "children"),
    Output(RunIds.REMAINING, "children"),
    Output(RunIds.VIEW, "data"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.X_AXIS, "value"),
    Input(RunIds.Y_AXIS, "value"),
    Input(RunIds.LIMITS, "data"),
    Input({"type": RunIds.SHOW_TYPE, "name": ALL}, "checked"),
    Input(ShellIds.SCHEME, "data"),
    Input(ShellIds.VIEWPORT, "data"),
    Input({"type": RunIds.FIT, "name": ALL}, "n_clicks"),
    State(RunIds.SELECTION, "data"),
    State(RunIds.VIEW, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,  # The layout has it.
)
def show_front(
    data: dict[str, Any], x: str, y: str, limits: dict[str, float] | None, shown: list[bool], scheme: Any, viewport: Any,
    fits: list[int | None], selection: dict[str, Any], view: Any, run_id: int,
) -> Any:  # fmt: skip
    """The picture of the front with everything in it."""
    run = open_run(run_id)
    fit = isinstance(ctx.triggered_id, dict) and ctx.triggered_id["type"] == RunIds.FIT and any(fits)
    kept = None if fit or too_early(view) else view
    found = front_shown(run, designs_of(run), Asked(x, y, limits or {}, shown, scheme, viewport, selection, kept, data))
    return found.figure, found.summary, found.over, found.news, found.remaining, found.view


@callback(
    Output(RunIds.FRONT, "figure", allow_duplicate=True),
    Output(RunIds.FRONT_SUMMARY, "aria-label", allow_duplicate=True),
    Input(RunIds.SELECTION, "data"),
    State(RunIds.DATA, "data"),
    State(RunIds.X_AXIS, "value"),
    State(RunIds.Y_AXIS, "value"),
    State(RunIds.LIMITS, "data"),
    State({"type": RunIds.SHOW_TYPE, "name": ALL}, "checked"),
    State(ShellIds.SCHEME, "data"),
    State(ShellIds.VIEWPORT, "data"),
    State(RunIds.VIEW, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def mark_selection(
    selection: dict[str, Any], data: dict[str, Any], x: str, y: str, limits: dict[str, float], shown: list[bool],
    scheme: Any, viewport: Any, view: Any, run_id: int,
) -> Any:  # fmt: skip
    """Move the marks of the selection; the points stay where they are, in the browser."""
    run = open_run(run_id)
    designs = designs_of(run)
    if not len(designs) or not view:
        raise PreventUpdate
    request = front_request(run, designs, Asked(x, y, limits or {}, shown, scheme, viewport, selection, view, data))
    remain = int(designs.remaining(request.limits).sum())
    return selection_patch(designs, request), front_summary(designs, remain, request.selected)


# -- limits and short list --------------------------------------------------------------------------------------------


@callback(
    Output(RunIds.LIMIT_BOX, "children"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.LIMIT_RESET, "n_clicks"),
    Input({"type": RunIds.RELAX_TYPE, "name": ALL}, "n_clicks"),
    Input(RunIds.UNDO, "data"),
    State(RunIds.LIMITS, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_limits(
    data: dict[str, Any], _reset: int | None, relax: list[int | None], undo: Any, limits: dict[str, float], run_id: int
) -> Any:
    """Sliders and histograms. While the run is live and a limit is set, they stay: a slider must not move under the hand."""
    designs = designs_of(open_run(run_id))
    scales = limit_scales(designs)
    if ctx.triggered_id == RunIds.LIMIT_RESET:
        return limit_box(scales, {})
    if ctx.triggered_id == RunIds.UNDO and undo:
        return limit_box(scales, undo["limits"])
    if isinstance(ctx.triggered_id, dict):
        found = obstacle(designs, limits) if any(relax) else None
        if found is None:
            raise PreventUpdate
        return limit_box(scales, {**limits, found.quantity.name: found.needed})
    if limits and data["live"]:
        raise PreventUpdate
    return limit_box(scales, limits or {})


# A drag moves a slider a hundred times; the server hears of it a few times a second.
clientside_callback(
    ClientsideFunction("run", "throttleLimits"),
    Output(RunIds.LIMIT_VALUES, "modified_timestamp"),
    Input(SLIDERS, "value"),
    prevent_initial_call=True,
)


@callback(
    Output(RunIds.LIMITS, "data"),
    Output({"type": RunIds.LIMIT_TEXT_TYPE, "name": ALL}, "children"),
    Output({"type": RunIds.HISTOGRAM_TYPE, "name": ALL}, "style"),
    Input(RunIds.LIMIT_VALUES, "data"),
    State(SLIDERS, "value"),
    State(SLIDERS, "min"),
    State(SLIDERS, "max"),
    State(SLIDERS, "id"),
    State(RunIds.LIMITS, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def set_limits(
    _at: Any,
    values: list[float],
    lows: list[float],
    highs: list[float],
    ids: list[dict[str, str]],
    now: dict[str, float],
    run_id: int,
) -> Any:
    """The limits as the sliders stand; their ends are those in the browser, which a live run may have left behind."""
    designs = designs_of(open_run(run_id))
    names = [each["name"] for each in ids]
    scales = [
        LimitScale(designs.quantity(name), low, high, ()) for name, low, high in zip(names, lows, highs, strict=True)
    ]
    limits = active_limits(scales, dict(zip(names, values, strict=True)))
    texts = [limit_text(scale, value) for scale, value in zip(scales, values, strict=True)]
    bars = [cut_style(scale, value) for scale, value in zip(scales, values, strict=True)]
    return (no_update if limits == (now or {}) else limits), texts, bars


@callback(
    Output(RunIds.SHORT_LIST, "children"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.LIMITS, "data"),
    Input(RunIds.SHORT_BY, "value"),
    Input(RunIds.SELECTION, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_short_list(
    _data: Any, limits: dict[str, float] | None, by: str | None, selection: dict[str, Any], run_id: int
) -> Any:
    """The best designs of the front that meet the limits."""
    return short_list(designs_of(open_run(run_id)), limits or {}, by, selection.get("design"))


@callback(
    Output(RunIds.TABLE, "getRowsResponse"),
    Input(RunIds.TABLE, "getRowsRequest"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def table_rows(request: dict[str, Any] | None, run_id: int) -> Any:
    """The rows that the table scrolled to."""
    if not request:
        raise PreventUpdate
    return table_page(designs_of(open_run(run_id)), request)


@callback(
    Output(RunIds.TABLE, "columnDefs"),
    Input(RunIds.DATA, "data"),
    State(RunIds.TABLE, "columnDefs"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def table_heads(_data: Any, shown: list[dict[str, Any]], run_id: int) -> Any:
    """The units of the columns, which follow the values."""
    wanted = column_definitions(designs_of(open_run(run_id)))
    return no_update if wanted == shown else wanted


clientside_callback(
    ClientsideFunction("run", "refreshTable"),
    Output(RunIds.TAB, "modified_timestamp"),
    Input(RunIds.DATA, "data"),
    Input(RunIds.TAB, "data"),
    prevent_initial_call=True,
)
