"""Serves the Dash application from one Django view.

All of Django's middleware (sessions, authentication, CSRF, security headers, database connections) therefore runs around
every request of Dash, and callbacks see the signed-in user through `current_user`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified, JsonResponse
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import ensure_csrf_cookie

if TYPE_CHECKING:
    from dash import Dash
    from django.contrib.auth.base_user import AbstractBaseUser

_request: ContextVar[HttpRequest | None] = ContextVar("django_request", default=None)
_building = threading.Lock()

# Files without anybody's data: the scripts, styles, fonts and icons that every visitor gets.
_PUBLIC = ("assets/", "_dash-component-suites/", "_favicon.ico")
_YEAR_S = 365 * 24 * 3600
_DAY_S = 24 * 3600
_COMPRESSIBLE = ("text/", "application/json", "application/javascript", "image/svg+xml")
_SMALLEST_COMPRESSED_BYTES = 1000


def current_request() -> HttpRequest | None:
    """The request that is being served; None outside of any, as when Dash tries the layout once at the start."""
    return _request.get()


def current_user() -> AbstractBaseUser | AnonymousUser:
    """The signed-in user of the request that is being served; anonymous outside of any."""
    request = _request.get()
    return AnonymousUser() if request is None else request.user


def csrf_token() -> str:
    """The token that a form on a page sends back; "" outside of any request."""
    request = _request.get()
    return "" if request is None else get_token(request)


@lru_cache(maxsize=1)
def _build() -> Dash:
    from frontend.app import build

    return build(csrf_cookie=settings.CSRF_COOKIE_NAME)


def get_app() -> Dash:
    """The Dash application of this process, built on first use."""
    with _building:
        return _build()


# What is asked for every second is answered past Dash and Flask, which would be half of its price.
_direct: dict[str, Callable[[str, Mapping[str, str]], str]] = {}


def answer_directly(prefix: str, answer: Callable[[str, Mapping[str, str]], str]) -> None:
    """Have GET requests below `prefix` answered by `answer`, for people who are signed in.

    Args:
        prefix: with a slash at both ends.
        answer: gets the rest of the path and the query, and returns JSON. It may raise `Http404`.
    """
    _direct[prefix.lstrip("/")] = answer


def dash_view(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Every path that no other view takes: pages, callbacks and files of the explorer.

    Args:
        request: of any kind; only GET, HEAD and POST reach Dash.
        path: the path without its leading slash.
    """
    if path.startswith(_PUBLIC):
        return _serve_file(request)
    if not request.user.is_authenticated:
        if path.startswith("_dash") or request.method != "GET":
            return JsonResponse({"detail": "Sign in to go on."}, status=401)
        return redirect_to_login(request.get_full_path())
    get_app()  # its pages say what they answer directly
    prefix = path[: path.find("/") + 1]
    return _serve_directly(request, prefix, path) if prefix in _direct else _serve_page(request)


def _serve_directly(request: HttpRequest, prefix: str, path: str) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    token = _request.set(request)
    try:
        text, status = _direct[prefix](path.removeprefix(prefix), request.GET.dict()), 200
    except Http404 as error:
        text, status = json.dumps({"detail": str(error)}), 404
    finally:
        _request.reset(token)
    return _private(request, HttpResponse(text, status=status, content_type="application/json"))


def _private(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Not to be kept anywhere on its way: it is for one person, and packed for one.

    Packed quickly: numbers get hardly smaller by the effort that Django's middleware would take, which is several times as
    much. No page holds a secret that a guess in its address could be matched with: tokens are masked anew each time.
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
    answer = _ask_dash(request, request.body)
    response = HttpResponse(answer.body, status=answer.status)
    _copy_headers(answer.headers, response)
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers["Content-Security-Policy"] = content_security_policy()
    return _private(request, response)


def content_security_policy() -> str:
    """The policy of Dash's pages: scripts only from files of this site and Dash's own inline ones, by hash."""
    hashes = " ".join(dict.fromkeys(get_app().csp_hashes()))
    return (
        f"default-src 'none'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


# -- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Answer:
    """What Dash answered: status, headers in order, body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True)
class _File:
    """A file ready to be sent; `packed` is its gzip form or None where that is not smaller."""

    content_type: str
    etag: str
    plain: bytes
    packed: bytes | None


def _serve_file(request: HttpRequest) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    address = request.get_full_path()
    if settings.DEBUG:
        _file.cache_clear()
    file = _file(address)
    if file is None:
        return HttpResponse("There is no such file.", status=404, content_type="text/plain")
    headers = {"ETag": file.etag, "Cache-Control": _cache_control(address), "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == file.etag:
        return HttpResponseNotModified(headers=headers)
    packed = file.packed if _takes_gzip(request) else None
    body = b"" if request.method == "HEAD" else packed or file.plain
    response = HttpResponse(body, content_type=file.content_type, headers=headers)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def _cache_control(address: str) -> str:
    """For ever where the address changes with the content (`?m=` of assets, `.v1_2m34.` of components), else a day."""
    fingerprinted = "?m=" in address or ".v" in address.rpartition("/")[2]
    return f"public, max-age={_YEAR_S}, immutable" if fingerprinted else f"public, max-age={_DAY_S}"


@lru_cache(maxsize=512)
def _file(address: str) -> _File | None:
    """The file at `address`, compressed once per process: compressing plotly.js anew would take 0.2 s of each request."""
    request = HttpRequest()
    path, _, query = address.partition("?")
    request.method, request.path_info = "GET", path
    request.META = {"REQUEST_METHOD": "GET", "QUERY_STRING": query, "SERVER_NAME": "localhost", "SERVER_PORT": "80"}
    answer = _ask_dash(request, b"")
    if answer.status != 200:
        return None
    headers = {name.lower(): value for name, value in answer.headers}
    content_type = headers.get("content-type", "application/octet-stream")
    packed = None
    if content_type.startswith((*_COMPRESSIBLE, "text/javascript")) and len(answer.body) >= _SMALLEST_COMPRESSED_BYTES:
        packed = gzip.compress(answer.body, compresslevel=6, mtime=0)
    etag = f'"{hashlib.sha256(answer.body).hexdigest()[:32]}"'
    return _File(content_type, etag, answer.body, packed)


# -- WSGI -------------------------------------------------------------------------------------------------------------

# Django decides on these itself. Cookies too: the session is Django's.
_NOT_COPIED = {"content-length", "connection", "transfer-encoding", "set-cookie"}


def _copy_headers(headers: tuple[tuple[str, str], ...], response: HttpResponse) -> None:
    del response.headers["Content-Type"]
    for name, value in headers:
        if name.lower() not in _NOT_COPIED:
            response.headers[name] = value


def _ask_dash(request: HttpRequest, body: bytes) -> _Answer:
    """Run Dash's WSGI application on the request, with the request visible to `current_request`."""
    started: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        started["status"], started["headers"] = status, headers

    application = get_app().server.wsgi_app
    token = _request.set(request)
    try:
        parts = application(_environment(request, body), start_response)
        content = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
    finally:
        _request.reset(token)
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
