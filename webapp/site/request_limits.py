"""Limits of a request before anything reads it: size of its body, and the characters of its address.

Whatever comes later - sessions, forms, CSRF - may read a body, write it to the disk and ask the database. This stands before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from engines.contract.encoding.document_text import MAX_CONTENT_BYTES
from engines.contract.integer_format import counted
from engines.cost.calibration.files import MAX_BYTES as MAX_MEASUREMENTS_BYTES
from engines.exchange.bundle import MAX_BUNDLE_BYTES
from engines.running.runner.wire import MAX_FRAME_BYTES
from engines.workloads.importing.limits import MAX_FILE_BYTES
from webapp.gallery.networks import MOST_FILE_BYTES
from webapp.site.error_pages import outage_response, refused_request, unavailable, wrong_address

FORM_BYTES = 1_000_000  # a form without a file, and what stands in one beside its file
# A document of the catalogue at its largest, in the text that is edited and in what the page keeps of it, each escaped.
CALLBACK_BYTES = 4 * MAX_CONTENT_BYTES
AWAY_S, LOOKING_S = 1.0, 5.0
# How proxies name the path below which they serve a site.
_PREFIX_HEADERS = ("X-Forwarded-Prefix", "X-Script-Name")
_WITHOUT_DATABASE = (
    "/assets/",
    "/favicon.ico",
    "/static/",
    "/_dash-component-suites/",
    "/health/",
    "/livez",
    "/readyz",
    "/metrics",
)
_WORKERS = "/api/v1/worker/runs/"  # steps, and files of engines
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def most_bytes(path: str, content_type: str) -> int:
    """Return the largest number of bytes of a request body.

    Args:
        path: with its leading slash.
        content_type: as in the header, with parameters or without.
    """
    if path in _files():
        return _files()[path] + FORM_BYTES
    if path.startswith("/admin/"):
        return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)  # documents are edited there
    if content_type.partition(";")[0].strip().lower() in _FORMS or not path.startswith(("/api/", "/_dash")):
        return FORM_BYTES
    if path.startswith("/_dash"):
        return CALLBACK_BYTES
    if path.startswith(_WORKERS):
        return MAX_FRAME_BYTES + FORM_BYTES
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


@cache
def _files() -> dict[str, int]:
    """Return address -> bytes of the files that it takes."""
    return {
        reverse("api:documents-upload"): MAX_FILE_BYTES,
        reverse("visitor_network"): MOST_FILE_BYTES,
        reverse("api:run-import"): MAX_BUNDLE_BYTES,
        reverse("api:calibrations-fit"): 2 * MAX_MEASUREMENTS_BYTES,
        reverse("api:measured-values"): MAX_MEASUREMENTS_BYTES,
    }


class RequestLimitsMiddleware:
    """Refuses what is too large or holds what no database stores, and says so where the database is away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._look_again: float | None = None  # on the monotonic clock; None while the database answers

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer 400, 411 or 413, or pass the request on."""
        if settings.PARETOSCOPE_PROXIES:
            _take_address(request, settings.PARETOSCOPE_PROXIES)
        return self._refused(request) or self._answered(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Answer 503 or 507 to temporary faults: a database that is away, a full disk, a busy site; leave others to Django."""
        return outage_response(request, error)

    def _answered(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer of the rest of the site.

        Looking for a connection to a database that is away takes two seconds: one request at a time does so, and then none for a
        second, while all others are told at once.
        """
        if self._look_again is None or request.path_info.startswith(_WITHOUT_DATABASE):
            response = self.get_response(request)
        elif time.monotonic() < self._look_again:
            return unavailable(request)
        else:
            self._look_again = time.monotonic() + LOOKING_S
            response = self.get_response(request)
            self._look_again = None
        if getattr(response, "database_away", False):
            self._look_again = time.monotonic() + AWAY_S
        return response

    def _refused(self, request: HttpRequest) -> HttpResponseBase | None:
        told = (request.headers.get(name, "") for name in _PREFIX_HEADERS)
        prefix = next(filter(None, (each.strip("/") for each in (request.META.get("SCRIPT_NAME", ""), *told))), "")
        if prefix != settings.PARETOSCOPE_PREFIX.strip("/"):
            words = f"The site cannot be served below a path (/{prefix[:80]}/)."
            return wrong_address(
                request, 400, f"{words} Its administrator sets the path in PARETOSCOPE_PUBLIC_URL (docs/deploy.md)."
            )
        # Django reads nothing of a body without a length; the server would carry on reading what nobody wants.
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            return refused_request(request, 411, "body", "no length", "a body whose length is given (Content-Length)")
        given = request.META.get("CONTENT_LENGTH") or "0"
        length = int(given) if given.isascii() and given.isdigit() and len(given) < 20 else None
        most = most_bytes(request.path_info, request.META.get("CONTENT_TYPE", ""))
        if length is None or length > most:
            got = given[:40] if length is None else f"{counted(length)} bytes"
            return refused_request(request, 413, "body", got, f"at most {counted(most)} bytes here")
        for name, text in (("address", request.path_info), *_query(request), *request.COOKIES.items()):
            if "\0" in name or "\0" in text:
                return refused_request(request, 400, name, text, "text without NUL characters")
        return None


def _take_address(request: HttpRequest, proxies: int) -> None:
    """Set REMOTE_ADDR to the visitor's address as our outermost proxy saw it; clients can forge the entries to its left."""
    seen = [each.strip() for each in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if each.strip()]
    if len(seen) >= proxies:
        request.META["REMOTE_ADDR"] = seen[-proxies]


def _query(request: HttpRequest) -> list[tuple[str, str]]:
    if "%00" not in request.META.get("QUERY_STRING", ""):
        return []
    return [(name, value) for name, values in request.GET.lists() for value in values]
