"""Large request bodies, parsed one at a time: parsing takes many times their size in memory, so others wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from engines.contract.errors import BusyError

LARGE_BYTES = 128 * 1024
TURN_S = 20.0
_turn = threading.BoundedSemaphore()


def await_turn(parser_context: Mapping[str, Any] | None, size: int) -> None:
    """Wait until no other request of this process holds a large body; the turn ends with the request.

    Args:
        parser_context: as parsers get it.
        size: size of the body, in bytes; a small one waits for nothing.

    Raises:
        BusyError: others hold one for longer than `TURN_S`.
    """
    request: Request | None = (parser_context or {}).get("request")
    if size > LARGE_BYTES and request is not None and not hasattr(request._request, "large_body"):
        if not _turn.acquire(timeout=TURN_S):
            raise BusyError("body")
        request._request.large_body = request  # type: ignore[attr-defined]


class LargeBodiesMiddleware:
    """A middleware that lets go of the body of a request that was answered, and ends its turn."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        try:
            return self._get_response(request)
        finally:
            # A request refers to itself by its user and its view: its body would stay until cycles are looked for.
            request._body, request._stream = b"", BytesIO()
            held = getattr(request, "large_body", None)
            if held is not None:
                vars(held).clear()
                _turn.release()
