"""What callbacks are sent: a body that no page makes is refused before Dash sees it, one that a page cannot read with one line."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import flask
from dash import Dash
from dash.exceptions import DashException
from django.db import InterfaceError, OperationalError
from django.http import Http404
from werkzeug.exceptions import HTTPException

from engines.contract.errors import BusyError, EngineError, ProblemError
from frontend.request import CALLBACKS
from hardware.errors import HardwareError
from webapp.api.errors import DATABASE_AWAY, RETRY_AFTER_S
from webapp.api.parsers import check_body
from webapp.teams.visibility import NotAllowed

_HERE = Path(__file__).parent.parent
_LONGEST_REASON = 200
# What is raised where a value is not of the kind that a callback reads, or names what is not there.
_UNREADABLE = (
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError),
    *(DashException, EngineError, HardwareError, NotAllowed),
)

logger = logging.getLogger("frontend.callbacks")


def check_callback(app: Dash, body: bytes) -> Mapping[str, Any]:
    """The body of a callback, unless no page sends such a one.

    Raises:
        ProblemError: it is not JSON in UTF-8, not of a callback's shape, names a callback that does not exist, or holds text that
            no database stores.
    """
    try:
        found = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise ProblemError("body", type(error).__name__, "JSON in UTF-8") from error
    if not isinstance(found, Mapping):
        raise ProblemError("body", type(found).__name__, "an object")
    output = found.get("output")
    if not isinstance(output, str) or output not in app.callback_map:
        raise ProblemError("output", str(output)[:_LONGEST_REASON], "the output of a callback of this site")
    called = app.callback_map[output]
    for key, declared in (("inputs", called["inputs"]), ("state", called["state"])):
        _check_values(key, found.get(key, []), declared)
    _check_names(found)
    check_body(found)
    return found


def _check_values(key: str, given: Any, declared: list[Mapping[str, Any]]) -> None:
    """Values stand in the order of the callback's own, each with the same property."""
    if not isinstance(given, list) or len(given) != len(declared):
        raise ProblemError(key, str(given)[:_LONGEST_REASON], f"a list of {len(declared)} values")
    for entry, wanted in zip(given, declared, strict=True):
        for each in entry if isinstance(entry, list) else [entry]:
            if not isinstance(each, Mapping) or each.get("property") != wanted["property"] or "id" not in each:
                accepted = f"an object with id, property ({wanted['property']}) and value"
                raise ProblemError(key, str(each)[:_LONGEST_REASON], accepted)


def _check_names(body: Mapping[str, Any]) -> None:
    changed = body.get("changedPropIds", [])
    if not isinstance(changed, list) or not all(isinstance(name, str) for name in changed):
        raise ProblemError("changedPropIds", str(changed)[:_LONGEST_REASON], "a list of texts")
    if not isinstance(body.get("outputs", []), list | Mapping):
        raise ProblemError("outputs", str(body["outputs"])[:_LONGEST_REASON], "a list or an object")


def answer_errors(server: flask.Flask) -> None:
    """Have what callbacks raise answered in the shape of the REST interface, and logged in one line."""
    server.register_error_handler(Exception, _answered)


def _answered(error: Exception) -> Any:
    if isinstance(error, HTTPException):
        return error
    if isinstance(error, Http404):  # a run that is not there, or not theirs, is no fault of the server
        return {"detail": str(error)}, 404
    if isinstance(error, OperationalError | InterfaceError):
        return {"message": DATABASE_AWAY}, 503, {"Retry-After": str(RETRY_AFTER_S)}
    if isinstance(error, BusyError):
        return {"message": str(error)}, 503, {"Retry-After": str(error.retry_after_s)}
    if flask.request.path != CALLBACKS or not isinstance(error, _UNREADABLE):
        logger.error("%s %s failed", flask.request.method, flask.request.path, exc_info=error)
        return {"message": "Something went wrong here; the site's log says what."}, 500
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST_REASON]
    logger.error("A callback cannot read what it was sent: %s (%s)", reason, _place(error))
    return {"message": "The page sent what it cannot read back. Load it again."}, 400


def _place(error: Exception) -> str:
    """Where in this program it happened, innermost: "frontend/pages/run/page.py:40"; enough to find a fault of ours."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_HERE) and ".venv" not in frame.filename]
    frame = own[-1] if own else frames[-1]
    name = Path(frame.filename)
    return f"{name.relative_to(_HERE) if own else name.name}:{frame.lineno}"
