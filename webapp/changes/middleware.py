"""Every request acts for the person who is signed in, and has an identifier, by which its lines in all logs are found."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from webapp.base.actor import API, BROWSER, Actor, acting

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")


class ActingMiddleware:
    """The first of all: what stands before the web server may name the request, else it is named here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request. Person and token are looked up only where something is written down."""
        given = request.headers.get(HEADER, "")
        request_id = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        who = Actor(
            means=lambda: API if _token(request) is not None else BROWSER,
            person=lambda: getattr(request, "user", None),
            token=lambda: _token_name(request),
            request_id=request_id,
        )
        request.acting = who  # type: ignore[attr-defined]  # for lines of the log that are written after it
        with acting(who):
            response = self._get_response(request)
        response.headers[HEADER] = request_id
        return response


def _token(request: HttpRequest) -> object | None:
    """Return the token of the `Authorization` header."""
    return getattr(request, "auth", None)


def _token_name(request: HttpRequest) -> str:
    token = _token(request)
    return "" if token is None else str(getattr(token, "name", "") or getattr(token, "hint", ""))[:80]
