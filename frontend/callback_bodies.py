"""Checks of callback requests: a malformed request is refused before Dash parses it, with a one-line answer."""

from __future__ import annotations

import inspect
import json
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import flask
from dash import Dash
from dash.exceptions import DashException
from django.http import Http404
from pydantic import ConfigDict, TypeAdapter, ValidationError
from werkzeug.exceptions import HTTPException

from engines.contract.errors import EngineError, ProblemError
from frontend.request import CALLBACKS
from hardware.errors import HardwareError
from webapp.api.errors import outage
from webapp.api.parsers import check_counts
from webapp.base.actor import who_acts
from webapp.runs.inputs.documents import check_texts
from webapp.teams.visibility import NotAllowed

_HERE = Path(__file__).parent.parent
_LONGEST_REASON = 200
# What Dash sends. Other names are the sender's own: the log has one line for all of them.
_KEYS = frozenset({"output", "outputs", "inputs", "state", "changedPropIds"})
_SAME_AGAIN_S = 60.0
# What is raised where a value is of the right kind and cannot be read, and what may be raised where it is of another kind.
_UNREADABLE = (ValueError, ArithmeticError, RecursionError, DashException, EngineError, HardwareError, NotAllowed)
_OF_ANOTHER_KIND = (TypeError, LookupError, AttributeError)
_said: dict[tuple[str, ...], float] = {}

logger = logging.getLogger("frontend.callbacks")


def check_callback(app: Dash, body: bytes) -> Mapping[str, Any]:
    """Return the body of a callback, unless no page sends such a one.

    Raises:
        ProblemError: it is not JSON in UTF-8, holds too many values, is not of a callback's shape, names a callback that does not
            exist, or holds text that no database stores.
    """
    check_counts(body)  # nothing else in the process goes on while lists are parsed
    try:
        found = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise ProblemError("body", type(error).__name__, "JSON in UTF-8") from error
    if not isinstance(found, Mapping):
        raise ProblemError("body", type(found).__name__, "an object")
    output = found.get("output")
    if not isinstance(output, str) or "callback" not in app.callback_map.get(output, ()):  # others run in the browser
        raise ProblemError("output", str(output)[:_LONGEST_REASON], "the output of a callback of this site")
    called = app.callback_map[output]
    for key, declared in (("inputs", called["inputs"]), ("state", called["state"])):
        _check_values(key, found.get(key, []), declared)
    _check_names(found)
    for key, value in found.items():
        check_texts("body", key)
        check_texts(key if key in _KEYS else "body", value)
    return found


def _check_values(key: str, given: Any, declared: list[Mapping[str, Any]]) -> None:
    """Check that values have the order of the callback's own, each with the same property."""
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


def may_log(*kind: str) -> bool:
    """Return whether a line of this kind is worth writing: one a minute, however often a person sends what causes it."""
    now = time.monotonic()
    if now - _said.get(kind, -_SAME_AGAIN_S) < _SAME_AGAIN_S:
        return False
    _said[kind] = now
    return True


def answer_errors(server: flask.Flask, callbacks: Mapping[str, Mapping[str, Any]]) -> None:
    """Answer exceptions of `callbacks` (output -> what Dash knows of one) in the shape of the REST interface."""
    server.register_error_handler(Exception, lambda error: _answered(error, callbacks))


def _answered(error: Exception, callbacks: Mapping[str, Mapping[str, Any]]) -> Any:
    if isinstance(error, HTTPException):
        return error
    if isinstance(error, Http404):  # a run that is not there, or not theirs, is no fault of the server
        return {"detail": str(error)}, 404
    if passing := outage(error):
        status, words, headers, _ = passing
        return {"message": words}, status, headers
    place = _place(error)
    if flask.request.path != CALLBACKS or not _is_unreadable(error, callbacks):
        told = error if may_log("failed", place) else None
        logger.error("%s %s failed (%s)", flask.request.method, flask.request.path, place, exc_info=told)
        request = getattr(who_acts(), "request_id", "")
        return {"message": f"Something went wrong here; the site's log says what under request {request}."}, 500
    if may_log("unreadable", place):
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST_REASON]
        logger.warning("A callback received unreadable data: %s (%s)", reason, place)
    return {"message": "The page sent unreadable data. Load it again."}, 400


def _is_unreadable(error: Exception, callbacks: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether an error is due to what was sent: it says so, names a key out of it, or an id or a type is not as declared."""
    if isinstance(error, _UNREADABLE):
        return True
    if not isinstance(error, _OF_ANOTHER_KIND):
        return False
    body = flask.request.get_json()
    sent = [_value(each) for key in ("inputs", "state") for each in body.get(key, [])]
    if isinstance(error, KeyError) and error.args and any(error.args[0] == each for each in _parts(sent)):
        return True
    called = callbacks[body["output"]]
    kinds = _kinds(inspect.unwrap(called["callback"]))
    return _other_ids(body, called) or not all(_fits(*each) for each in zip(kinds, sent, strict=False))


def _other_ids(body: Mapping[str, Any], called: Mapping[str, Any]) -> bool:
    """Return whether an id lacks a part of its pattern, or something else than an input has changed."""
    names = {"."}
    for key in ("inputs", "state"):
        for declared, entry in zip(called.get(key, []), body.get(key, []), strict=False):
            for each in entry if isinstance(entry, list) else [entry]:
                given = each["id"]
                if isinstance(given, dict):
                    if not declared["id"].startswith("{") or given.keys() != json.loads(declared["id"]).keys():
                        return True
                    given = json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                names.add(f"{given}.{each['property']}")
    return not names.issuperset(body.get("changedPropIds", []))


def _value(entry: Any) -> Any:
    return [_value(each) for each in entry] if isinstance(entry, list) else entry.get("value")


def _parts(value: Any) -> Iterator[Any]:
    """Yield the value with all that it holds."""
    yield value
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _parts(each)


@cache
def _kinds(function: Callable[..., Any]) -> tuple[TypeAdapter[Any], ...]:
    hints = get_type_hints(function)
    # Without a type is Dash's own callback alone, which takes the parts of an address.
    return tuple(
        TypeAdapter(hints.get(name, str), config=ConfigDict(arbitrary_types_allowed=True))
        for name in inspect.signature(function).parameters
    )


def _fits(kind: TypeAdapter[Any], value: Any) -> bool:
    try:
        kind.validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def _place(error: Exception) -> str:
    """Return the innermost place of an error in this program: "frontend/pages/run/page.py:40"."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_HERE) and ".venv" not in frame.filename]
    frame = own[-1] if own else frames[-1]
    name = Path(frame.filename)
    return f"{name.relative_to(_HERE) if own else name.name}:{frame.lineno}"
