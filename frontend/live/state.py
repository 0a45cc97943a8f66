"""The state of a run, which the browser asks for every second."""

from __future__ import annotations

from collections.abc import Mapping

from frontend.live.direct import answer_directly
from frontend.live.points import as_json, shared_part
from frontend.pages.run.run_reader import open_followed, state_of
from frontend.pages.run.states.queue import queue_of

STATE_PATH = "/_dash-run-state/"


def answer_state(path: str, asked: Mapping[str, str]) -> str:
    """Return the state of a run as JSON, for the browser's own polling.

    With `after` in the query also what the picture of the front is to be extended by (`points.live_part`). What
    the reader may see is asked every time; what there is to see is the same for all and made once.

    Raises:
        NotVisible: there is no such run, or the user may not see it.
    """
    run = open_followed(path)
    state = as_json(state_of(run) | queue_of(run))
    part = shared_part(run, asked)
    return state if part == "{}" else f"{state[:-1]},{part[1:]}"


# A Dash callback that polls would hold back the clicks behind it.
answer_directly(STATE_PATH, answer_state)
