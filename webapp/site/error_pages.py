"""Answers to requests that go wrong before or beside their view: JSON for programs, the site's pages for people."""

from __future__ import annotations

import sys
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults
from django.views.csrf import csrf_failure as csrf_page

from webapp.api.errors import DATABASE_AWAY, RETRY_AFTER_S, no_connection, refusal
from webapp.api.problem_details import problem_response

_PROGRAMS = ("/api/", "/_dash", "/health", "/livez", "/readyz", "/metrics")


def for_programs(request: HttpRequest) -> bool:
    """Whether the answer is read by a program: the REST interface and callbacks of pages."""
    return request.path_info.startswith(_PROGRAMS)


def unavailable_database(error: BaseException | None) -> bool:
    """Whether `error` says that the database is away, or too busy for now."""
    return isinstance(error, OperationalError | InterfaceError)


def unavailable(request: HttpRequest, error: BaseException | None = None) -> HttpResponse:
    """503 with the time after which to try again; marked where `error` says that no connection can be had."""
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    if for_programs(request):
        response: HttpResponse = problem_response(503, DATABASE_AWAY, headers=headers)
    else:
        # Without the request: what its context processors say of a person would ask the database again.
        page = render_to_string("503.html", {"message": DATABASE_AWAY})
        response = HttpResponse(page, status=503, headers=headers)
    response.database_away = no_connection(error)  # type: ignore[attr-defined]
    return response


def refused_request(request: HttpRequest, status: int, field: str, got: Any, accepted: str) -> HttpResponse:
    """A request that no view gets to see."""
    facts = refusal(field, got, accepted)
    if for_programs(request):
        return problem_response(status, facts["message"], facts)
    return HttpResponse(facts["message"], status=status, content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: a host name that is not served, a form with too many fields."""
    if for_programs(request):
        return problem_response(400, f"This request is not understood ({type(exception).__name__}).")
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 of views without an answer of their own."""
    if for_programs(request):
        return problem_response(403, str(exception) or "This takes another role.")
    return defaults.permission_denied(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form or callback without the token of its page."""
    if for_programs(request):
        words = f"{reason or 'CSRF verification failed.'} Send the token of the page as X-CSRFToken, or an API token."
        return problem_response(403, words)
    return csrf_page(request, reason)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 of views without an answer of their own."""
    if for_programs(request):
        words = f"There is nothing at {request.path}. Addresses end in a slash; all are listed at /api/docs/."
        return problem_response(404, words)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500 for what nobody foresaw; 503 where it was the database. The log has the reason."""
    error = sys.exc_info()[1]
    if unavailable_database(error):
        return unavailable(request, error)
    if for_programs(request):
        return problem_response(500, "Something went wrong here; the site's log says what.")
    return defaults.server_error(request)
