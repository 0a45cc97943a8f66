"""Requests of the agent to a site: register, next job, its network, answer. The site never asks the agent: no port is open."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from paretoscope_agent import VERSION
from paretoscope_agent.errors import SiteError


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect: its target would get the token."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        """Return None, which turns the redirect into an error."""


_OPENER = urllib.request.build_opener(_NoRedirects)
_TIMEOUT_S = 60
_MOST_BYTES = 100_000_000


class Site:
    """A site of Paretoscope, as an agent sees it.

    Args:
        url: "https://paretoscope.example.org".
        token: token of the scope "agent".

    Raises:
        SiteError: the address is none of the web.
    """

    def __init__(self, url: str, token: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise SiteError(0, f"--url {url}: an address that begins with http:// or https://")
        self._url, self._token = url.rstrip("/"), token

    def register(self, name: str, machine: Mapping[str, Any]) -> dict[str, Any]:
        """Register this machine. Return `device` (its number) and `key`, which signs all jobs for it."""
        found: dict[str, Any] = self._json("agent/devices/", {"name": name, "machine": machine, "agent": VERSION})
        return found

    def next_job(self, device: int) -> dict[str, Any] | None:
        """Return `manifest` and `signature` of the next job; None where there is none."""
        found: dict[str, Any] | None = self._json(f"agent/devices/{device}/next/", {})
        return found

    def network(self, job: int, lease: str) -> bytes:
        """Return the ONNX file of a job."""
        return self._send(f"agent/jobs/{job}/network.onnx?lease={lease}", None)

    def answer(self, job: int, lease: str, outcome: Mapping[str, Any]) -> None:
        """Send the outcome of a job: `result`, `refused` with the reason, or `loaded` for a device that is busy with other work."""
        self._json(f"agent/jobs/{job}/answer/", {"lease": lease, **outcome})

    def _json(self, path: str, body: Mapping[str, Any]) -> Any:
        text = self._send(path, json.dumps(body).encode())
        return json.loads(text) if text else None

    def _send(self, path: str, body: bytes | None) -> bytes:
        headers = {"Authorization": f"Token {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._url}/api/v1/{path}", body, headers)
        try:
            with _OPENER.open(request, timeout=_TIMEOUT_S) as response:
                data: bytes = response.read(_MOST_BYTES)
                return data
        except urllib.error.HTTPError as error:
            if 300 <= error.code < 400:
                to = error.headers.get("Location", "another address")
                words = f"The site redirects to {to}. The token was not sent there. If that address is yours, give it as --url."
                raise SiteError(error.code, words) from error
            raise SiteError(error.code, f"The site answers {error.code}: {_detail(error.read())}") from error
        except OSError as error:
            raise SiteError(0, f"The site {self._url} does not answer: {error}") from error


def _detail(body: bytes) -> str:
    try:
        found = json.loads(body)
        return str(found.get("detail") or found.get("title") or found)[:500]
    except (ValueError, AttributeError):
        return body[:200].decode(errors="replace")
