"""A site as a pull worker reaches it: requests over HTTPS, repeated while the site is away."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import msgpack
import urllib3

from webapp.base.flags import Flag
from webapp.runs.errors import RunError

logger = logging.getLogger(__name__)

# The run is fenced: a worker that was away for longer than its lease loses nothing but its own work.
PATIENCE_S = 300.0
_PAUSES_S = (0.5, 1.0, 2.0, 5.0)
_AWAY = (429, 500, 502, 503, 504, 507)
_TIMEOUT = urllib3.Timeout(connect=10.0, read=60.0)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SiteError(RunError):
    """The site refused a request, or did not answer; the message says what to do.

    Attributes:
        status: HTTP status of the response; 0 without a response.
    """

    def __init__(self, status: int, message: str) -> None:
        """Keep the status."""
        self.status = status
        super().__init__(message)


class Site:
    """A site of Paretoscope.

    Args:
        url: "https://paretoscope.example.org"; http:// only to this machine, since everybody between could read the token.
        token: token of the scope "worker".
        leave: set when the worker ends: no request is repeated then.

    Raises:
        SiteError: the address is none of these.
    """

    def __init__(self, url: str, token: str, leave: Flag | None = None) -> None:
        parts = urlsplit(url)
        if not parts.hostname or not (
            parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        ):
            raise SiteError(
                0, f"--pull {url}: must be an address https://HOST, or http://127.0.0.1:PORT on this machine."
            )
        self.url, self._leave = url.rstrip("/"), leave or Flag()
        self._headers = {"Authorization": f"Token {token}"}
        proxy = None if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme)
        options: dict[str, Any] = {"maxsize": 4, "retries": False, "timeout": _TIMEOUT}
        self._pool = urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)

    def claim(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the run that the worker takes; None for none. Not repeated: the worker looks again.

        Raises:
            SiteError: the site refuses, or does not answer.
        """
        data = self._send("worker/claim/", json.dumps(body).encode(), "application/json")
        return json.loads(data) if data else None

    def call(self, path: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a call of a run, repeated while the site is away.

        Raises:
            SiteError: the site refuses it, or stayed away.
        """
        body, give_up, pauses = msgpack.packb(dict(values)), time.monotonic() + PATIENCE_S, iter(_PAUSES_S)
        while True:
            try:
                answer: dict[str, Any] = msgpack.unpackb(
                    self._send(f"worker/runs/{path}/", body, "application/x-msgpack"), strict_map_key=False
                )
                return answer
            except SiteError as error:
                if error.status not in (0, *_AWAY) or time.monotonic() > give_up or self._leave.is_set():
                    raise
                logger.warning("%s The worker tries again.", error)
                self._leave.wait(next(pauses, _PAUSES_S[-1]))

    def _send(self, path: str, body: bytes, kind: str) -> bytes:
        headers = {**self._headers, "Content-Type": kind, "Accept": f"{kind}, application/json"}
        try:
            response = self._pool.request(
                "POST", f"{self.url}/api/v1/{path}", body=body, headers=headers, redirect=False
            )
        except urllib3.exceptions.HTTPError as error:
            raise SiteError(0, f"The site {self.url} does not answer: {error}.") from error
        if 300 <= response.status < 400:
            to = response.headers.get("Location", "another address")
            raise SiteError(
                response.status, f"The site redirects to {to}, where the token was not sent. Give it as --pull."
            )
        if response.status >= 400:
            raise SiteError(response.status, f"The site answers {response.status}: {detail_of(response.data)}")
        return response.data


def detail_of(body: bytes) -> str:
    """Return the sentence of an answer that refuses."""
    try:
        return str(json.loads(body)["detail"])[:500]
    except (ValueError, KeyError, TypeError):
        return body[:200].decode(errors="replace")
