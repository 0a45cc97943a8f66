"""The real site, gunicorn and two Celery workers, on a folder and a port of its own: for browser tests and benchmarks."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools import supervisor, up

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

    def python(self, *arguments: str) -> str:
        """Run a program of the checkout on this site's data; what it printed."""
        result = subprocess.run(
            [up.PYTHON, *arguments],
            cwd=ROOT,
            env={**os.environ, **self.variables},
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def add_user(self, name: str) -> None:
        """An ordinary account with a personal project and a random password."""
        self.passwords[name] = secrets.token_urlsafe(12)
        code = (
            "from django.contrib.auth.models import User; "
            f"User.objects.create_user({name!r}, password={self.passwords[name]!r})"
        )
        self.python("manage.py", "shell", "--no-imports", "-c", code)

    def make_first_exploration(self) -> None:
        """What `make up` does: the account demo, the first exploration; password and link are read from the output."""
        words = self.python("manage.py", "demo")
        password, path = re.search(r"Password: (\S+)", words), re.search(re.escape(self.url) + r"(/runs/\w+)", words)
        assert password, words
        assert path, words
        self.passwords["demo"], self.first_run = password.group(1), path.group(1)


@contextmanager
def running_site(var: Path) -> Iterator[Site]:
    """Start a site on the data in `var` (made if missing); every process has ended afterwards."""
    listener = up.listen(0)
    url = "http://{}:{}".format(*listener.getsockname())
    # The built-in database and queue, whatever the person at the terminal uses.
    variables = {"PARETOSCOPE_VAR": str(var), "PARETOSCOPE_PUBLIC_URL": url, "DATABASE_URL": "", "BROKER_URL": ""}
    site = Site(url, variables | {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "webapp.site.settings"})
    site.python("tools/prepare.py")
    site.services = up.services(var, listener)
    for service in site.services:
        service.variables = {**site.variables, **service.variables}
        service.start()
    try:
        up.wait_until_healthy(url, site.services)
        yield site
    finally:
        supervisor.stop(site.services)
        listener.close()
