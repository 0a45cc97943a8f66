"""The web process may end at any moment: runs belong to the database and the workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from tests.support.databases import MOSTLY_SQLITE
from tests.support.live import PATIENCE_S, ROOT, LiveSite


class WebProcess:
    """gunicorn on a port that this process holds, as `make up` starts it."""

    def __init__(self, site: LiveSite) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://{}:{}".format(*self.listener.getsockname())
        self._environment = {
            "DATABASE_URL": site.database.url,
            "PARETOSCOPE_VAR": str(site.database.folder),
            "DJANGO_SETTINGS_MODULE": "webapp.site.settings",
            "PATH": os.environ["PATH"],
        }
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start it (again)."""
        file = self.listener.fileno()
        command = [
            sys.executable,
            "-m",
            "gunicorn",
            "webapp.site.wsgi:application",
            "--bind",
            f"fd://{file}",
            "--threads",
            "4",
        ]
        self.process = subprocess.Popen(
            [*command, "--no-control-socket"], cwd=ROOT, env=self._environment, pass_fds=(file,), start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return self.process

    def kill(self) -> None:
        """SIGKILL to the web server and its processes."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    def healthy(self) -> bool:
        """Whether it answers."""
        try:
            return bool(urllib.request.urlopen(f"{self.url}/health/", timeout=30).status == 200)
        except (urllib.error.URLError, OSError):
            return False


@pytest.fixture
def web(live_site: LiveSite) -> Iterator[WebProcess]:
    web = WebProcess(live_site)
    live_site.wait(web.healthy, "the web process answers")
    yield web
    if web.process.poll() is None:
        web.kill()
    web.listener.close()


@pytest.mark.long
@MOSTLY_SQLITE
def test_a_run_does_not_notice_that_the_web_process_was_killed(live_site: LiveSite, web: WebProcess) -> None:
    live_site.worker()
    go_on = live_site.database.folder / "go-on"
    run = live_site.start(steps=5, hold_at=3, hold_until=str(go_on))
    live_site.wait_for_steps(run, 3)
    web.kill()
    go_on.touch()
    live_site.wait_for_status(run, "done")
    web.start()
    live_site.wait(web.healthy, "the web process answers again")
    assert run.attempt == 1
    live_site.assert_same_designs(run)
