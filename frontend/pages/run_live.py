"""Callbacks of the run page that follow a live run and act on it.

One cheap query twice a second decides whether anything else is asked for; designs are fetched once a second at most, and
nothing is polled any more once the run has ended.
"""

from __future__ import annotations

import time
from typing import Any

from dash import ALL, Input, Output, State, callback, ctx, no_update
from dash.exceptions import PreventUpdate

from engines.errors import EngineError
from frontend.bridge import current_user
from frontend.components.states import notice
from frontend.figures.numbers import percent
from frontend.ids.run import RunIds
from frontend.pages.run_header import actions, progress_line, state_chip
from frontend.pages.run_states import state_card
from frontend.pages.run_tabs import count_words
from frontend.pages.run_view import designs_of, open_run, stage_of, status_of
from webapp.runs.errors import RunError
from webapp.runs.service import continue_run, request_stop
from webapp.teams.visibility import NotAllowed, may_edit

DATA_EVERY_S = 1.0
STAGE_KEYS = ("status", "wish", "outcome", "attempt")


@callback(
    Output(RunIds.STATUS, "data"),
    Output(RunIds.STAGE, "data"),
    Output(RunIds.DATA, "data"),
    Output(RunIds.TICK, "disabled"),
    Input(RunIds.TICK, "n_intervals"),
    State(RunIds.RUN, "data"),
    State(RunIds.STATUS, "data"),
    State(RunIds.DATA, "data"),
    prevent_initial_call=True,
)
def poll(_ticks: int | None, run_id: int, shown: dict[str, Any], data: dict[str, Any]) -> Any:
    """What changed since the last look; nothing is sent where nothing did."""
    run = open_run(run_id)
    status, stage = status_of(run), stage_of(run)
    moved = run.design_count != data["count"] or run.attempt != data["attempt"]
    ended = not run.active and data["live"]
    due = time.time() - data.get("at", 0.0) >= DATA_EVERY_S
    newer: Any = no_update
    if ended or (moved and due):
        newer = {
            "count": run.design_count,
            "attempt": run.attempt,
            "live": run.active,
            "at": time.time(),
            "seen": data["count"] if run.active else None,
        }
    elif data.get("seen") is not None and time.time() - data.get("at", 0.0) > 3.0:
        # New designs are marked for three seconds, then they are designs like the others.
        newer = {**data, "seen": None}
    changed_stage = {key: shown[key] for key in STAGE_KEYS} != stage
    if status == shown and newer is no_update and run.active and not changed_stage:
        raise PreventUpdate
    return (
        no_update if status == shown else status,
        stage if changed_stage else no_update,
        newer,
        not run.active and newer is no_update,
    )


@callback(
    Output(RunIds.PROGRESS, "children"),
    Output(RunIds.HEADER, "children"),
    Output(RunIds.TABLE_COUNT, "children"),
    Output(RunIds.ANNOUNCE, "children"),
    Input(RunIds.STATUS, "data"),
    Input(RunIds.DATA, "data"),
    State(RunIds.RUN, "data"),
    State(RunIds.ANNOUNCE, "children"),
)
def show_progress(_status: dict[str, Any], _data: dict[str, Any], run_id: int, told: Any) -> Any:
    """Progress, key figures, state; progress is told aloud at every tenth only."""
    run = open_run(run_id)
    designs = designs_of(run)
    words = f"Run {run.status}, {percent(int(run.fraction * 10) / 10)}"
    return (
        progress_line(run, designs),
        state_chip(run),
        count_words(len(designs)),
        no_update if told == words else words,
    )


@callback(
    Output(RunIds.ACTIONS, "children"),
    Output(RunIds.STATE_CARD, "children"),
    Input(RunIds.STAGE, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_stage(_stage: dict[str, Any], run_id: int) -> Any:
    """Buttons and state card; only drawn anew when the stage changes, so that no click gets lost."""
    run = open_run(run_id)
    editable = may_edit(current_user(), run)
    return actions(run, editable), state_card(run, editable)


@callback(
    Output(RunIds.ACTION_ERROR, "children"),
    Output(RunIds.STATUS, "data", allow_duplicate=True),
    Output(RunIds.STAGE, "data", allow_duplicate=True),
    Output(RunIds.DATA, "data", allow_duplicate=True),
    Output(RunIds.TICK, "disabled", allow_duplicate=True),
    Input({"type": RunIds.ACTION_TYPE, "name": ALL}, "n_clicks"),
    State(RunIds.RUN, "data"),
    State(RunIds.DATA, "data"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], run_id: int, data: dict[str, Any]) -> Any:
    """Stop or continue."""
    if not any(clicks) or not isinstance(ctx.triggered_id, dict):
        raise PreventUpdate
    principal, run = current_user(), open_run(run_id)
    try:
        stop = ctx.triggered_id["name"] == "stop"
        run = request_stop(principal, run) if stop else continue_run(principal, run).run
    except (EngineError, RunError, NotAllowed) as error:
        return notice(str(error), tone="bad"), no_update, no_update, no_update, no_update
    return "", status_of(run), stage_of(run), {**data, "live": run.active}, not run.active
