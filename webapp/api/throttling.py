"""How often a request may come that nobody is signed in for.

Django REST framework asks its throttles after it has refused such a request, so that theirs would never count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.exceptions import Throttled
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:  # views read their settings, which name the class below, while they are loaded
    from rest_framework.views import APIView


class SignedOutThrottle(SimpleRateThrottle):
    """Counts by address, without asking who it is."""

    scope = "anon"

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        """One count per address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


def count_signed_out(request: Request) -> None:
    """Count a request without a valid session or token.

    Raises:
        Throttled: its address has sent more than `DEFAULT_THROTTLE_RATES["anon"]`.
    """
    throttle = SignedOutThrottle()
    if not throttle.allow_request(request, None):  # type: ignore[arg-type]  # the view is not looked at
        raise Throttled(throttle.wait())


class SignedIn(IsAuthenticated):
    """Whether somebody is signed in; who is not may ask only so often."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """True, or False and counted."""
        if super().has_permission(request, view):
            return True
        count_signed_out(request)
        return False
