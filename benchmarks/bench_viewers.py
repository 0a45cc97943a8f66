"""Thirty people looking at live runs at once: what a callback and a poll take while both workers compute.

One browser opens a live run, looks on and picks designs; what it asks the server is recorded. Thirty viewers then do the same
over loopback, each with a connection and a rhythm of its own, that of `run.js` and `front.js`: a poll a second, every other one
with new designs, the lists every 5 s, the key figures every 20 s, the whole picture every 60 s; and a pick every ten. One worker
computes the run that they look at, the other one short runs after another. The server is gunicorn as `make up` starts it. A time
is that from sending a request to the last byte of its answer. It takes three minutes on a quiet machine.

Times grow where others use the machine, processor time per request much less: a probe says how much of a core is left for one
more process, and times are to be multiplied by that share to compare them with those of a machine of one's own.
"""

from __future__ import annotations

import gzip
import http.client
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Page, Request, expect, sync_playwright

from benchmarks.bench_ui import FRONT, processor_s, signed_in
from benchmarks.report import Figure, show, tell
from paretoscope import up
from tests.support.site import CHROMIUM_FLAGS, WINDOW, Site, running_site
from tools.browser import MESSAGE, find_browser

VIEWERS, SHORT_RUNS = 30, 20
POLL_EVERY_S, LISTS_EVERY_S, STATUS_EVERY_S, REDRAW_EVERY_S, PICK_EVERY_S = 1.0, 5.0, 20.0, 60.0, 10.0
ARRIVE_WITHIN_S, WATCH_S = 10.0, 30.0
CALLBACK_LIMIT_MS = 300
# Long enough for the whole benchmark: what is measured is a run that is being computed.
EVALUATIONS = 400_000
UPDATE, PICK, DATA = "/_dash-update-component", "/_dash-run-pick/", "run-data.data"
_TRIES = 5
# Spins 20 ms of processor time twice a second, and prints its share of the time that took.
_PROBE = """
import sys, time
spent = took = 0.0
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    begun, before = time.monotonic(), time.thread_time()
    while time.thread_time() < before + 0.02: pass
    spent += time.thread_time() - before
    took += time.monotonic() - begun
    time.sleep(0.5)
print(spent / took)
"""


@dataclass(frozen=True)
class BrowserRequest:
    """One request of the browser; `body` is the JSON text of a callback, None of a pick."""

    path: str
    body: str | None

    @property
    def about(self) -> dict[str, Any]:
        """The callback as Dash sends it."""
        return dict(json.loads(self.body or "{}"))

    def draws(self, output: str) -> bool:
        """Return whether it is a callback whose outputs name `output`."""
        return output in self.about.get("output", "")


@dataclass
class BrowserTraffic:
    """What one browser sent, by what it was doing.

    Attributes:
        opening: what opens the page.
        status: what follows the key figures.
        redrawing: what draws the whole picture again, and everything else that follows the designs.
        picking: one pick.
    """

    opening: list[BrowserRequest] = field(default_factory=list)
    status: list[BrowserRequest] = field(default_factory=list)
    redrawing: list[BrowserRequest] = field(default_factory=list)
    picking: list[BrowserRequest] = field(default_factory=list)


def record(page: Page, url: str) -> BrowserTraffic:
    """Open a live run, look on until key figures and picture have followed it, pick a design."""
    found, seen = BrowserTraffic(), list[BrowserRequest]()

    def note(request: Request) -> None:
        place = urlsplit(request.url)
        if place.path == UPDATE and request.post_data:
            seen.append(BrowserRequest(UPDATE, request.post_data))
        elif place.path.startswith(PICK):
            seen.append(BrowserRequest(f"{place.path}?{place.query}", None))

    def follows(each: BrowserRequest) -> bool:
        return DATA in each.about.get("changedPropIds", ())

    page.on("request", note)
    page.goto(url)
    page.locator(FRONT).first.wait_for(state="visible")
    _wait(page, 75, lambda: any(follows(each) and each.draws("run-front.figure") for each in seen))
    page.wait_for_timeout(1000)
    found.opening = [each for each in seen if not follows(each)]
    found.status = [each for each in seen if each.draws("run-progress.children")][:1]
    newest = {each.about["output"]: each for each in seen if follows(each) and not each.draws("run-progress.children")}
    found.redrawing = list(newest.values())
    seen.clear()
    for _ in range(_TRIES):  # a live run's front may just have been drawn again
        page.keyboard.press("ArrowRight")
        _wait(page, 5, lambda: any(_of_pick(each) for each in seen))
        page.wait_for_timeout(1000)  # whatever follows it
        found.picking = [each for each in seen if _of_pick(each)]
        if found.picking:
            break
    page.remove_listener("request", note)
    return found


