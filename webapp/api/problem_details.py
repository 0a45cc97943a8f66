"""Errors as problem details (RFC 9457): one shape for every address, whichever part answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse

from webapp.base.error_codes import error_code

MEDIA_TYPE = "application/problem+json"


def problem(status: int, words: str, facts: Mapping[str, Any] | None = None, code: str = "") -> dict[str, Any]:
    """Return the members of an error; `message` is `detail` under the name that it had before.

    The type is the page of the site that explains the code; without a code that of the status counts.
    """
    kind = error_code(status, code)
    members = {"type": kind.address, "code": kind.code, "title": kind.title, "status": status}
    return {**members, "detail": words, "message": words, **(facts or {})}


def problem_response(
    status: int,
    words: str,
    facts: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    code: str = "",
) -> JsonResponse:
    """Return an error of a view that is none of Django REST framework."""
    members = problem(status, words, facts, code)
    return JsonResponse(members, status=status, content_type=MEDIA_TYPE, headers=dict(headers or {}))
