"""Errors as JSON: every answer has `message`; a refused field has `field`, `got` and `accepted` as well."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engines.contract.errors import BusyError, EngineError, ProblemError
from hardware.errors import HardwareError
from webapp.runs.errors import RunStateError
from webapp.teams.visibility import NotAllowed

DATABASE_AWAY = "The database does not answer at the moment. Nothing was changed; try again in a few seconds."
# After that a request is worth another try: a connection is looked for again, or the longest transaction is over.
RETRY_AFTER_S = 2


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The response to `error`; None for one that nobody foresaw, which becomes a 500."""
    if isinstance(error, BusyError):
        headers = {"Retry-After": str(error.retry_after_s)}
        return Response({"message": str(error)}, status=status.HTTP_503_SERVICE_UNAVAILABLE, headers=headers)
    if isinstance(error, ProblemError):
        body = refusal(error.field, error.got, error.accepted, error.line, error.others, error.other_lines)
        return Response(body, status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, HardwareError):
        return Response(
            refusal(error.key, error.got, error.accepted, None, error.others), status=status.HTTP_400_BAD_REQUEST
        )
    if isinstance(error, RunStateError | EngineError):
        return Response({"message": str(error)}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, NotAllowed | DjangoPermissionDenied):
        return Response({"message": str(error) or "This takes another role."}, status=status.HTTP_403_FORBIDDEN)
    if isinstance(error, RequestDataTooBig):
        return Response({"message": "The body is too large."}, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
    if isinstance(error, RecursionError):
        return Response({"message": "The body is nested too deeply."}, status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, OperationalError | InterfaceError):
        body, headers = {"message": DATABASE_AWAY}, {"Retry-After": str(RETRY_AFTER_S)}
        away = Response(body, status=status.HTTP_503_SERVICE_UNAVAILABLE, headers=headers)
        away.database_away = no_connection(error)  # type: ignore[attr-defined]
        return away
    response = exception_handler(error, dict(context))
    if response is not None:
        response.data = _with_message(error, response.data)
    return response


def no_connection(error: BaseException | None) -> bool:
    """Whether `error` says that no connection to the database can be had: that will be so a moment later."""
    return error is not None and isinstance(error.__cause__, PoolTimeout)


def refusal(
    field: str,
    got: Any,
    accepted: str,
    line: int | None = None,
    others: Sequence[tuple[str, Any, str]] = (),
    other_lines: Sequence[int | None] = (),
) -> dict[str, Any]:
    """The body of a 400: the facts as data, and the same as sentences.

    `line` is there only of a text that was handed in, `others` where more than one field is wrong, each with its own line.
    """
    facts: dict[str, Any] = {
        "field": _sayable(field),
        "got": _sayable(_json_able(got)),
        "accepted": _sayable(accepted),
        "message": _sayable(str(ProblemError(field, got, accepted, line).with_others(others, other_lines))),
    }
    if others:
        lines = other_lines or [None] * len(others)
        facts["others"] = [refusal(*each, own) for each, own in zip(others, lines, strict=True)]
    return facts if line is None else {**facts, "line": line}


def _with_message(error: Exception, data: Any) -> dict[str, Any]:
    """DRF's own errors in the same shape."""
    if isinstance(data, Mapping) and set(data) == {"detail"}:
        return {"message": str(data["detail"])}
    if isinstance(data, Mapping) and isinstance(error, APIException):
        field, problems = next(iter(data.items()))
        first = problems[0] if isinstance(problems, list) else problems
        return {"field": field, "got": None, "accepted": str(first), "message": f"{field}: {first}"}
    return {"message": str(error)}


def _json_able(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return str(value)
    return value


def _sayable(value: Any) -> Any:
    """The same with "?" for halves of surrogate pairs, which UTF-8 cannot say."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode(errors="replace"))
    return value
