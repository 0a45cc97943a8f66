"""Rate limits for requests that guess secrets or cause cost: links, invitations, accounts and mails."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.throttling import SimpleRateThrottle


def counted_address(request: HttpRequest) -> str | None:
    """Return the address by which a visitor is counted; of IPv6 its network, since one visitor has all of that. None: unknown."""
    try:
        found = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:  # a socket of this machine
        return None
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False).network_address
    return str(found)


class AddressThrottle(SimpleRateThrottle):
    """Counts by address.

    Args:
        scope: counted items.
        rate: "20/minute".
    """

    timer = time.monotonic  # which nobody sets back: what was counted before would count until the clock is there again

    def __init__(self, scope: str, rate: str) -> None:
        self.scope = scope
        self.rate = rate
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        """Return the cache key that counts requests per address and scope."""
        return self.cache_format % {"scope": self.scope, "ident": counted_address(request)}


def at_most(rate: str, *methods: str) -> Callable[..., Any]:
    """Answer 429 to an address that asks for the view more often than `rate` ("20/minute"), with one of `methods`."""

    def limited(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            throttle = AddressThrottle(getattr(view, "__name__", type(view).__name__), rate)
            if request.method not in methods or throttle.allow_request(request, None):  # type: ignore[arg-type]
                return view(request, *args, **kwargs)
            wait_s = max(1, round(throttle.wait() or 60))
            page = render(request, "teams/too_often.html", {"wait_s": wait_s}, status=429)
            page.headers["Retry-After"] = str(wait_s)
            return page

        return asked

    return limited
