"""Errors as problem details (RFC 9457): one shape for every address, whichever part answers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

MEDIA_TYPE = "application/problem+json"


def problem(status: int, words: str, facts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the members of an error; `message` is `detail` under the name that it had before.

    The type is "about:blank" throughout: the status says what kind of error it is, `facts` which field, value and remedy.
    """
    kind = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return {**kind, "detail": words, "message": words, **(facts or {})}


def problem_response(
    status: int, words: str, facts: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> JsonResponse:
    """Return an error of a view that is none of Django REST framework."""
    told = problem(status, words, facts)
    return JsonResponse(told, status=status, content_type=MEDIA_TYPE, headers=dict(headers or {}))
