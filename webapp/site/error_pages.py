"""Answers to requests that go wrong before or next to their view: JSON for programs, the site's pages for people."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_REFERER
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from engines.contract.errors import ProblemError
from webapp.api.errors import no_connection, outage, refusal_of
from webapp.api.problem_details import problem_response

_ORIGINS = ("Origin checking failed", "Referer checking failed")
_PROGRAMS = ("/api/", "/gallery/network/", "/_dash", "/health", "/livez", "/readyz", "/metrics")


def for_programs(request: HttpRequest) -> bool:
    """Return whether the answer is read by a program: the REST interface and callbacks of pages."""
    return request.path_info.startswith(_PROGRAMS)


def outage_response(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer to a temporary fault (`outage`), marked where no connection can be had; None to every other error."""
    passing = outage(error)
    if passing is None:
        return None
    status, words, headers, code = passing
    if for_programs(request):
        response: HttpResponse = problem_response(status, words, headers=headers, code=code)
    else:
        # Without the request: what its context processors say of a person would ask the database again.
        page = render_to_string("503.html", {"message": words, "status": status})
        response = HttpResponse(page, status=status, headers=headers)
    response.database_away = no_connection(error)  # type: ignore[attr-defined]
    response._has_been_logged = status == 507  # type: ignore[attr-defined]  # told in one line
    return response


def unavailable(request: HttpRequest, error: BaseException | None = None) -> HttpResponse:
    """Return the answer while the database is away; without `error` it is not asked again."""
    response = outage_response(request, error or OperationalError())
    assert response is not None
    return response


def refused_request(request: HttpRequest, status: int, field: str, got: Any, accepted: str) -> HttpResponse:
    """Return a request that no view gets to see."""
    error = ProblemError(field, got, accepted)
    facts = refusal_of(error)
    if for_programs(request):
        return problem_response(status, facts["message"], facts, code=error.code if status == 400 else "")
    return HttpResponse(facts["message"], status=status, content_type="text/plain; charset=utf-8")


def wrong_address(request: HttpRequest, status: int, words: str) -> HttpResponse:
    """Return an address under which the site is not set up; `words` name what its administrator sets."""
    if for_programs(request):
        return problem_response(status, words)
    return HttpResponse(render_to_string("address.html", {"words": words, "status": status}), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400: a host name that is not served, a form with too many fields."""
    if isinstance(exception, DisallowedHost):
        words = (
            "The site is not served under this host name. Its administrator lists it in ALLOWED_HOSTS (docs/deploy.md)."
        )
        return wrong_address(request, 400, words)
    if for_programs(request):
        return problem_response(400, f"The site cannot read this request ({type(exception).__name__}).")
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 403 of views without an answer of their own."""
    if for_programs(request):
        return problem_response(403, str(exception) or "You lack the role for this. Ask a maintainer of the project.")
    return defaults.permission_denied(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for a form or callback without the token of its page, or from an address that is not the site's.

    401 where a page's cookies are gone, and its sign-in with them.
    """
    if reason.startswith(_ORIGINS) and reason != REASON_NO_REFERER:
        words = "The site does not know the address from which this was sent as its own. Its administrator lists it in"
        return wrong_address(
            request, 403, f"{words} CSRF_TRUSTED_ORIGINS, and behind TLS sets PARETOSCOPE_SECURE=1 (docs/deploy.md)."
        )
    if for_programs(request):
        if request.path_info == "/_dash-update-component" and not request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            return problem_response(401, "You are signed out. Sign in to continue.")
        words = f"{reason or 'CSRF verification failed.'} Send the token of the page as X-CSRFToken, or an API token."
        return problem_response(403, words)
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404 of views without an answer of their own."""
    if for_programs(request):
        words = f"There is no page at {request.path}. Addresses end in a slash. All are listed at /api/docs/."
        return problem_response(404, words)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 or 507 to temporary faults, 500 to all others. The log has the reason."""
    if response := outage_response(request, sys.exc_info()[1]):
        return response
    if for_programs(request):
        return problem_response(500, "The site failed to answer this request. Its log has the reason.")
    return defaults.server_error(request)
