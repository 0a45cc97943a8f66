"""Eight people who read a site with eleven thousand runs at once: lists, pages and REST, each asking again once answered.

The server is gunicorn as `make up` starts it, on SQLite, and on PostgreSQL where there is one. A time is that from sending a
request to the last byte of its answer: it grows with what else the machine does, so its load stands beside the figures.
`bench_readers.py sqlite` measures on that database alone.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

import requests  # noqa: E402

from benchmarks.bench_ui import processor_s  # noqa: E402
from benchmarks.bench_viewers import high  # noqa: E402
from benchmarks.many_runs import ALL, RUNS  # noqa: E402
from benchmarks.report import Figure, show, tell  # noqa: E402
from frontend.bridge import get_app  # noqa: E402
from frontend.request import CALLBACKS  # noqa: E402
from tests.support.callbacks import body_of  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from tests.support.site import Site, running_site  # noqa: E402

CLIENTS, WARM_S, WATCH_S = 8, 5.0, 30.0
LIMIT_MS = 300.0
_PREPARE = """
from django.contrib.auth.models import User
from webapp.api.tokens import make_token
from webapp.runs.models import Run
from webapp.teams.models import Membership
demo = User.objects.get(username="demo")
print("run", Run.objects.filter(title__startswith="Schedule", project__memberships__user=demo).latest("pk").pk)
for number in range({clients}): print("token", make_token(demo, f"reader {{number}}", "read")[1])
"""


@dataclass(frozen=True)
class Address:
    """One kind of request; `body` is that of a callback."""

    name: str
    path: str
    body: str = ""


def reads(run: str) -> list[Address]:
    """Return what people read, in the order in which each asks for it."""
    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))

    def content(name: str, path: str, query: str = "") -> Address:
        where = {"_pages_location.pathname": path, "_pages_location.search": query}
        return Address(name, CALLBACKS, json.dumps(body_of(router, where, {}, "_pages_location.pathname")))

    return [
        Address("Home, frame", "/"),
        content("Home, content", "/"),
        content("Home, one engine", "/", "?engine=scar&show=Done"),
        Address("page of a run, frame", f"/runs/{run}"),
        content("page of a run, content", f"/runs/{run}"),
        content("Studies", "/studies"),
        content("Catalogue", "/catalogue"),
        Address("REST, first page", "/api/v1/runs/"),
        Address("REST, last page", f"/api/v1/runs/?page={RUNS // 50}"),
        Address("REST, by cursor", "/api/v1/runs/?cursor=&page_size=100"),
        Address("REST, filtered", "/api/v1/runs/?status=failed&mine=1"),
        Address("REST, one run", f"/api/v1/runs/{run}/"),
        Address("REST, studies", "/api/v1/studies/"),
    ]


def read_at_once(site: Site, wanted: list[Address], tokens: list[str]) -> dict[str, list[float]]:
    """Return how long each kind took, in ms, after everybody has read for `WARM_S`."""
    times: dict[str, list[float]] = {each.name: [] for each in wanted}
    refused: list[str] = []
    begin = time.monotonic() + WARM_S

    def go_on(session: requests.Session, token: str, turn: int) -> None:
        while time.monotonic() < begin + WATCH_S and not refused:
            each, turn = wanted[turn % len(wanted)], turn + 1
            begun = time.perf_counter()
            if each.body:
                answer = session.post(
                    site.url + each.path, each.body, headers={"Content-Type": "application/json"}, timeout=60
                )
            else:
                headers = {"Authorization": f"Bearer {token}"} if each.path.startswith("/api/") else {}
                answer = session.get(site.url + each.path, headers=headers, timeout=60)
            took_ms = 1000 * (time.perf_counter() - begun)
            if answer.status_code != 200:
                refused.append(f"{each.name}: {answer.status_code} {answer.text[:200]}")
            elif time.monotonic() > begin:
                times[each.name].append(took_ms)

    sessions = [site.sign_in("demo") for _ in tokens]
    threads = [
        threading.Thread(target=go_on, args=(session, token, number * len(wanted) // CLIENTS))
        for number, (session, token) in enumerate(zip(sessions, tokens, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if refused:
        raise SystemExit(f"{len(refused)} requests were refused, the first: {refused[0]}")
    return times


def figures(site: Site, kind: str) -> list[Figure]:
    """Fill the site, read, and give the 95th percentile of all reads and of each kind."""
    site.make_first_exploration()
    site.python("-m", "benchmarks.many_runs", "demo")
    prepared = [
        line.split()
        for line in site.python(
            "manage.py", "shell", "--no-imports", "-c", _PREPARE.format(clients=CLIENTS)
        ).splitlines()
    ]
    run = next(value for name, value in prepared if name == "run")
    tokens = [value for name, value in prepared if name == "token"]
    tell(f"{ALL:,} runs are stored on {kind}; {CLIENTS} people read for {WARM_S + WATCH_S:.0f} s")
    spent_before, begun = processor_s(site), time.monotonic()
    times = read_at_once(site, reads(run), tokens)
    spent_s, took_s = processor_s(site) - spent_before, time.monotonic() - begun
    tell(f"load of the machine: {', '.join(f'{each:.1f}' for each in os.getloadavg())}")
    every = [ms for each in times.values() for ms in each]
    words = f"{ALL:,} runs, {CLIENTS} readers ({kind})"
    return [
        Figure(f"{words}: all reads, 95 %", high(every), "ms", LIMIT_MS),
        *(Figure(f"{words}: {name}, 95 %", high(each), "ms") for name, each in times.items()),
        Figure(f"{words}: reads a second", len(every) / WATCH_S, "/s"),
        Figure(f"{words}: server's share of a core", 100 * spent_s / took_s, "%"),
    ]


def main() -> int:
    """Measure and print."""
    measured: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kinds: list[tuple[str, dict[str, str]]] = [("SQLite", {})]
        if "sqlite" not in sys.argv:
            try:
                found = stack.enter_context(server())
                database = found.create()
                stack.callback(found.drop, database)
                kinds.append(("PostgreSQL", {"DATABASE_URL": found.url_of(database)}))
            except NoServerError as error:
                tell(str(error))
        for kind, variables in kinds:
            with running_site(Path(folder) / kind, **variables) as site:
                measured += figures(site, kind)
    return show(measured)


if __name__ == "__main__":
    sys.exit(main())
