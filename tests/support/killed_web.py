"""A web server as `make up` starts it, on the database of a test, which may kill it in the middle of requests."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from types import TracebackType

from paretoscope import supervisor, up
from tests.support.databases import LiveDatabase

_READY_WITHIN_S = 60.0
_AT_ONCE = 3


class KilledWeb:
    """gunicorn on a free port of this machine, up within the block.

    Args:
        database: what it serves.
        environment: of its processes, beside what it needs.
    """

    def __init__(self, database: LiveDatabase, environment: Mapping[str, str]) -> None:
        self._listener = up.listen(0)
        self.url = "http://{}:{}".format(*self._listener.getsockname())
        self._service = up.services(database.folder, self._listener)[0]
        self._service.variables = {
            "DATABASE_URL": database.url,
            "PARETOSCOPE_VAR": str(database.folder),
            "PARETOSCOPE_PUBLIC_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "webapp.site.settings",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self._direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __enter__(self) -> KilledWeb:
        self._service.start()
        self.wait_until_ready()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._service.process is not None:
            supervisor.end_group(self._service.process, supervisor.GRACE_S)
        self._listener.close()

    def kill_while_it_changes(self, path: str, wish: Mapping[str, str], token: str, chance: random.Random) -> None:
        """kill -9 of all its processes while some requests that change something are under way; returns once it is up again.

        What it had not accepted waits at the port, and is done by its successor.
        """
        asking = [
            threading.Thread(target=self._ask, args=(path, wish, token), daemon=True, name=f"asks-{number}")
            for number in range(_AT_ONCE)
        ]
        for thread in asking:
            thread.start()
        time.sleep(chance.uniform(0.0, 0.1))
        process = self._service.process
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._service.start()
        self.wait_until_ready()
        for thread in asking:
            thread.join()

    def wait_until_ready(self) -> None:
        """Wait for /readyz.

        Raises:
            AssertionError: it does not answer within a minute; with the end of its log.
        """
        end = time.monotonic() + _READY_WITHIN_S
        while time.monotonic() < end:
            with contextlib.suppress(OSError), self._direct.open(f"{self.url}/readyz", timeout=5) as answer:
                if answer.status == 200:
                    return
            time.sleep(0.1)
        raise AssertionError(f"/readyz did not answer within {_READY_WITHIN_S:g} s.\n{self._service.tail()}")

    def _ask(self, path: str, wish: Mapping[str, str], token: str) -> None:
        request = urllib.request.Request(self.url + path, json.dumps(wish).encode(), method="PATCH")
        request.add_header("Authorization", f"Token {token}")
        request.add_header("Content-Type", "application/json")
        with contextlib.suppress(OSError, urllib.error.URLError):  # it is killed meanwhile, or was before
            self._direct.open(request, timeout=10).close()
