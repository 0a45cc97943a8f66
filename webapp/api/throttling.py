"""How often a request may come.

Requests that nobody is signed in for are counted here: Django REST framework asks its throttles after it has refused them, so that
theirs would never count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from webapp.api.models import ApiToken
from webapp.gallery.visitors import as_visitor
from webapp.teams.permissions import NotAllowed, visitor_name

if TYPE_CHECKING:  # views read their settings, which name the class below, while they are loaded
    from rest_framework.views import APIView


_WORKER_WORDS = "A token of the scope worker only executes queued runs. Use a token of another scope."
_NO_WORKER_WORDS = "Workers need a token of the scope worker. Make one on /accounts/token/."


class SignedOutThrottle(SimpleRateThrottle):
    """Counts by address, without asking who it is."""

    scope = "anon"
    timer = time.monotonic  # which nobody sets back: what was counted before would count until the clock is there again

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        """Return the cache key that counts requests per address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class PrincipalThrottle(UserRateThrottle):
    """Counts every token for itself, and the sessions of a user together; leaves on the request how it stands."""

    num_requests: int
    duration: int
    timer = time.monotonic

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return one count per token, or per user; None for who is not signed in."""
        if not isinstance(request.auth, ApiToken):
            return super().get_cache_key(request, view)
        if request.auth.scope == ApiToken.Scope.WORKER:  # hundreds of workers share it, each with its own pauses
            return None
        return self.cache_format % {"scope": "token", "ident": request.auth.pk}

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return whether one more is allowed."""
        allowed = super().allow_request(request, view)
        if self.rate is not None and hasattr(self, "now"):
            left = max(self.num_requests - len(self.history), 0)
            oldest = self.history[-1] if self.history else self.now
            rate = (self.num_requests, left, ceil(max(oldest + self.duration - self.now, 0)))
            request._request.api_rate = rate  # type: ignore[attr-defined]
        return allowed


class RateHeadersMiddleware:
    """`RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) on every answer whose request was counted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and say how many more there may be."""
        response = self._get_response(request)
        for name, value in zip(("Limit", "Remaining", "Reset"), getattr(request, "api_rate", ()), strict=False):
            response[f"RateLimit-{name}"] = str(value)
        return response


def count_signed_out(request: Request) -> None:
    """Count a request without a valid session or token.

    Raises:
        Throttled: its address has sent more than `DEFAULT_THROTTLE_RATES["anon"]`.
    """
    throttle = SignedOutThrottle()
    if not throttle.allow_request(request, None):  # type: ignore[arg-type]  # the view is not looked at
        raise Throttled(throttle.wait())


class SignedIn(IsAuthenticated):
    """A permission for signed-in users, which counts all other requests. Tokens of agents and workers call only their own views.

    Guests of a site that takes them read the gallery (`for_guests`).
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return True, or False and counted.

        Raises:
            NotAllowed: the token is an agent's or a worker's, and the view is not for them, or the other way round.
        """
        if super().has_permission(request, view):
            scope = request.auth.scope if isinstance(request.auth, ApiToken) else ""
            agents = getattr(view, "for_agents", False)
            if scope == ApiToken.Scope.AGENT and not agents:
                raise NotAllowed(
                    "A token of the scope agent only fetches and answers measurement jobs. Use a token of another scope."
                )
            if (scope == ApiToken.Scope.WORKER) is not getattr(view, "for_workers", False):
                raise NotAllowed(_WORKER_WORDS if scope == ApiToken.Scope.WORKER else _NO_WORKER_WORDS)
            return True
        count_signed_out(request)
        if not getattr(view, "for_guests", False) or request.method not in SAFE_METHODS:
            return False
        request.user = as_visitor(request._request, request.user)
        return bool(visitor_name(request.user))
