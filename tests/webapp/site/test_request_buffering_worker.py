"""Slow connections cost no thread: a real gunicorn with two threads, and clients that take their time."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from webapp.site.request_buffering_worker import SMALL_BODY_BYTES, Gathering

LARGE_BYTES = 12_000_000
PROGRAM = f"""
import io, itertools, tempfile
def application(environment, start_response):
    path = environment["PATH_INFO"]
    if path == "/endless":
        start_response("200 OK", [])
        return itertools.repeat(bytes(65536))
    if path in ("/large", "/file"):
        start_response("200 OK", [("Content-Length", "{LARGE_BYTES}")])
        if path == "/large":
            return [bytes({LARGE_BYTES})]
        file = tempfile.TemporaryFile()
        file.write(b"before" + bytes({LARGE_BYTES}))
        file.seek(6)
        return environment["wsgi.file_wrapper"](file)
    body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
    start_response("200 OK", [("Content-Length", str(len(str(len(body)))))])
    return [str(len(body)).encode()]
"""
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


@pytest.mark.parametrize(
    ("data", "state"),
    [
        (b"", "partly"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", "partly"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "whole"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /half", "whole"),
        (POST % 3 + b"ab", "partly"),
        (POST % 3 + b"abc", "whole"),
        (POST.replace(b"Content-Length", b"content-length") % 3 + b"ab", "partly"),
        (POST % (SMALL_BODY_BYTES + 1), "large"),
        (POST.replace(b"Host: x", b"Expect: 100-continue") % 3, "large"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "endless"),
        (POST.replace(b"%d", b"0000000000000001000") + b"a" * 999, "partly"),
        (POST.replace(b"%d", b"0000000000000001000 \t") + b"a" * 1000, "whole"),
        (POST.replace(b"%d", b"9999999999999999999"), "refused"),
        (POST.replace(b"%d", b""), "refused"),
        (POST.replace(b"%d", b"3, 3") + b"abc", "refused"),
        (POST.replace(b"%d", b"+3") + b"abc", "refused"),
        (POST.replace(b"Host: x", b"Content-Length: 0") % 3, "refused"),
        (POST.replace(b"Host: x", b"Content-Length : 0") % 3, "refused"),
        (POST.replace(b"Host: x", b"Content-Length: 03") % 3 + b"ab", "partly"),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, "refused"),
    ],
)
def test_how_much_of_a_request_is_there(data: bytes, state: str) -> None:
    assert Gathering(data).state()[0] == state


@contextmanager
def answering(folder: Path, program: str) -> Iterator[int]:
    """The port of a server with two threads for a program."""
    (folder / "answering.py").write_text(program)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        command = [sys.executable, "-m", "gunicorn", "answering:application", "--pythonpath", str(folder)]
        command += ["--bind", f"fd://{listener.fileno()}", "--threads", "2", "--graceful-timeout", "1"]
        command += ["--worker-class", "webapp.site.request_buffering_worker.PatientWorker", "--no-control-socket"]
        root = Path(__file__).parents[3]
        process = subprocess.Popen(command, cwd=root, pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
        yield listener.getsockname()[1]
        process.terminate()
        process.wait(100)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with answering(tmp_path_factory.mktemp("site"), PROGRAM) as found:
        yield found


def ask(port: int, body: bytes | None = None, path: str = "/") -> tuple[int, bytes]:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("GET" if body is None else "POST", path, body)
    answer = client.getresponse()
    found = answer.status, answer.read()
    client.close()
    return found


def test_half_sent_requests_stop_nobody(port: int) -> None:
    halves = (b"", b"GET / HTTP/1.1\r\nHost", POST % 9 + b"half", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /half")
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(24)]
    for number, connection in enumerate(slow):
        connection.sendall(halves[number % len(halves)])
    assert ask(port) == (200, b"0") and ask(port, b"abc") == (200, b"3")
    for connection in slow:
        connection.close()


def test_clients_that_do_not_close_stop_nobody(port: int) -> None:
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(24)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
    assert ask(port) == (200, b"0")
    assert all(connection.recv(100).startswith(b"HTTP/1.") for connection in slow)
    for connection in slow:
        connection.close()


def test_large_bodies_arrive_and_are_read_by_half_of_the_threads(port: int) -> None:
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(6)]
    for connection in slow:
        connection.sendall(POST % 5_000_000 + b"a")
    assert ask(port) == (200, b"0")
    for connection in slow:
        connection.close()
    assert ask(port, b"a" * 3_000_000) == (200, b"3000000")


@pytest.mark.parametrize(("count", "ends"), [(3, False), (SMALL_BODY_BYTES + 1, True)])
def test_an_answer_says_whether_its_connection_ends(port: int, count: int, ends: bool) -> None:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("POST", "/", b"a" * count)
    assert (client.getresponse().headers["Connection"] == "close") is ends
    client.close()


def test_a_connection_is_kept_for_requests_that_come_in_pieces_and_at_once(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2 + POST % 4 + b"abcd"
        for start in range(0, len(whole), 23):
            connection.sendall(whole[start : start + 23])
            time.sleep(0.002)
        data = b""
        while data.count(b"HTTP/1.1 200") < 3 or not data.endswith(b"4"):
            data += connection.recv(4096)
    assert [part[-1:] for part in data.split(b"HTTP/1.1 200")[1:]] == [b"0", b"0", b"4"]


def test_a_body_without_a_length_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 411")


@pytest.mark.parametrize("path", ["/large", "/file"])
def test_large_answers_arrive_whole(port: int, path: str) -> None:
    assert ask(port, path=path) == (200, bytes(LARGE_BYTES))


def take_slowly(connection: socket.socket, over: Event) -> None:
    """Take 4 kB at a time, so often that no single wait is long, until the server gives up or `over`."""
    while not over.wait(0.01):
        try:
            if not connection.recv(4096):
                return
        except OSError:
            return


def test_answers_that_are_taken_too_slowly_hold_no_thread(tmp_path: Path) -> None:
    over = Event()
    hurry = "from webapp.site import request_buffering_worker as worker\n"
    hurry += "worker.STALL_S, worker.SLOWEST_BYTES_PER_S = 0.5, 50_000_000\n"
    with answering(tmp_path, hurry + PROGRAM) as port:
        slow = [socket.socket() for _ in range(2)]
        takers = [Thread(target=take_slowly, args=(connection, over)) for connection in slow]
        for connection, taker in zip(slow, takers, strict=True):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
            taker.start()
        try:
            time.sleep(0.2)  # until both threads are at it
            assert ask(port) == (200, b"0")
        finally:
            over.set()
            for connection, taker in zip(slow, takers, strict=True):
                taker.join()
                connection.close()
