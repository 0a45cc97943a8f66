"""A web server on loopback that keeps what it is sent, and answers as a test says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[[Any], None]


@dataclass(frozen=True)
class Received:
    """A request: its path, its headers by their names in small letters, its body."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A running server.

    Attributes:
        url: of the server, without a slash at its end.
        received: requests in their order; kept before they are answered.
        respond: writes the answer with the handler that it is given.
    """

    url: str = ""
    received: list[Received] = field(default_factory=list)
    respond: Respond = lambda handler: answer(handler, 200, b"taken")


def answer(handler: Any, status: int, body: bytes = b"", **headers: str) -> None:
    """Write a whole answer."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A server until the end of the block."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            found.received.append(Received(self.path, headers, body))
            try:
                found.respond(self)
            except OSError:  # who asked has gone
                self.close_connection = True

        def log_message(self, *_words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
