"""A web server's worker in which a connection takes a thread only once its request is there.

gunicorn 27 waits in its loop only for the first byte of a request. A thread then reads the rest without a time limit, so that as
many half-sent requests as there are threads stop the site. Its loop also waits for clients that do not close. This class adds what
it lacks: the loop gathers the head and a small body, and closes what takes longer than `GATHER_S`. Half of the threads at most read
large bodies. Bodies must come, and answers be taken, at `SLOWEST_BYTES_PER_S`. The expressions below only tell whether a request is
whole and refuse what could be read in two ways; gunicorn parses it.

`gunicorn --worker-class webapp.site.request_buffering_worker.PatientWorker`
"""

from __future__ import annotations

import errno
import re
import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

GATHER_S = 10.0
MOST_HEAD_BYTES = 64 * 1024
# Callbacks of pages and most of REST; a connection holds no more than this and its head.
SMALL_BODY_BYTES = 128 * 1024
SLOWEST_BYTES_PER_S = 50_000
LINGER_S = 2.0
# No single wait of a thread for its client, in either direction, is longer.
STALL_S = 30.0
_READ_BYTES = 64 * 1024
_HEAD_END = b"\r\n\r\n"
# The parser takes leading zeros too; what is said of the length in any other way is refused, as the parser may read it otherwise.
_LENGTHS = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*([^\r]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"0*(\d{1,18})[ \t]*")
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_REFUSED = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_NO_LENGTH = b"HTTP/1.1 411 Length Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class TooSlowError(OSError):
    """The client does not keep up with a large body or with its answer."""

    def __init__(self) -> None:
        """Make the error of a lost connection, which is how it is treated."""
        super().__init__(errno.ECONNRESET, "The client is too slow.")


class HurriedSocket:
    """Reads a body of known length, which must be there by its deadline."""

    def __init__(self, sock: socket.socket, length: int) -> None:
        self._sock = sock
        self._deadline = time.monotonic() + STALL_S + length / SLOWEST_BYTES_PER_S

    def recv(self, size: int) -> bytes:
        """Receive like a socket.

        Raises:
            TooSlowError: the deadline is over, or nothing came for `STALL_S`.
        """
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TooSlowError
        self._sock.settimeout(min(left, STALL_S))
        try:
            return self._sock.recv(size)
        except TimeoutError as error:
            raise TooSlowError from error


