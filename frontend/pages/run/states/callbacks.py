"""Callbacks of the run page that follow a live run and act on it.

The browser asks for the run's state every second, outside of Dash, and with every other question for the designs that are new;
callbacks follow only where something changed. Nothing is polled any more once the run has ended.
"""

from __future__ import annotations

import re
from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.components.time_limit import read_limit
from frontend.designs.run_words import announcement, kept_words
from frontend.ids.run import RunIds
from frontend.pages.run.header import actions, answer_line, cause_line, progress_line, state_chip
from frontend.pages.run.run_reader import (
    designs_of,
    listed_designs,
    open_run,
    stage_of,
    status_of,
)
from frontend.pages.run.states.cards import state_card
from frontend.pages.run.tabs.designs import count_words
from frontend.pages.run.why.cause import cause_of
from frontend.request import current_user
from webapp.runs.errors import RunError
from webapp.runs.service import continue_run, request_stop
from webapp.teams.visibility import NotAllowed, may_edit

# The browser asks for the state and sets the stores below where it has changed; `run.js` has the rest.
clientside_callback(
    ClientsideFunction("run", "follow"),
    Output(RunIds.RUN, "modified_timestamp"),
    Input(RunIds.RUN, "data"),
    Input(RunIds.STATUS, "data"),
    Input(RunIds.STAGE, "data"),
    Input(RunIds.DATA, "data"),
)


@callback(
    Output(RunIds.PROGRESS, "children"),
    Output(RunIds.ANSWER, "children"),
    Output(RunIds.HEADER, "children"),
    Output(RunIds.TABLE_COUNT, "children"),
    Output(RunIds.KEPT, "children"),
    Output(RunIds.ANNOUNCE, "children"),
    Input(RunIds.STATUS, "data"),
    Input(RunIds.DATA, "data"),
    State(RunIds.LISTED, "data"),
    State(RunIds.RUN, "data"),
    State(RunIds.ANNOUNCE, "children"),
    prevent_initial_call=True,
)
def show_progress(_status: dict[str, Any], data: dict[str, Any], listed: dict[str, Any], run_id: int, told: Any) -> Any:
    """Return progress, key figures, state; progress is told aloud at every tenth only."""
    run = open_run(run_id)
    designs = designs_of(run)
    count, words = len(designs), announcement(run)
    return (
        progress_line(run, listed_designs(run, data, listed)),
        answer_line(run, designs),
        state_chip(run),
        count_words(count),
        kept_words(count, run.evaluations),
        no_update if _tenth(str(told)) == _tenth(words) else words,
    )


@callback(Output(RunIds.CAUSE, "children"), Input(RunIds.CAUSE, "id"), State(RunIds.RUN, "data"))
def show_cause(_shown: str, run_id: int) -> Any:
    """Name the cause in the answer once it is shown: the parts of a design may take a second to compute."""
    run = open_run(run_id)
    return cause_line(cause_of(run, designs_of(run))) or no_update


def _tenth(words: str) -> tuple[str, int]:
    """Return the state that was told and the tenth that its percentage lies in. The end of a run is told with its exact one."""
    state, _, rest = words.partition(",")
    share = int(re.sub(r"\D", "", rest) or -10)
    return state, share // 10 if "running" in state else share


@callback(
    Output(RunIds.ACTIONS, "children"),
    Output(RunIds.STATE_CARD, "children"),
    Input(RunIds.STAGE, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_stage(_stage: dict[str, Any], run_id: int) -> Any:
    """Return the buttons and state card; only drawn again when the stage changes, so that no click gets lost."""
    run = open_run(run_id)
    editable = may_edit(current_user(), run)
    return actions(run, editable), state_card(run, editable)


@callback(
    Output(RunIds.STATE_CARD, "children", allow_duplicate=True),
    Input(RunIds.QUEUE, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=True,
)
def show_queue(_words: str, run_id: int) -> Any:
    """Show the state of a queued run: the estimated start, or that no worker is running."""
    run = open_run(run_id)
    if run.status != "queued":
        raise PreventUpdate
    return state_card(run, may_edit(current_user(), run))


@callback(
    Output(RunIds.ACTION_ERROR, "children"),
    Output(RunIds.STATUS, "data", allow_duplicate=True),
    Output(RunIds.STAGE, "data", allow_duplicate=True),
    Output(RunIds.DATA, "data", allow_duplicate=True),
    Input({"type": RunIds.ACTION_TYPE, "name": ALL}, "n_clicks"),
    State(RunIds.RUN, "data"),
    State(RunIds.DATA, "data"),
    State({"type": RunIds.MORE_TYPE, "name": ALL}, "value"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], run_id: int, data: dict[str, Any], more: list[Any]) -> Any:
    """Stop or continue; a run that reached its time limit with as many minutes more as stand next to the button."""
    pressed = clicked_id(clicks)
    principal, run = current_user(), open_run(run_id)
    try:
        name = pressed["name"]
        if name == "stop":
            run = request_stop(principal, run)
        elif name == "continue-for" and more:
            minutes = read_limit(more[0])
            run = continue_run(principal, run, minutes, without_limit=minutes is None).run
        else:
            run = continue_run(principal, run).run
    except (EngineError, RunError, NotAllowed) as error:
        return notice(str(error), tone="bad"), no_update, no_update, no_update
    return "", status_of(run), stage_of(run), {**data, "live": run.active}
