"""Serves the Dash application from one Django view.

All of Django's middleware (sessions, authentication, CSRF, security headers, database connections) therefore runs around
every request of Dash, and callbacks see the signed-in user through `request.current_user`.
"""

from __future__ import annotations

import gzip
import io
import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import ensure_csrf_cookie

from engines.contract.errors import ProblemError
from frontend.live.direct import direct_answer, is_direct
from frontend.request import CALLBACKS, serving
from webapp.api.errors import refusal_of
from webapp.gallery.visitors import COMPUTING, as_visitor, name_visitor, wait_s
from webapp.sharing.guests import links_of, with_links
from webapp.teams.permissions import Guest, somebody, visitor_name

if TYPE_CHECKING:
    from dash import Dash

    from webapp.sharing.service import OpenLink

_building = threading.Lock()
logger = logging.getLogger(__name__)

# Files that every visitor gets come from `frontend.public_files`: what gets here is none of them.
_PUBLIC = ("assets/", "_dash-component-suites/", "_favicon.ico")
_COMPRESSIBLE = ("text/", "application/json", "application/javascript", "image/svg+xml")
_SMALLEST_COMPRESSED_BYTES = 1000


@lru_cache(maxsize=1)
def _build() -> Dash:
    from frontend.app import build

    return build(csrf_cookie=settings.CSRF_COOKIE_NAME, prefix=settings.PARETOSCOPE_PREFIX)


def get_app() -> Dash:
    """Return the Dash application of this process, built on first use."""
    with _building:
        return _build()


def describe_link(opened: OpenLink) -> str:
    """Return the text of the preview of a read-only link."""
    from frontend.pages.share.preview import describe_link  # with figures, which commands can do without

    return describe_link(opened)


