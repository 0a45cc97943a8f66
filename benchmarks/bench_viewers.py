"""Thirty people looking at live runs at once: what a callback and a poll take while both workers compute.

One browser opens a live run, picks a design and looks on; what it asks the server is recorded. Thirty viewers then do the same
over loopback, each with a connection and a rhythm of its own: a poll a second, the callback of the key figures every five seconds,
a pick every ten. One worker computes the run that they look at, the other one short runs after another. The server is gunicorn as
`make up` starts it. A time is that from sending a request to the last byte of its answer.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Page, Request, expect, sync_playwright

from benchmarks.bench_ui import FRONT, processor_s, signed_in
from benchmarks.report import Figure, show
from tests.support.site import CHROMIUM_FLAGS, WINDOW, Site, running_site
from tools.browser import MESSAGE, find_browser

VIEWERS, SHORT_RUNS = 30, 20
POLL_EVERY_S, STATUS_EVERY_S, PICK_EVERY_S = 1.0, 5.0, 10.0
ARRIVE_WITHIN_S, WATCH_S = 10.0, 30.0
CALLBACK_LIMIT_MS = 300
# Long enough for the whole benchmark: what is measured is a run that is being computed.
EVALUATIONS = 400_000
_UPDATE = "/_dash-update-component"
_TRIES = 5


@dataclass
class Recorded:
    """What one browser sent: bodies of callbacks, by what it was doing.

    Attributes:
        opening: those that open the page.
        status: those that follow the key figures.
        picking: those of one pick.
    """

    opening: list[dict[str, Any]] = field(default_factory=list)
    status: list[dict[str, Any]] = field(default_factory=list)
    picking: list[dict[str, Any]] = field(default_factory=list)


def record(page: Page, url: str) -> Recorded:
    """Open a live run, look on until its key figures have moved, pick a design."""
    found, bodies = Recorded(), []

    def note(request: Request) -> None:
        if _UPDATE in request.url and request.post_data:
            bodies.append(json.loads(request.post_data))

    page.on("request", note)
    page.goto(url)
    page.locator(FRONT).first.wait_for(state="visible")
    page.wait_for_timeout(2000)
    found.opening, bodies[:] = list(bodies), []
    page.wait_for_timeout(int(1000 * STATUS_EVERY_S) + 2000)
    found.status, bodies[:] = [body for body in bodies if "run-progress" in body["output"]][:1], []
    for _ in range(_TRIES):  # a live run's front may just have been drawn anew
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(3000)
        found.picking = [body for body in bodies if "run-progress" not in body["output"]]
        if found.picking:
            break
    page.remove_listener("request", note)
    return found


def start_runs(site: Site) -> int:
    """A long run, whose number is answered, and short ones for the worker that leaves long ones alone."""
    problem = {"engine": "scar", "inputs": {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"}}
    code = (
        "from django.contrib.auth.models import User; from webapp.runs import service; "
        "user = User.objects.get(username='demo'); "
        f"print(service.create(user, {{**{problem!r}, 'params': {{'evaluations': {EVALUATIONS}}}}}).pk); "
        f"[service.create(user, {{**{problem!r}, 'seed': seed}}) for seed in range({SHORT_RUNS})]"
    )
    return int(site.python("manage.py", "shell", "--no-imports", "-c", code))


class Viewer(threading.Thread):
    """One person with a live run open.

    Attributes:
        times_ms: kind of request -> how long each took.
        refused: answers other than 200 and 204.
    """

    def __init__(self, url: str, cookie: str, run: int, recorded: Recorded, number: int, until: float) -> None:
        super().__init__(daemon=True)
        self._place = urlsplit(url)
        self._run, self._recorded, self._until = run, recorded, until
        self._random = random.Random(number)
        token = next((part.partition("=")[2] for part in cookie.split("; ") if part.startswith("csrftoken=")), "")
        self._headers = {"Cookie": cookie, "X-CSRFToken": token, "Origin": url, "Referer": f"{url}/"}
        self.times_ms: dict[str, list[float]] = {"open": [], "poll": [], "callback": []}
        self.refused: list[str] = []
        self._known = 1

    def run(self) -> None:
        """Arrive, open the page, look on."""
        time.sleep(self._random.uniform(0, ARRIVE_WITHIN_S))
        self._connection = http.client.HTTPConnection(str(self._place.hostname), self._place.port, timeout=60)
        for body in self._recorded.opening:
            self._post("open", body)
        for _, action in self._rhythm():
            action()

    def _rhythm(self) -> Iterator[tuple[float, Any]]:
        """What is due, when it is due; who is late goes on at once, as a browser does."""
        actions = [(POLL_EVERY_S, self._poll), (STATUS_EVERY_S, self._follow), (PICK_EVERY_S, self._pick)]
        due = [(time.monotonic() + self._random.uniform(0, every), every, action) for every, action in actions]
        while True:
            due.sort(key=lambda each: each[0])
            at, every, action = due[0]
            if at > self._until:
                return
            time.sleep(max(0.0, at - time.monotonic()))
            yield at, action
            due[0] = (max(at + every, time.monotonic() + 0.1 * every), every, action)

    def _poll(self) -> None:
        asked = {"after": self._known, "x": "latency_s", "y": "energy_j"}
        answer = self._ask("poll", "GET", f"/_dash-run-state/{self._run}?{urlencode(asked)}")
        self._known = max(self._known, int((answer or {}).get("count", 0)))

    def _follow(self) -> None:
        for body in self._recorded.status:
            self._post("callback", body)

    def _pick(self) -> None:
        for body in self._recorded.picking:
            self._post("callback", body)

    def _post(self, kind: str, body: dict[str, Any]) -> None:
        self._ask(kind, "POST", _UPDATE, json.dumps(body))

    def _ask(self, kind: str, method: str, path: str, body: str | None = None) -> Any:
        headers = self._headers | ({"Content-Type": "application/json"} if body else {})
        begun = time.perf_counter()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self.times_ms[kind].append(1000 * (time.perf_counter() - begun))
        if answer.status not in (200, 204):
            self.refused.append(f"{method} {path}: {answer.status}")
        return json.loads(text) if answer.status == 200 else None


def watched(site: Site, cookie: str, run: int, recorded: Recorded) -> list[Figure]:
    """The figures of all viewers together."""
    until = time.monotonic() + ARRIVE_WITHIN_S + WATCH_S
    spent_before, begun = processor_s(site), time.monotonic()
    viewers = [Viewer(site.url, cookie, run, recorded, at, until) for at in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    refused = [words for viewer in viewers for words in viewer.refused]
    if refused:
        raise SystemExit(f"{len(refused)} requests were refused, the first: {refused[0]}")
    spent_s, took_s = processor_s(site) - spent_before, time.monotonic() - begun
    times = {kind: [ms for viewer in viewers for ms in viewer.times_ms[kind]] for kind in ("open", "poll", "callback")}
    asked = sum(len(each) for each in times.values())
    name = f"{VIEWERS} viewers of a live run"
    return [
        Figure(f"{name}: callbacks, 95 %", _high(times["callback"]), "ms", CALLBACK_LIMIT_MS),
        Figure(f"{name}: polls, 95 %", _high(times["poll"]), "ms", CALLBACK_LIMIT_MS),
        Figure(f"{name}: callbacks of opening the page, 95 %", _high(times["open"]), "ms"),
        Figure(f"{name}: requests a second", asked / took_s, "/s"),
        Figure(f"{name}: server's processor time per request", 1000 * spent_s / max(1, asked), "ms"),
    ]


def _high(times_ms: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times_ms, n=20)[-1]


def measure(site: Site) -> list[Figure]:
    """Record one viewer, then be thirty."""
    found = find_browser()
    if found is None:
        raise SystemExit(MESSAGE.format(reason="none was found"))
    run = start_runs(site)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found), args=CHROMIUM_FLAGS)
        page = signed_in(browser.new_page(viewport=WINDOW), site)  # type: ignore[arg-type]
        page.goto(f"{site.url}/runs/{run}")
        expect(page.locator("#run-header")).to_have_text("Running", timeout=60_000)
        recorded = record(page, f"{site.url}/runs/{run}")
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
        browser.close()
    if not recorded.opening or not recorded.picking:
        raise SystemExit("The browser asked for nothing: there is nothing to measure.")
    return watched(site, cookie, run, recorded)


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        site.make_first_exploration()
        return show(measure(site))


if __name__ == "__main__":
    sys.exit(main())
