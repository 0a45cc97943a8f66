"""One request to the address of a webhook, with limits on where it goes, how long it takes and what is read of the answer."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.util import Timeout
from urllib3.util.connection import create_connection

from webapp.webhooks.targets import RefusedTarget, addresses_of

CONNECT_S = 5.0
ANSWER_S = 10.0
ALL_S = 20.0
READ_BYTES = 500
_MOST_ADDRESSES = 3
_LONGEST_TROUBLE = 300


@dataclass(frozen=True)
class Answer:
    """The outcome of a request.

    Attributes:
        status: status of the answer; None where there was none.
        start: first characters of the answer.
        trouble: why there was none, or why it does not count; "" where the message was taken.
        took_ms: milliseconds.
    """

    status: int | None
    start: str
    trouble: str
    took_ms: int


class _Checked:
    """Connects to nothing but an address that was checked."""

    def _new_conn(self) -> socket.socket:
        # The name is looked up once: what is checked is what is connected to.
        connection: Any = self
        trouble: OSError | None = None
        for address in addresses_of(connection._dns_host, connection.port)[:_MOST_ADDRESSES]:
            try:
                return create_connection(
                    (address, connection.port), CONNECT_S, socket_options=connection.socket_options
                )
            except OSError as error:
                trouble = error
        raise NewConnectionError(connection, f"No connection: {trouble}")


class _CheckedHTTP(_Checked, HTTPConnection):
    pass


class _CheckedHTTPS(_Checked, HTTPSConnection):
    pass


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send `body`; redirects are not followed. Whatever goes wrong is told in the answer."""
    began = time.monotonic()
    status, start, trouble = None, "", ""
    try:
        status, start = _sent(url, body, headers)
        if not 200 <= status < 300:
            trouble = "Redirects are not followed." if 300 <= status < 400 else f"It answered {status}."
    except RefusedTarget as error:
        trouble = str(error)
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        trouble = f"{type(error).__name__}: {error}"
    if time.monotonic() - began >= ALL_S:
        # Where the connection was cut, half an answer looks like a whole one.
        status, trouble = None, f"There was no answer within {ALL_S:.0f} s."
    took_ms = round(1000 * (time.monotonic() - began))
    return Answer(status, _clean(start), _clean(trouble)[:_LONGEST_TROUBLE], took_ms)


def _sent(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = _connection(parts.scheme, parts.hostname or "", parts.port)
    # Limits on one read do not bound an answer that comes byte by byte.
    watch = threading.Timer(ALL_S, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body=body, headers=dict(headers), preload_content=False)
        response = connection.getresponse()
        return response.status, response.read(READ_BYTES, decode_content=False).decode(errors="replace")
    finally:
        watch.cancel()
        connection.close()


def _connection(scheme: str, host: str, port: int | None) -> HTTPConnection:
    timeout = Timeout(connect=CONNECT_S, read=ANSWER_S)
    if scheme == "https":
        return _CheckedHTTPS(host, port, timeout=timeout.read_timeout, ssl_context=ssl.create_default_context())
    return _CheckedHTTP(host, port, timeout=timeout.read_timeout)


def _cut(connection: HTTPConnection) -> None:
    found: Any = connection.sock
    if found is not None:
        with contextlib.suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)


def _clean(text: str) -> str:
    """Return the text without characters that no database stores."""
    return text.replace("\x00", "")