def dash_view(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Return pages and callbacks of the explorer, for every path without another view.

    Args:
        request: request of any kind; only GET, HEAD and POST reach Dash.
        path: the path without its leading slash.
    """
    if path.startswith(_PUBLIC):
        return HttpResponse("This file does not exist.", status=404, content_type="text/plain")
    opened = links_of(request)
    request.user = as_visitor(request, with_links(request.user, opened))
    request.opened_links = opened  # type: ignore[attr-defined]
    if not somebody(request.user) or (isinstance(request.user, Guest) and not _open_to(request, request.user, path)):
        if path.startswith("_dash") or request.method != "GET":
            return JsonResponse({"detail": "Sign in to continue."}, status=401)
        if not path and visitor_name(request.user):
            return redirect("/gallery")
        return redirect_to_login(request.get_full_path())
    get_app()  # its pages say what they answer directly
    response = _serve_directly(request, path) if is_direct(path) else _serve_page(request)
    if visitor_name(request.user):
        name_visitor(request, response)
        if response.status_code == 503 and "Retry-After" in response:  # busy: their share is used up
            response.status_code = 429
    return response


def _open_to(request: HttpRequest, guest: Guest, path: str) -> bool:
    """Return whether a person who comes by a link gets an answer here; callbacks are looked at once their body is read."""
    from frontend.guests import READ_PATHS, opens

    if path.startswith(READ_PATHS) or request.path_info == CALLBACKS:
        return True
    return request.method in ("GET", "HEAD") and opens(guest, request.path_info)


def _for_visitor(request: HttpRequest, text: bytes) -> bytes:
    """Return the JSON answer as a guest may see it, with addresses below the path of the site."""
    from frontend.addresses import below_path
    from frontend.guests import shown_to

    text = shown_to(get_app(), request.user, text) if isinstance(request.user, Guest) else text
    return below_path(text) if settings.PARETOSCOPE_PREFIX else text


def _serve_directly(request: HttpRequest, path: str) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    try:
        with serving(request):
            text, status = direct_answer(path, request.GET.dict()), 200
            changed = isinstance(request.user, Guest) or settings.PARETOSCOPE_PREFIX
            text = _for_visitor(request, text.encode()).decode() if changed else text
    except Http404 as error:
        text, status = json.dumps({"detail": str(error)}), 404
    return _private(request, HttpResponse(text, status=status, content_type="application/json"))


def _private(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Forbid caching on the way: the answer is for one person, and compressed for one.

    Packed quickly: numbers get hardly smaller by the effort that Django's middleware would take, which is several times as
    much. No page holds a secret that a guess in its address could be matched with: tokens are masked again each time.
    """
    response.headers["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ("Cookie", "Accept-Encoding"))
    large = len(response.content) >= _SMALLEST_COMPRESSED_BYTES
    if large and _takes_gzip(request) and response.headers.get("Content-Type", "").startswith(_COMPRESSIBLE):
        response.content = gzip.compress(response.content, compresslevel=1, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
    return response


def _takes_gzip(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


# -- pages and callbacks ----------------------------------------------------------------------------------------------


@ensure_csrf_cookie
def _serve_page(request: HttpRequest) -> HttpResponse:
    from frontend.addresses import is_page, leads_somewhere
    from frontend.callback_bodies import check_callback, may_log  # with Dash, which commands can do without
    from frontend.guests import may_call

    if request.path_info == CALLBACKS and request.method == "POST":
        try:
            body = check_callback(get_app(), request.body)
        except ProblemError as error:
            if may_log("refused", error.field.partition(".")[0]):  # what follows was sent
                logger.warning("A callback was refused: %s", error)
            return _logged(JsonResponse(refusal_of(error), status=400))
        if isinstance(request.user, Guest) and not may_call(get_app(), request.user, body):
            return _logged(JsonResponse({"message": "Guests cannot change anything. Sign in first."}, status=403))
        if visitor_name(request.user) and (refused := _too_often(request, body)):
            return refused
    answer = _ask_dash(request, request.body)
    status = answer.status
    if status == 200 and request.method in ("GET", "HEAD") and is_page(get_app(), request.path_info):
        status = 200 if leads_somewhere(request.user, request.path_info, request.GET.dict()) else 404
    told = dict(answer.headers).get("Content-Type", "").startswith("application/json")
    response = _logged(HttpResponse(_for_visitor(request, answer.body) if told else answer.body, status=status))
    _copy_headers(answer.headers, response)
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers["Content-Security-Policy"] = content_security_policy()
    return _private(request, response)


def _too_often(request: HttpRequest, body: Mapping[str, Any]) -> HttpResponse | None:
    """Return the refusal of a visitor who computes more often than they may; None for all else."""
    from frontend.guests import COMPUTING as COMPUTING_CALLBACKS
    from frontend.guests import called_by

    if called_by(get_app(), str(body.get("output"))) not in COMPUTING_CALLBACKS:
        return None
    left_s = wait_s(request, "computing", COMPUTING)
    words = f"Guests may ask this {COMPUTING[0].replace('/', ' times per ')}. Try again in {left_s} s, or sign in."
    headers = {"Retry-After": str(left_s)}
    return _logged(JsonResponse({"message": words}, status=429, headers=headers)) if left_s else None


def _logged(response: HttpResponse) -> HttpResponse:
    """Return the same, told Django's log that what is wrong with it has been said there."""
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def content_security_policy() -> str:
    """Return the policy of Dash's pages: scripts only from files of this site and Dash's own inline ones, by hash."""
    hashes = " ".join(dict.fromkeys(get_app().csp_hashes()))
    return (
        f"default-src 'none'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


@dataclass(frozen=True)
class _Answer:
    """The answer of Dash: status, headers in order, body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


# -- WSGI -------------------------------------------------------------------------------------------------------------

# Django decides on these itself. Cookies too: the session is Django's.
_NOT_COPIED = {"content-length", "connection", "transfer-encoding", "set-cookie"}


def _copy_headers(headers: tuple[tuple[str, str], ...], response: HttpResponse) -> None:
    del response.headers["Content-Type"]
    for name, value in headers:
        if name.lower() not in _NOT_COPIED:
            response.headers[name] = value


def _ask_dash(request: HttpRequest, body: bytes) -> _Answer:
    """Run Dash's WSGI application on the request, with the request visible to `request.current_request`."""
    started: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        started["status"], started["headers"] = status, headers

    application = get_app().server.wsgi_app
    with serving(request):
        parts = application(_environment(request, body), start_response)
        content = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
    return _Answer(int(started["status"].split(" ", 1)[0]), tuple(started["headers"]), content)


def _environment(request: HttpRequest, body: bytes) -> Mapping[str, Any]:
    environment = {
        "SCRIPT_NAME": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        **request.META,
        "PATH_INFO": request.path_info.encode().decode("latin1"),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": request.scheme or "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    environment.setdefault("wsgi.errors", io.StringIO())
    # The response is compressed here or by Django, and conditional requests are answered here.
    for name in ("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_RANGE"):
        environment.pop(name, None)
    return environment
