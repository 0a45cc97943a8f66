"""Errors as JSON: every answer has `message`; a refused field has `field`, `got` and `accepted` as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engines.errors import EngineError, ProblemError
from hardware.errors import HardwareError
from webapp.runs.errors import RunStateError
from webapp.teams.visibility import NotAllowed


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The response to `error`; None for one that nobody foresaw, which becomes a 500."""
    if isinstance(error, ProblemError):
        body = refusal(error.field, error.got, error.accepted, error.line)
        return Response(body, status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, HardwareError):
        return Response(refusal(error.key, error.got, error.accepted), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, RunStateError | EngineError):
        return Response({"message": str(error)}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, NotAllowed | DjangoPermissionDenied):
        return Response({"message": str(error) or "This takes another role."}, status=status.HTTP_403_FORBIDDEN)
    if isinstance(error, RequestDataTooBig):
        return Response({"message": "The body is too large."}, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
    if isinstance(error, RecursionError):
        return Response({"message": "The body is nested too deeply."}, status=status.HTTP_400_BAD_REQUEST)
    response = exception_handler(error, dict(context))
    if response is not None:
        response.data = _with_message(error, response.data)
    return response


def refusal(field: str, got: Any, accepted: str, line: int | None = None) -> dict[str, Any]:
    """The body of a 400: the facts as data, and the same as one sentence; `line` only of a text that was handed in."""
    facts = {
        "field": field,
        "got": _json_able(got),
        "accepted": accepted,
        "message": str(ProblemError(field, got, accepted, line)),
    }
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
