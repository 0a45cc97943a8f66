"""Callbacks of the page of a method's reproduction."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, html, no_update

from engines.contract.errors import EngineError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.reproductions import ReproductionIds
from frontend.ids.shell import ShellIds
from frontend.pages.reproduction.job import job_progress, state_of
from frontend.pages.reproduction.page import content
from frontend.pages.reproduction.words import ReproductionQuery
from frontend.request import chosen_project, current_user
from webapp.reproductions import runs
from webapp.runs import service
from webapp.runs.errors import RunStateError
from webapp.runs.models import Run
from webapp.teams.visibility import NotAllowed, Principal


@callback(
    Output(ReproductionIds.JOB, "children"),
    Output(ReproductionIds.BODY, "children"),
    Output(ReproductionIds.STATE, "data"),
    Output(ReproductionIds.TICK, "disabled"),
    Input(ReproductionIds.TICK, "n_intervals"),
    Input(ShellIds.SCHEME, "data"),
    State(ReproductionIds.ASKED, "data"),
    State(ReproductionIds.STATE, "data"),
    prevent_initial_call=True,
)
def follow(_ticks: int | None, scheme: Any, asked: dict[str, str], state: dict[str, Any]) -> Any:
    """Return the progress every second; everything once the run has changed its state, or the scheme."""
    principal = current_user()
    run = runs.newest_run(principal, asked["method"])
    now = state_of(run)
    if now == state and ctx.triggered_id == ReproductionIds.TICK:
        return job_progress(run) if run else no_update, no_update, no_update, not (run and run.active)
    return no_update, _content(principal, asked, scheme, run), now, not (run and run.active)


@callback(
    Output(ReproductionIds.BODY, "children", allow_duplicate=True),
    Output(ReproductionIds.STATE, "data", allow_duplicate=True),
    Output(ReproductionIds.TICK, "disabled", allow_duplicate=True),
    Output(ReproductionIds.ERROR, "children"),
    Input({"type": ReproductionIds.ACTION_TYPE, "name": ALL}, "n_clicks"),
    State(ReproductionIds.ASKED, "data"),
    State(ShellIds.SCHEME, "data"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], asked: dict[str, str], scheme: Any) -> Any:
    """Start, stop or continue the run."""
    pressed = clicked_id(clicks)
    principal = current_user()
    try:
        _do(pressed["name"], principal, asked["method"])
    except (EngineError, NotAllowed, RunStateError) as error:
        return no_update, no_update, no_update, html.Div(notice(str(error), tone="bad"))
    run = runs.newest_run(principal, asked["method"])
    return _content(principal, asked, scheme, run), state_of(run), False, no_update


def _do(name: str, principal: Principal, method: str) -> None:
    run = runs.newest_run(principal, method)
    if name in ("quick", "full"):
        if run is None or not run.active:  # a second click finds the first one's run
            runs.start(principal, method, quick=name == "quick", project=chosen_project(principal))
    elif run is not None and name == "stop":
        service.request_stop(principal, run)
    elif run is not None:
        service.continue_run(principal, run)


def _content(principal: Principal, asked: dict[str, str], scheme: Any, run: Run | None) -> Any:
    wanted = ReproductionQuery(asked["table"], asked["verdict"])
    return content(principal, asked["method"], asked["named"], wanted, scheme, run)


clientside_callback(
    ClientsideFunction("reproductions", "print"),
    Output(ReproductionIds.PRINT, "title"),
    Input(ReproductionIds.PRINT, "n_clicks"),
    prevent_initial_call=True,
)
