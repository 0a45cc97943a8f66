"""Forms that start a run or study: *Start* waits while the form is changing, and errors appear next to it."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Input, Output, State, clientside_callback, html, no_update

from frontend.components.states import notice
from webapp.runs.errors import ChangedProblemError


def hold_start(function: str, choosing: str, judged: str, starting: str, *form: Input | State) -> None:
    """Make *Start* follow the form, its verdict, and the pending question.

    Three callbacks, and what they do to *Start* is no output of theirs: one callback would wait for those that still make its
    inputs, and *Start* has to change before these have answered.

    Args:
        function: what reads the form, in the namespace `ready` of the browser (assets).
        choosing: id of the store that is true while something is chosen.
        judged: id of the store of what was judged last.
        starting: id of the store that is true while something is started.
        form: data that the function reads.
    """
    clientside_callback(ClientsideFunction("ready", function), Output(choosing, "modified_timestamp"), *form)
    clientside_callback(
        ClientsideFunction("ready", "judged"), Output(judged, "modified_timestamp"), Input(judged, "data")
    )
    clientside_callback(
        ClientsideFunction("ready", "busy"),
        Output(starting, "modified_timestamp"),
        Input(choosing, "data"),
        Input(starting, "data"),
    )


def started(address: str, judged: dict[str, Any]) -> tuple[Any, ...]:
    """Return address, words, what was judged, and whether to judge again, once something was started.

    Without a token a second click starts nothing.
    """
    return address, "", {**judged, "token": ""}, no_update


def refused(error: Exception, clicks: int, words: str = "") -> tuple[Any, ...]:
    """Return the same where nothing was started; a form that changed is judged again.

    Args:
        error: why.
        clicks: on *Start*.
        words: in place of the error's own.
    """
    if isinstance(error, ChangedProblemError):
        again = f"{error} The summary has changed: check it, then start again."
        return no_update, html.Div(notice(again, tone="warn")), no_update, clicks
    return no_update, html.Div(notice(words or str(error), tone="bad")), no_update, no_update
