"""Visitors without an account: a name in a signed cookie for a day, the gallery, and how often they may ask.

Nothing is stored for a visitor who only looks. `webapp.teams.permissions` decides what they see.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from engines.running.runner.slots import VISITOR
from webapp.teams.permissions import Guest, known, shared_with
from webapp.teams.rates import AddressThrottle, counted_address

COOKIE = "paretoscope_visitor"
DAY_S = 86_400
# What starts a process: of one visitor, and of all behind one address.
COMPUTING = ("120/minute", "600/minute")
UPLOADING = ("10/hour", "60/hour")


def as_visitor(request: Any, person: Any) -> Any:
    """Return the visitor of the gallery where the site takes guests and nobody is signed in; else `person` as they are."""
    if not settings.PARETOSCOPE_GUESTS or known(person):
        return person
    return Guest(shared_with(person), VISITOR + (cookie_of(request) or f"at {counted_address(request)}"))


def cookie_of(request: HttpRequest) -> str:
    """Return the name in the cookie; "" without one, or once it is a day old."""
    return str(request.get_signed_cookie(COOKIE, "", max_age=DAY_S) or "")


def name_visitor(request: HttpRequest, response: HttpResponseBase) -> None:
    """Give a visitor without a valid cookie a name."""
    if isinstance(request.user, Guest) and request.user.name and not cookie_of(request):
        response.set_signed_cookie(
            COOKIE, secrets.token_urlsafe(12), max_age=DAY_S, path=settings.SESSION_COOKIE_PATH,
            secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
        )  # fmt: skip


class _VisitorThrottle(AddressThrottle):
    """Counts by visitor."""

    def get_cache_key(self, request: Any, view: Any) -> str:
        """Return the cache key that counts requests per visitor and scope."""
        return self.cache_format % {"scope": f"{self.scope}-of-visitor", "ident": request.user.name.replace(" ", "-")}


def wait_s(request: Any, scope: str, rates: tuple[str, str]) -> int:
    """Return the seconds until the visitor may ask again; 0: now, and counted.

    Args:
        request: of a visitor.
        scope: counted items.
        rates: request rates of one visitor, and of all behind one address.
    """
    for throttle in (_VisitorThrottle(scope, rates[0]), AddressThrottle(f"{scope}-of-visitors", rates[1])):
        if not throttle.allow_request(request, None):  # type: ignore[arg-type]  # the view is not looked at
            return max(1, round(throttle.wait() or 60))
    return 0
