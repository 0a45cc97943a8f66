"""The real site, gunicorn and two Celery workers, on a folder and a port of its own: for browser tests and benchmarks."""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from paretoscope import supervisor, up

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
WINDOW = {"width": 1440, "height": 900}
_FIRST_RUN = (
    "manage.py", "explore", "scar", "--hardware", "simba-3x3-het-sides", "--workload", "mlperf-scenario-4", "--user", "demo",
    "--title", "Scenario 4 on Het-Sides", "--set", "objective=edp", "--seed", "1",
)  # fmt: skip
_TOLD = "accounts.json"  # of filled data: passwords and the path of the first exploration


@dataclass
class Site:
    """A running site.

    Attributes:
        url: without a slash at its end.
        variables: environment of its processes.
        passwords: user name -> password.
        first_run: path of the page of the first exploration, "" where it was not asked for.
        services: web server and workers, for tests that end one of them.
    """

    url: str
    variables: dict[str, str]
    passwords: dict[str, str] = field(default_factory=dict)
    first_run: str = ""
    services: list[supervisor.Service] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of programs that work on this site's data."""
        return {**os.environ, **self.variables}

    def python(self, *arguments: str) -> str:
        """Run a program of the checkout on this site's data; what it printed."""
        result = subprocess.run(
            [up.PYTHON, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def add_users(self, *names: str) -> None:
        """Ordinary accounts, each with a personal project and a random password."""
        new = {name: secrets.token_urlsafe(12) for name in names}
        code = (
            "from django.contrib.auth.models import User\n"
            f"for name, password in {new!r}.items(): User.objects.create_user(name, password=password)"
        )
        self.python("manage.py", "shell", "--no-imports", "-c", code)
        self.passwords |= new

    def sign_in(self, name: str) -> requests.Session:
        """Return a session of somebody who is signed in, as callbacks and forms are sent."""
        session = requests.Session()
        session.trust_env = False
        page = session.get(f"{self.url}/accounts/login/", timeout=60).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None
        form = {"username": name, "password": self.passwords[name], "csrfmiddlewaretoken": token[1]}
        assert session.post(f"{self.url}/accounts/login/", form, timeout=60).ok
        session.headers["X-CSRFToken"] = session.cookies["csrftoken"]
        return session

    def make_first_exploration(self) -> None:
        """The account demo, and a run whose page has everything that run pages have: grid, schedule, baselines, proofs."""
        password = re.search(r"Password: (\S+)", words := self.python("manage.py", "demo", "--no-run"))
        assert password, words
        run = re.search(re.escape(self.url) + r"(/runs/\w+)", words := self.python(*_FIRST_RUN))
        assert run, words
        self.passwords["demo"], self.first_run = password.group(1), run.group(1)


def _site_on(var: Path, url: str) -> Site:
    """A site that does not run yet."""
    # The built-in database and queue, whatever the person at the terminal uses.
    variables = {"PARETOSCOPE_VAR": str(var), "PARETOSCOPE_PUBLIC_URL": url, "DATABASE_URL": "", "BROKER_URL": ""}
    variables["PARETOSCOPE_WEBHOOK_NETWORKS"] = "127.0.0.0/8"  # where receivers of tests listen
    return Site(url, variables | {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "webapp.site.settings"})


def filled_data(folder: Path) -> Path:
    """Data of a site with the first exploration done and two ordinary accounts, for `running_site(var, filled)`.

    Args:
        folder: the processes of a test session share it: the first that asks makes the data there.
    """
    var = folder / "filled-site"
    with (folder / "filled-site.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (var / _TOLD).exists():
            site = _site_on(var, "http://127.0.0.1")
            site.python("-m", "paretoscope.prepare")
            site.make_first_exploration()
            site.add_users("ada", "grace")
            (var / _TOLD).write_text(json.dumps({"passwords": site.passwords, "first_run": site.first_run}))
    return var


@contextmanager
def running_site(var: Path, filled: Path | None = None, **variables: str) -> Iterator[Site]:
    """Start a site on the data in `var`, made if missing or copied from `filled`; every process has ended afterwards.

    `variables` are settings of its own, as `DATABASE_URL`.
    """
    listener = up.listen(0)
    site = _site_on(var, "http://{}:{}".format(*listener.getsockname()))
    site.variables |= variables
    if filled is None:
        site.python("-m", "paretoscope.prepare")
    else:
        shutil.copytree(filled, var, dirs_exist_ok=True)
        told = json.loads((var / _TOLD).read_text())
        site.passwords, site.first_run = told["passwords"], told["first_run"]
    site.services = up.services(var, listener)
    for service in site.services:
        service.variables = {**site.variables, **service.variables}
        service.start()
    try:
        up.wait_until_healthy(site.url, site.services)
        yield site
    finally:
        supervisor.stop(site.services)
        listener.close()
