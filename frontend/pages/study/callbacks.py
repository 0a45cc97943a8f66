"""Callbacks of the page of a study."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, html, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.designs.run_words import engine_of
from frontend.ids.shell import ShellIds
from frontend.ids.study import StudyIds
from frontend.pages.study.head import progress_view
from frontend.pages.study.page import NONE, actions, asked_seeds, state_chip
from frontend.pages.study.seeds import asked_statistics, compare_link, place_choices, seeds_view
from frontend.pages.study.seeds import digest_of as seeds_digest
from frontend.pages.study.view import StudyQuery, asked_table, cell_view, digest_of, legend, table_view
from frontend.request import current_user
from webapp.studies.service import continue_all, get_study, progress, stop_all
from webapp.teams.visibility import NotAllowed, may_edit

_ACTIONS = {"stop": stop_all, "continue": continue_all}


@callback(
    Output(StudyIds.TABLE, "children"),
    Output(StudyIds.LEGEND, "children"),
    Output(StudyIds.CELL, "children"),
    Output(StudyIds.PROGRESS, "children"),
    Output(StudyIds.HEADER, "children"),
    Output(StudyIds.ACTIONS, "children"),
    Output(StudyIds.TICK, "disabled"),
    Output(StudyIds.DIGEST, "data"),
    Output(StudyIds.ROWS, "value"),
    Output(StudyIds.COLUMNS, "value"),
    Output(StudyIds.SELECTED, "data"),
    Input(StudyIds.TICK, "n_intervals"),
    Input(StudyIds.ROWS, "value"),
    Input(StudyIds.COLUMNS, "value"),
    Input(StudyIds.QUANTITY, "value"),
    Input(StudyIds.SELECTED, "data"),
    State(StudyIds.STUDY, "data"),
    State(StudyIds.DIGEST, "data"),
    prevent_initial_call=True,
)
def follow(
    _ticks: int | None, rows: str, columns: str, quantity: str, cell: str | None, number: int, shown: str
) -> Any:
    """Draw the table again where it changed: by itself, or because something else is asked for."""
    user = current_user()
    study = get_study(user, number)
    engine = engine_of(study.engine)
    if engine is None:
        raise PreventUpdate
    changed = ctx.triggered_id
    # Another arrangement has other cells at the same place.
    picked = None if changed in (StudyIds.ROWS, StudyIds.COLUMNS) else cell
    wanted = StudyQuery(rows or None, "" if columns == NONE else columns, quantity, picked)
    table, asked = asked_table(study, wanted, keep="columns" if changed == StudyIds.COLUMNS else "rows")
    found = progress(study)
    digest = digest_of(table, found, asked)
    if digest == shown:
        raise PreventUpdate
    return (
        table_view(table, study, engine, asked.cell),
        legend(table),
        cell_view(table, study, engine, asked.cell),
        progress_view(found),
        state_chip(found),
        actions(study, found, may_edit(user, study)),
        not found.live,
        digest,
        asked.rows,
        asked.columns or NONE,
        asked.cell,
    )


@callback(
    Output(StudyIds.SEEDS, "children"),
    Output(StudyIds.SEEDS_COMPARE, "children"),
    Output(StudyIds.SEEDS_DIGEST, "data"),
    Output(StudyIds.AT, "data"),
    Output(StudyIds.AT, "value"),
    Output(StudyIds.X_AXIS, "value"),
    Output(StudyIds.Y_AXIS, "value"),
    Input(StudyIds.BY, "value"),
    Input(StudyIds.AT, "value"),
    Input(StudyIds.MEASURE, "value"),
    Input(StudyIds.X_AXIS, "value"),
    Input(StudyIds.Y_AXIS, "value"),
    Input(StudyIds.DIGEST, "data"),
    Input(ShellIds.SCHEME, "data"),
    State(StudyIds.STUDY, "data"),
    State(StudyIds.SEEDS_DIGEST, "data"),
    prevent_initial_call=True,
)
def follow_seeds(
    by: str, at: str, measure: str, x: str | None, y: str | None, _table: str, scheme: Any, number: int, shown: str
) -> Any:
    """Draw pictures and tests again where another run has ended, or something else is asked for."""
    study = get_study(current_user(), number)
    engine = engine_of(study.engine)
    if engine is None:
        raise PreventUpdate
    changed = ctx.triggered_id
    # Another axis has other places.
    wanted = asked_seeds(by, None if changed == StudyIds.BY else at, measure, x, y)
    found, asked = asked_statistics(study, wanted)
    digest = seeds_digest(found, asked)
    if digest == shown and changed != ShellIds.SCHEME:
        raise PreventUpdate
    return (
        seeds_view(found, asked, study, engine, scheme),
        compare_link(found),
        digest,
        place_choices(study, found.axis, engine),
        str(asked.at or 0),
        asked.x,
        asked.y,
    )


@callback(
    Output(StudyIds.TICK, "disabled", allow_duplicate=True),
    Output(StudyIds.ACTION_ERROR, "children"),
    Input({"type": StudyIds.ACTION_TYPE, "name": ALL}, "n_clicks"),
    State(StudyIds.STUDY, "data"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], number: int) -> Any:
    """Stop or continue all runs; the page then follows again."""
    pressed = clicked_id(clicks)
    user = current_user()
    try:
        _ACTIONS[pressed["name"]](user, get_study(user, number))
    except (EngineError, NotAllowed) as error:
        return no_update, html.Div(notice(str(error), tone="bad"))
    return False, ""


clientside_callback(
    ClientsideFunction("study", "address"),
    Output(StudyIds.CSV, "href"),
    Input(StudyIds.ROWS, "value"),
    Input(StudyIds.COLUMNS, "value"),
    Input(StudyIds.QUANTITY, "value"),
    Input(StudyIds.SELECTED, "data"),
    Input(StudyIds.BY, "value"),
    Input(StudyIds.AT, "value"),
    Input(StudyIds.MEASURE, "value"),
    Input(StudyIds.X_AXIS, "value"),
    Input(StudyIds.Y_AXIS, "value"),
    State(StudyIds.STUDY, "data"),
)
