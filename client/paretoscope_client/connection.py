"""HTTP requests to a site, with token, safe retries, exceptions for errors, and lists page by page."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from paretoscope_client.errors import UnreachableError, api_error

_API = "/api/v1/"
_IDEMPOTENCY_KEY = "Idempotency-Key"
# With these the site has done nothing: the same request may be sent again. 409 says so by its Retry-After.
_REPEATED = (409, 429, 503)
_LONGEST_PAUSE_S = 30.0
_FIRST_PAUSE_S = 0.5


class Connection:
    """A connection to a site, authorised by a token.

    A request with status 429 or 503 is repeated after the seconds in `Retry-After`. A request without a response is repeated only
    if that is safe: a GET, or a request with an Idempotency-Key.

    Args:
        url: URL of the site, with or without a slash at its end.
        token: token from the site's page *API tokens*.
        patience_s: seconds for which a request is repeated, pauses included.
        timeout_s: seconds to wait for one response.
        transport: transport of httpx; its own by default.
        sleep: function that waits for a number of seconds.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        patience_s: float = 120.0,
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"url: an address that begins with http:// or https://. Got {url!r}.")
        headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout_s, transport=transport)
        self._patience_s = patience_s
        self._answered = False
        self.sleep = sleep

    def close(self) -> None:
        """Close the open connections to the site."""
        self._http.close()

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the JSON response at a path of the API, such as "runs/12/"."""
        return _json(self.request("GET", path, params=params))

    def tagged(self, path: str, params: Mapping[str, Any] | None = None) -> tuple[Any, str]:
        """Return the JSON response at a path of the API, and its ETag."""
        response = self.request("GET", path, params=params)
        return _json(response), response.headers.get("ETag", "")

    def send_tagged(self, path: str, json: Any, seen: str | None) -> tuple[Any, str]:
        """Send JSON by POST with `seen` as If-Match; return the JSON response and its ETag."""
        response = self.request("POST", path, json=json, seen=seen)
        return _json(response), response.headers.get("ETag", "")

    def content(self, path: str, params: Mapping[str, Any] | None = None) -> bytes:
        """Return the content of a file of the site."""
        return self.request("GET", path, params=params, accept="*/*").content

    def download(self, path: str, target: Path, params: Mapping[str, Any] | None = None) -> Path:
        """Download a file in chunks to `target` and return its path; an interrupted download leaves no file."""
        draft = target.with_name(f".{target.name}.part")
        try:
            with self._sent("GET", path, params, {"Accept": "*/*"}) as response, draft.open("wb") as file:
                for piece in response.iter_bytes():
                    file.write(piece)
        except httpx.TransportError as error:
            draft.unlink(missing_ok=True)
            raise UnreachableError(f"{path} broke off: {error}") from error
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return draft.replace(target)

    def post(self, path: str, json: Any = None, key: str | None = None) -> Any:
        """Send JSON by POST, with `key` as Idempotency-Key; return the JSON response."""
        return _json(self.request("POST", path, json=json, key=key))

    def patch(self, path: str, json: Any) -> Any:
        """Change the item at a path by PATCH; return the JSON response."""
        return _json(self.request("PATCH", path, json=json))

    def delete(self, path: str) -> None:
        """Delete the item at a path."""
        self.request("DELETE", path)

    def send_file(self, path: str, file: Path, fields: Mapping[str, Any]) -> Any:
        """Send a form with a file by POST; return the JSON response."""
        data = file.read_bytes()  # whole: a repeat sends it again
        return _json(self.request("POST", path, data=dict(fields), files={"file": (file.name, data)}))

    def entries(self, path: str, params: Mapping[str, Any] | None = None, *, cursor: bool = True) -> Iterator[Any]:
        """Yield the entries of a list; pages are requested as they are needed.

        With a cursor no entry is missed or repeated while others are created.
        """
        asked: dict[str, Any] = {"page_size": 100, **({"cursor": ""} if cursor else {}), **(params or {})}
        while True:
            page = self.get(path, asked)
            yield from page["results"]
            if page["next"] is None:
                return
            # Its query alone: host and scheme are those that this client was given, whatever stands before the site.
            asked = dict(parse_qsl(urlsplit(page["next"]).query, keep_blank_values=True))

    def request(
        self,
        method: str,
        path: str,
        *,
        key: str | None = None,
        seen: str | None = None,
        accept: str = "",
        **content: Any,
    ) -> httpx.Response:
        """Send a request, repeat it if that is safe and useful, and return the complete response.

        Raises:
            ApiError: the site refuses the request; subclasses distinguish the kinds of refusal.
            UnreachableError: the site does not respond.
        """
        named = {_IDEMPOTENCY_KEY: key, "If-Match": seen, "Accept": accept}
        headers = {name: text for name, text in named.items() if text}
        params = content.pop("params", None)
        if "json" in content:
            content["json"] = _plain(content["json"])
        with self._sent(method, path, params, headers, **content) as response:
            response.read()
            return response

    @contextlib.contextmanager
    def _sent(
        self, method: str, path: str, params: Mapping[str, Any] | None, headers: Mapping[str, str], **content: Any
    ) -> Iterator[httpx.Response]:
        """Yield the successful response before its body is read."""
        asked = {name: _text(value) for name, value in (params or {}).items() if value is not None}
        request = self._http.build_request(method, _API + path, params=asked or None, headers=headers, **content)
        left_s, pause_s = self._patience_s, _FIRST_PAUSE_S
        while True:
            response, wanted_s = self._tried(request, left_s <= 0)
            if response is not None and (wanted_s is None or left_s <= 0):
                break
            if response is not None:
                response.close()
            pause = min(pause_s if wanted_s is None else wanted_s, left_s)
            self.sleep(pause)
            left_s, pause_s = left_s - max(pause, 0.05), min(pause_s * 2, _LONGEST_PAUSE_S)
        with contextlib.closing(response):
            self._check(response)
            yield response

    def _tried(self, request: httpx.Request, last: bool) -> tuple[httpx.Response | None, float | None]:
        """Return the response, or None if it was lost and the request may be repeated, and the seconds until a useful repetition.

        The seconds are None if a repetition is useless.
        """
        try:
            response = self._http.send(request, stream=True)
        except httpx.TransportError as error:
            # Without a connection nothing was sent, so that anything may be sent again.
            unsent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            harmless = unsent or request.method == "GET" or _IDEMPOTENCY_KEY in request.headers
            # A site that never answered is no site that is away for a moment: its address is wrong, or it is not started.
            if harmless and self._answered and not last:
                return None, None
            words = "does not answer" if harmless else "broke off; what was asked for may have been done"
            raise UnreachableError(
                f"{request.method} {request.url} {words}: {str(error) or type(error).__name__}"
            ) from error
        self._answered = True
        return response, _wanted_s(response) if response.status_code in _REPEATED else None

    def _check(self, response: httpx.Response) -> None:
        if response.is_redirect:
            where = response.headers.get("Location", "")
            raise UnreachableError(f"{self.url} points to {where}: use that address of the site.")
        if response.is_error:
            response.read()
            raise api_error(response.status_code, _problem(response))


def _wanted_s(response: httpx.Response) -> float | None:
    text = response.headers.get("Retry-After", "")
    if text.isascii() and text.isdigit():
        return float(text)
    return None if response.status_code == 409 else _FIRST_PAUSE_S * 4


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else str(value)


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    with contextlib.suppress(ValueError):
        found = response.json()
        if isinstance(found, dict):
            return found
    return {"title": response.reason_phrase, "detail": f"{response.request.url}: {response.reason_phrase}"}


def _plain(value: Any) -> Any:
    """Return NumPy numbers and arrays as Python numbers and lists, which JSON can encode."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise UnreachableError(f"{response.request.url} does not answer with JSON.") from error
