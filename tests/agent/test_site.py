"""What the agent sends to whom."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from paretoscope_agent.errors import SiteError
from paretoscope_agent.site import Site

_seen: list[str | None] = []


class _Redirecting(BaseHTTPRequestHandler):
    """Answers each request with a redirect to the same place under another name."""

    def _answer(self) -> None:
        _seen.append(self.headers.get("Host"))
        self.send_response(302)
        self.send_header("Location", f"http://localhost:{self.server.server_port}/elsewhere/")  # type: ignore[attr-defined]
        self.end_headers()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), _Redirecting)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_redirect_gets_no_token(port: int) -> None:
    _seen.clear()
    site = Site(f"http://127.0.0.1:{port}", "secret")
    for ask in (lambda: site.next_job(1), lambda: site.network(1, "lease")):
        with pytest.raises(SiteError, match=r"redirects to http://localhost:\d+/elsewhere/"):
            ask()
    assert _seen == [f"127.0.0.1:{port}"] * 2
