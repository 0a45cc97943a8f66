"""A Redis server of the test's own, which it may kill."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

import pytest

from tests.support.ports import free_port


class OwnRedis:
    """A server on a free port of this machine that keeps nothing on disk.

    Args:
        folder: it works in.
    """

    def __init__(self, folder: Path) -> None:
        binary = shutil.which("redis-server")
        if binary is None:
            pytest.skip("there is no redis-server to start one of the test's own")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [
            binary, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)
        ]  # fmt: skip
        self._start()

    def __enter__(self) -> OwnRedis:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def kill_and_start_again(self) -> None:
        """SIGKILL, and a new one with nothing in it on the same port."""
        self._end()
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("The Redis server of the test's own does not answer.")

    def _end(self) -> None:
        self._process.kill()
        self._process.wait(60)