class SendingSocket:
    """Sends an answer, for which a client has `STALL_S` and what its bytes take at `SLOWEST_BYTES_PER_S`.

    Only waiting for the client counts, not the time in which the program makes more of the answer, and only bytes that were taken.
    All else is the socket's.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._left_s = STALL_S

    def __getattr__(self, name: str) -> Any:
        """Return the attributes of the socket that do not send."""
        return getattr(self._sock, name)

    def sendall(self, data: bytes) -> None:
        """Send like a socket.

        Raises:
            TooSlowError: the client takes less than it should, or took nothing for `STALL_S`.
        """
        view = memoryview(data)
        while view:
            view = view[self.send(view) :]

    def send(self, data: bytes | memoryview) -> int:
        """Send like a socket.

        Raises:
            TooSlowError: as for `sendall`.
        """
        if self._left_s <= 0:
            raise TooSlowError
        self._sock.settimeout(min(self._left_s, STALL_S))
        began = time.monotonic()
        try:
            sent = self._sock.send(data)
        except TimeoutError as error:
            raise TooSlowError from error
        self._left_s += sent / SLOWEST_BYTES_PER_S - (time.monotonic() - began)
        return sent

    def sendfile(self, file: Any, offset: int, count: int) -> None:
        """Send a file like a socket, without its ways around copying, which have no limit for the whole.

        Raises:
            TooSlowError: as for `sendall`.
        """
        file.seek(offset)
        while count > 0 and (data := file.read(min(count, _READ_BYTES))):
            self.sendall(data)
            count -= len(data)


class Gathering:
    """The outcome of a request.

    Attributes:
        until: when it must be whole, on the monotonic clock.
        data: its bytes, perhaps with some of the next request.
    """

    def __init__(self, data: bytes = b"") -> None:
        self.until = time.monotonic() + GATHER_S
        self.data = bytearray(data)

    def state(self) -> tuple[str, int]:
        """Return the number of received bytes and the bytes of the body.

        "partly", "whole", "large" (a body for a thread to read), "endless" (one without a length) or "refused".
        """
        end = self.data.find(_HEAD_END)
        if end < 0 or end > MOST_HEAD_BYTES:
            return ("partly" if len(self.data) <= MOST_HEAD_BYTES else "refused"), 0
        if _CHUNKED.search(self.data, 0, end + 2):
            return "endless", 0
        found = [_LENGTH.fullmatch(given) for given in _LENGTHS.findall(self.data, 0, end + 2)]
        lengths = {int(each[1]) for each in found if each}
        if None in found or len(lengths) > 1:
            return "refused", 0
        length = max(lengths, default=0)
        # Who expects to be asked for the body sends none before.
        if length > SMALL_BODY_BYTES or (length and _EXPECT.search(self.data, 0, end + 2)):
            return "large", length
        return ("whole" if len(self.data) >= end + len(_HEAD_END) + length else "partly"), length


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's worker with threads, in which slow clients cost no thread."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gathering: dict[TConn, Gathering] = {}
        self._lingering: dict[TConn, float] = {}
        self._large: set[TConn] = set()
        self._large_waiting: deque[TConn] = deque()

    def accept(self, listener: Any) -> None:
        """Take a connection and wait for its request."""
        try:
            sock, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                return
            raise
        self.nr_conns += 1
        conn = TConn(self.cfg, sock, address, listener.getsockname())
        if self.cfg.is_ssl:  # whose bytes only a thread can read
            sock.setblocking(True)
            super().enqueue_req(conn)
            return
        if self.nr_conns >= self.worker_connections and self._gathering:
            self._drop(next(iter(self._gathering)))  # the one that has waited longest makes room
        self._gather(conn)

    def on_client_socket_readable(self, conn: TConn, client: Any) -> None:
        """Handle the next request on a connection that was kept."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._gather(conn)
        self._read(conn, client)

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """Finish a request like the base; the beginning of the next request on a connection is gathered like the first one."""
        if conn in self._large:
            self._large.discard(conn)
            conn.parser.unreader.sock = conn.sock
            self._start_large()
        kept = not fs.cancelled() and fs.exception() is None and fs.result()
        if not kept:
            self._linger(conn)
            return
        ahead = conn.parser.unreader.take_buffered() if kept is True and self.alive else b""
        if ahead:
            self._gather(conn, ahead)
            self._pass_on(conn)
        else:
            super().finish_request(conn, fs)

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Handle a request like the base, with a bound on waiting for the client; after a large body the connection is closed.

        Raises:
            TooSlowError: the client neither sends nor takes anything.
        """
        if conn in self._large:
            req.force_close()  # the answer says so, or the client's next request would go into a connection that ends
        sock = conn.sock
        sock.settimeout(STALL_S)
        conn.sock = SendingSocket(sock)
        try:
            kept = bool(super().handle_request(req, conn))
        except TimeoutError as error:
            raise TooSlowError from error
        finally:
            conn.sock = sock
        # Reading on what the program did not want would hold the thread.
        return kept and conn not in self._large

    def murder_pending(self) -> None:
        """Close what has not become a request in time; all of it where the worker is to end."""
        super().murder_pending()
        now = time.monotonic()
        for conn in [conn for conn, found in self._gathering.items() if found.until < now or not self.alive]:
            self._drop(conn, _TIMEOUT)
        for conn in [conn for conn, until in self._lingering.items() if until < now or not self.alive]:
            self._end(conn)

    def _linger(self, conn: TConn) -> None:
        """Close a connection once its client has read the answer: closed at once, it might lose the end of it.

        The base waits for that in the loop that accepts connections.
        """
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._await_end, conn))
        except (OSError, KeyError, ValueError):
            self.nr_conns -= 1
            conn.close()
            return
        self._lingering[conn] = time.monotonic() + LINGER_S

    def _await_end(self, conn: TConn, client: Any) -> None:
        try:
            if conn.sock.recv(_READ_BYTES):
                return
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self._end(conn)

    def _end(self, conn: TConn) -> None:
        del self._lingering[conn]
        with suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def _gather(self, conn: TConn, data: bytes = b"") -> None:
        conn.sock.setblocking(False)
        self._gathering[conn] = Gathering(data)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._read, conn))

    def _read(self, conn: TConn, client: Any) -> None:
        try:
            data = conn.sock.recv(_READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._drop(conn)
            return
        self._gathering[conn].data += data
        self._pass_on(conn)

    def _pass_on(self, conn: TConn) -> None:
        """Give the connection to a thread if its request is there."""
        state, length = self._gathering[conn].state()
        if state == "partly":
            return
        if state in ("refused", "endless"):
            self._drop(conn, _NO_LENGTH if state == "endless" else _REFUSED)
            return
        self.poller.unregister(conn.sock)
        found = self._gathering.pop(conn)
        conn.init()
        conn.parser.unreader.unread(bytes(found.data))
        conn.data_ready = True
        if state == "whole":
            self.enqueue_req(conn)
            return
        conn.length = length
        self._large_waiting.append(conn)
        self._start_large()

    def _start_large(self) -> None:
        while self._large_waiting and len(self._large) < max(1, self.cfg.threads // 2):
            conn = self._large_waiting.popleft()
            conn.parser.unreader.sock = HurriedSocket(conn.sock, conn.length)
            self._large.add(conn)
            self.enqueue_req(conn)

    def _drop(self, conn: TConn, words: bytes = b"") -> None:
        del self._gathering[conn]
        with suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        with suppress(OSError):
            if words:
                conn.sock.send(words)
        self.nr_conns -= 1
        conn.close()