def _of_pick(each: BrowserRequest) -> bool:
    return each.body is None or "run-selection.data" in each.about.get("changedPropIds", ())


def _wait(page: Page, most_s: float, done: Callable[[], bool]) -> None:
    until = time.monotonic() + most_s
    while not done() and time.monotonic() < until:
        page.wait_for_timeout(200)


def start_runs(site: Site) -> int:
    """Return a long run, whose number is answered, and short ones for the worker that leaves long ones alone."""
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

    def __init__(self, url: str, cookie: str, run: int, recorded: BrowserTraffic, number: int, until: float) -> None:
        super().__init__(daemon=True)
        self._place = urlsplit(url)
        self._run, self._recorded, self._until = run, recorded, until
        self._random = random.Random(number)
        token = next((part.partition("=")[2] for part in cookie.split("; ") if part.startswith("csrftoken=")), "")
        own = {"Cookie": cookie, "X-CSRFToken": token, "Origin": url, "Referer": f"{url}/"}
        self._headers = {**own, "Accept-Encoding": "gzip"}
        self.times_ms: dict[str, list[float]] = {"open": [], "poll": [], "callback": []}
        self.refused: list[str] = []
        self._known, self._lists_at, self._polls = 1, 0.0, 0
        self._connection = http.client.HTTPConnection(str(self._place.hostname), self._place.port, timeout=60)

    def run(self) -> None:
        """Arrive, open the page, look on."""
        time.sleep(self._random.uniform(0, ARRIVE_WITHIN_S))
        self._send("open", self._recorded.opening)
        for _, action in self._rhythm():
            action()

    def _rhythm(self) -> Iterator[tuple[float, Any]]:
        """Yield what is due, when it is due; who is late goes on at once, as a browser does."""
        recorded = self._recorded
        actions: list[tuple[float, Callable[[], None]]] = [
            (POLL_EVERY_S, self._poll),
            (STATUS_EVERY_S, lambda: self._send("callback", recorded.status)),
            (REDRAW_EVERY_S, lambda: self._send("callback", recorded.redrawing)),
            (PICK_EVERY_S, lambda: self._send("callback", recorded.picking)),
        ]
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
        self._polls += 1
        if self._polls % 2:  # between two that ask for designs
            self.ask("poll", f"/_dash-run-state/{self._run}")
            return
        asked = {"after": self._known, "x": "latency_s", "y": "energy_j", "rank": "latency_s"}
        lists = {"lists": "1"} if time.monotonic() - self._lists_at > LISTS_EVERY_S else {}
        answer = self.ask("poll", f"/_dash-run-state/{self._run}?{urlencode(asked | lists)}") or {}
        self._known = max(self._known, int(answer.get("count", 0)))
        if "words" in answer:
            self._lists_at = time.monotonic()

    def _send(self, kind: str, requests: list[BrowserRequest]) -> None:
        for each in requests:
            self.ask(kind, each.path, each.body)

    def ask(self, kind: str, path: str, body: str | None = None) -> Any:
        """Send one request and note how long its answer took; what a poll brought."""
        headers = self._headers | ({"Content-Type": "application/json"} if body else {})
        begun = time.perf_counter()
        try:
            answer, content = self._exchange(path, body, headers)
        except (
            ConnectionError,
            http.client.RemoteDisconnected,
        ):  # the server gave an idle connection up; browsers ask again
            self._connection.close()
            answer, content = self._exchange(path, body, headers)
        self.times_ms[kind].append(1000 * (time.perf_counter() - begun))
        if answer.status not in (200, 204):
            self.refused.append(f"{path.partition('?')[0]}: {answer.status}")
        if kind != "poll" or answer.status != 200:
            return None
        return json.loads(gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content)

    def _exchange(self, path: str, body: str | None, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
        self._connection.request("POST" if body else "GET", path, body.encode() if body else None, headers)
        answer = self._connection.getresponse()
        return answer, answer.read()


def watched(
    site: Site,
    cookie: str,
    runs: Sequence[tuple[int, BrowserTraffic]],
    name: str = f"{VIEWERS} viewers of a live run",
    limit_ms: float = CALLBACK_LIMIT_MS,
) -> list[Figure]:
    """Return the thirty viewers at once, of each of the runs as many; the figures."""
    until = time.monotonic() + ARRIVE_WITHIN_S + WATCH_S
    probe = [up.PYTHON, "-c", _PROBE, str(ARRIVE_WITHIN_S + WATCH_S)]
    with subprocess.Popen(probe, stdout=subprocess.PIPE, text=True) as probing:
        spent_before, begun = processor_s(site), time.monotonic()
        viewers = [Viewer(site.url, cookie, *runs[at % len(runs)], at, until) for at in range(VIEWERS)]
        for viewer in viewers:
            viewer.start()
        for viewer in viewers:
            viewer.join()
        spent_s, took_s = processor_s(site) - spent_before, time.monotonic() - begun
        free = float(probing.communicate()[0])
    refused = [words for viewer in viewers for words in viewer.refused]
    if refused:
        raise SystemExit(f"{len(refused)} requests were refused, the first: {refused[0]}")
    times = {kind: [ms for viewer in viewers for ms in viewer.times_ms[kind]] for kind in ("open", "poll", "callback")}
    asked = sum(len(each) for each in times.values())
    return [
        Figure(f"{name}: callbacks, 95 %", high(times["callback"]), "ms", limit_ms),
        Figure(f"{name}: polls, 95 %", high(times["poll"]), "ms", limit_ms),
        Figure(f"{name}: callbacks of opening the page, 95 %", high(times["open"]), "ms"),
        Figure(f"{name}: requests a second", asked / took_s, "/s"),
        Figure(f"{name}: server's processor time per request", 1000 * spent_s / max(1, asked), "ms"),
        Figure(f"{name}: server's share of a core", 100 * spent_s / took_s, "%"),
        Figure(f"{name}: of a core, left for one more process", 100 * free, "%"),
    ]


def high(times_ms: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(times_ms, n=20)[-1]


def measure(site: Site) -> list[Figure]:
    """Record one viewer, then be thirty."""
    found = find_browser()
    if found is None:
        raise SystemExit(MESSAGE.format(reason="none was found"))
    run = start_runs(site)
    with sync_playwright() as playwright:
        tell("a browser opens a live run, looks on and picks a design")
        browser = playwright.chromium.launch(executable_path=str(found), args=CHROMIUM_FLAGS)
        page = signed_in(browser.new_page(viewport=WINDOW), site)  # type: ignore[arg-type]
        page.goto(f"{site.url}/runs/{run}")
        expect(page.locator("#run-header")).to_have_text("Running", timeout=60_000)
        recorded = record(page, f"{site.url}/runs/{run}")
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
        browser.close()
    counts = {name: len(requests) for name, requests in vars(recorded).items()}
    if not all(counts.values()):
        raise SystemExit(f"The browser did not ask for all there is to measure. It asked for: {counts}")
    words = ", ".join(f"{count} for {name}" for name, count in counts.items())
    tell(f"recorded {words}; {VIEWERS} viewers look on for {ARRIVE_WITHIN_S + WATCH_S:.0f} s")
    return watched(site, cookie, [(run, recorded)])


def main() -> int:
    """Measure and print."""
    tell("a site starts, with its first exploration")
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        site.make_first_exploration()
        return show(measure(site))


if __name__ == "__main__":
    sys.exit(main())
