"""A way over TCP that can be cut: what passes between two processes goes through it."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType


class CutNetwork:
    """Listens on a free port of this machine and hands everything on to one address, until it is cut.

    Args:
        host, port: where what comes is handed on to.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open = threading.Event()
        self._open.set()
        self._held: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> CutNetwork:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """End every connection, and refuse new ones until it is mended."""
        self._open.clear()
        with self._lock:
            for held in self._held:
                with contextlib.suppress(OSError):
                    held.shutdown(socket.SHUT_RDWR)
            self._held.clear()

    def mend(self) -> None:
        """Let through what comes from now on."""
        self._open.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._open.is_set():
                near.close()
                continue
            try:
                far = socket.create_connection(self._target, 5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self._held |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._held.discard(end)
            end.close()
