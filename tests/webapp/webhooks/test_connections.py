"""One request: where it goes, how long it takes, what is read."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from tests.support.http_receiver import Receiver, answer
from webapp.webhooks import connections
from webapp.webhooks.connections import post

pytestmark = pytest.mark.usefixtures("loopback")


def test_what_is_sent_arrives_and_the_start_of_the_answer_is_told(server: Receiver) -> None:
    server.respond = lambda handler: answer(handler, 201, b"t\x00aken" + b"x" * 5_000_000)
    found = post(f"{server.url}/hook?a=1", b'{"x": 1}', {"webhook-id": "msg_1"})
    assert (found.status, found.trouble) == (201, "") and found.start.startswith("takenx")
    assert len(found.start) < connections.READ_BYTES
    (got,) = server.received
    assert (got.path, got.body, got.headers["webhook-id"]) == ("/hook?a=1", b'{"x": 1}', "msg_1")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(server: Receiver, status: int) -> None:
    server.respond = lambda handler: answer(handler, status, Location=f"{server.url}/elsewhere")
    found = post(f"{server.url}/hook", b"{}", {})
    assert (found.status, found.trouble) == (status, "Redirects are not followed.")
    assert [each.path for each in server.received] == ["/hook"]


def test_an_error_is_told_with_its_words(server: Receiver) -> None:
    server.respond = lambda handler: answer(handler, 500, b"no room")
    found = post(server.url, b"{}", {})
    assert (found.status, found.start, found.trouble) == (500, "no room", "It answered 500.")


def test_who_is_not_there_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        found = post(f"http://127.0.0.1:{taken.getsockname()[1]}/", b"{}", {})
    assert found.status is None and "No connection" in found.trouble


def test_a_name_that_leads_elsewhere_after_the_check_leads_nowhere(
    server: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """DNS rebinding: public when it is looked up first, this machine ever after."""
    settings.PARETOSCOPE_WEBHOOK_NETWORKS = ()
    asked, real = [], socket.getaddrinfo
    refused = ("192.0.2.1", "127.0.0.1")

    def rebinding(host: str, port: int, *rest: Any, **named: Any) -> Any:
        if host != "rebinding.example":
            return real(host, port, *rest, **named)
        asked.append(host)
        address = "93.184.215.14" if len(asked) == 1 else refused[1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    reached = []

    def connect(address: Any, *_rest: Any, **_named: Any) -> Any:
        reached.append(address[0])
        raise OSError("no way out of this machine")

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(connections, "create_connection", connect)
    port = server.url.rpartition(":")[2]
    first = post(f"http://rebinding.example:{port}/", b"{}", {})
    assert "No connection" in first.trouble and asked == ["rebinding.example"] and reached == ["93.184.215.14"]
    monkeypatch.undo()
    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    settings.PARETOSCOPE_WEBHOOK_NETWORKS = ()
    second = post(f"http://rebinding.example:{port}/", b"{}", {})
    assert "127.0.0.1 is private" in second.trouble and not server.received


def test_what_is_no_answer_of_http_is_told(server: Receiver) -> None:
    server.respond = lambda handler: handler.wfile.write(b"* OK IMAP4rev1 ready\r\n")
    found = post(server.url, b"{}", {})
    assert found.status is None and "BadStatusLine" in found.trouble


def test_an_answer_that_comes_byte_by_byte_is_cut(server: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ALL_S", 0.5)
    cut = threading.Event()

    def dripping(handler: Any) -> None:
        handler.send_response(200)
        handler.flush_headers()
        try:
            for _ in range(600):
                handler.wfile.write(b"X-Drop: 1\r\n")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            cut.set()

    server.respond = dripping
    found = post(server.url, b"{}", {})
    assert found.status is None and "no answer within" in found.trouble
    assert cut.wait(60), "the connection was ended"


def test_a_certificate_that_nobody_signed_is_refused(tmp_path: Any, server: Receiver) -> None:
    """TLS to a server that speaks none is no answer either; nothing of the message is sent in the clear."""
    found = post(server.url.replace("http://", "https://"), b"secret", {})
    assert found.status is None and "SSL" in found.trouble and not server.received
