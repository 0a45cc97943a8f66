"""A large site on both databases: a run of a million designs among ten thousand runs, and twenty runs with thirty viewers.

The site is the real one: gunicorn and workers as `make up` starts them, on SQLite and files, then on PostgreSQL and Redis. Memory
is what processes hold in proportion to who shares it (PSS), of the web server all processes together. It takes half an hour;
words choose: `bench_sizes.py sqlite opening deleting` does these parts on one of the two.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from benchmarks.bench_pages import first_picture_s
from benchmarks.bench_ui import processor_s, signed_in, web_processes, with_children
from benchmarks.bench_viewers import UPDATE, VIEWERS, BrowserRequest, BrowserTraffic, Viewer, high, record, watched
from benchmarks.report import Figure, show, tell
from paretoscope import up
from tests.support.own_redis import OwnRedis
from tests.support.postgresql import NoServerError, server
from tests.support.site import CHROMIUM_FLAGS, WINDOW, Site, running_site
from tools.browser import MESSAGE, find_browser

DESIGNS, STEPS = 1_000_000, 1_000
STEP_LIMIT_MS, OPEN_LIMIT_MS, LONGEST_WAIT_LIMIT_MS = 100, 1000, 500
RUNS_AT_ONCE, WATCHED, CROWD_LIMIT_MS = 20, 3, 500
WEB_LIMIT_MB, WORKER_LIMIT_MB = 400, 300
WARM_REQUESTS, REQUESTS, ASKING, GROWTH_LIMIT_PERCENT = 1_000, 10_000, 8, 5
# More than they get done while anybody looks.
EVALUATIONS = 400_000
PATIENCE_MS = 120_000
_PAGE = "_pages_content"
WANTED = set(sys.argv[1:])


def million(site: Site, name: str) -> tuple[str, list[Figure]]:
    """Return the number of a run that is stored step by step, and how long a step took."""
    number, times = site.python("-m", "benchmarks.many_designs", str(DESIGNS), "0", str(STEPS)).split("\n")[:2]
    took_ms = json.loads(times)
    words = f"{name}: a step of {DESIGNS // STEPS:,}, up to {DESIGNS:,} designs"
    return number, [
        Figure(f"{words}: median", median(took_ms), "ms", STEP_LIMIT_MS),
        Figure(f"{words}: 95 %", high(took_ms), "ms", STEP_LIMIT_MS),
        Figure(f"{words}: longest", max(took_ms), "ms"),
    ]


def opening(page: Page, site: Site, number: str, name: str) -> list[Figure]:
    """Return the page of the large run, for the first time since the web server began, and again."""
    served: list[float] = []

    def note(request: Request) -> None:
        if UPDATE in request.url and _PAGE in str((request.post_data_json or {}).get("output")):
            served.append(request.timing["responseStart"] - request.timing["requestStart"])

    page.on("requestfinished", note)
    pictures_s, spent_s = [], []
    for _ in range(4):
        before = processor_s(site)
        pictures_s.append(first_picture_s(page, f"{site.url}/runs/{number}"))
        page.wait_for_load_state("networkidle")
        spent_s.append(processor_s(site) - before)
    page.remove_listener("requestfinished", note)
    words = f"{name}: opening {DESIGNS:,} designs"
    return [
        Figure(f"{words}: server, first time", served[0], "ms", OPEN_LIMIT_MS),
        Figure(f"{words}: server, again", median(served[1:]), "ms", OPEN_LIMIT_MS),
        Figure(f"{words}: web server's processor time for all of the page, first time", 1000 * spent_s[0], "ms"),
        Figure(f"{words}: the same, again", 1000 * median(spent_s[1:]), "ms"),
        Figure(f"{words}: picture in the browser, first time", pictures_s[0], "s"),
        Figure(f"{words}: picture in the browser, again", median(pictures_s[1:]), "s"),
    ]


def deleting(site: Site, number: str, name: str) -> list[Figure]:
    """The large run is removed for good while others store steps."""
    delete = (
        "from webapp.runs.models import Run; from webapp.deletions.service import delete; "
        f"run = Run.objects.get(pk={number}); delete(run.owner, 'run', run.pk)"
    )
    site.python("manage.py", "shell", "--no-imports", "-c", delete)
    took_ms: list[float] = []
    begun = time.perf_counter()
    command = [up.PYTHON, "manage.py", "purge", "--days", "0"]
    with subprocess.Popen(command, env=site.environment, stdout=subprocess.DEVNULL) as purging:
        while purging.poll() is None:
            took_ms += json.loads(site.python("-m", "benchmarks.many_designs", "20000", "0", "20").split("\n")[1])
        took_s = time.perf_counter() - begun
    if purging.returncode:
        raise SystemExit("The large run was not removed.")
    words = f"{name}: a step while {DESIGNS:,} designs are removed"
    return [
        Figure(f"{words}: 95 %", high(took_ms), "ms", STEP_LIMIT_MS),
        Figure(f"{words}: longest", max(took_ms), "ms", LONGEST_WAIT_LIMIT_MS),
        Figure(f"{name}: {DESIGNS:,} designs are removed within", took_s, "s"),
    ]


# -- memory -----------------------------------------------------------------------------------------------------------


def held_mb(processes: list[int]) -> float:
    """Return what processes hold in memory, in proportion to who shares it."""
    total_kb = 0
    for number in processes:
        try:
            lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total_kb += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total_kb / 1000


def idle_worker_mb(site: Site) -> float:
    """Return a worker that waits, with the process that it keeps ready for the next run."""
    worker = next(service for service in site.services if service.name == "worker 1")
    assert worker.process is not None
    return held_mb(with_children(worker.process.pid))


def pages_asked(page: Page, site: Site, paths: list[str]) -> list[BrowserRequest]:
    """Return what a browser asks for while it opens these pages."""
    found: list[BrowserRequest] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).path == UPDATE and request.post_data:
            found.append(BrowserRequest(UPDATE, request.post_data))

    page.on("request", note)
    for path in paths:
        page.goto(f"{site.url}{path}")
        page.wait_for_load_state("networkidle")
        found.append(BrowserRequest(path, None))
    page.remove_listener("request", note)
    return found


def growth(page: Page, site: Site, cookie: str, paths: list[str], name: str) -> list[Figure]:
    """Return what the web server holds, and how much more after ten thousand requests."""
    wanted = pages_asked(page, site, paths)

    def ask(count: int) -> None:
        askers = [Viewer(site.url, cookie, 0, BrowserTraffic(), number, 0.0) for number in range(ASKING)]

        def several(asker: Viewer, number: int) -> None:
            for turn in range(number, count, ASKING):
                each = wanted[turn % len(wanted)]
                asker.ask("callback", each.path, each.body)

        threads = [threading.Thread(target=several, args=pair) for pair in zip(askers, range(ASKING), strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused = [words for asker in askers for words in asker.refused]
        if refused:
            raise SystemExit(f"{len(refused)} requests were refused, the first: {refused[0]}")

    ask(WARM_REQUESTS)
    before = held_mb(web_processes(site))
    begun = time.perf_counter()
    ask(REQUESTS)
    took_s = time.perf_counter() - begun
    after = held_mb(web_processes(site))
    each = ", ".join(f"{held_mb([number]):.0f}" for number in web_processes(site))
    tell(f"{name}: the web server's processes hold {each} MB")
    return [
        Figure(f"{name}: web server", after, "MB", WEB_LIMIT_MB),
        Figure(f"{name}: growth in {REQUESTS:,} requests", 100 * (after / before - 1), "%", GROWTH_LIMIT_PERCENT),
        Figure(f"{name}: requests a second, one process", REQUESTS / took_s, "/s"),
    ]


# -- many at once -----------------------------------------------------------------------------------------------------


def crowd(page: Page, site: Site, cookie: str, name: str) -> list[Figure]:
    """Return the twenty runs compute while thirty people look at three of them."""
    problem = {"engine": "scar", "inputs": {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"}}
    start = (
        "from django.contrib.auth.models import User; from webapp.runs import service; "
        "user = User.objects.get(username='demo'); "
        f"[print(service.create(user, {{**{problem!r}, 'seed': seed, 'params': {{'evaluations': {EVALUATIONS}}}}}).pk) "
        f"for seed in range({RUNS_AT_ONCE})]"
    )
    numbers = [int(word) for word in site.python("manage.py", "shell", "--no-imports", "-c", start).split()]
    recorded = []
    for number in numbers[:WATCHED]:
        page.goto(f"{site.url}/runs/{number}")
        expect(page.locator("#run-header")).to_have_text("Running", timeout=120_000)
        recorded.append((number, record(page, f"{site.url}/runs/{number}")))
    tell(f"recorded {len(recorded)} runs; {VIEWERS} people look on")
    figures = watched(
        site, cookie, recorded, f"{name}: {RUNS_AT_ONCE} runs, {VIEWERS} viewers", limit_ms=CROWD_LIMIT_MS
    )
    stop = (
        "from webapp.runs.models import Run; from webapp.runs import service; "
        f"runs = Run.objects.filter(pk__in={numbers!r}); "
        "print(runs.filter(status='running').count()); [service.request_stop(run.owner, run) for run in runs]"
    )
    at_work = int(site.python("manage.py", "shell", "--no-imports", "-c", stop))
    return [*figures, Figure(f"{name}: runs at work to the end", at_work, "", RUNS_AT_ONCE, True)]


# -- the whole --------------------------------------------------------------------------------------------------------


def measure(site: Site, browser: Browser, name: str) -> list[Figure]:
    """Return all figures of one database, or those of the parts that the command line names."""
    figures = []

    def found(some: list[Figure]) -> None:
        show(some)
        figures.extend(some)

    time.sleep(5)  # until each worker has a process waiting for its next run
    found([Figure(f"{name}: an idle worker", idle_worker_mb(site), "MB", WORKER_LIMIT_MB)])
    tell(f"{name}: ten thousand runs are stored")
    site.python("-m", "benchmarks.many_runs", "demo")
    tell(f"{name}: a million designs are stored")
    number, stored = million(site, name)
    found(stored)
    page = browser.new_page(viewport=WINDOW)  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE_MS)
    page = signed_in(page, site)
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
    paths = ["/", f"/runs/{number}", site.first_run, "/studies", "/catalogue", "/api/v1/runs/?page_size=100"]
    parts: dict[str, Callable[[], list[Figure]]] = {
        "opening": lambda: opening(page, site, number, name),
        "growth": lambda: growth(page, site, cookie, paths, name),
        "crowd": lambda: crowd(page, site, cookie, name),
        "deleting": lambda: deleting(site, number, name),
    }
    for part, does in parts.items():
        if part in WANTED or not WANTED & set(parts):
            tell(f"{name}: {part}")
            found(does())
    page.close()
    return figures


@contextmanager
def sites(folder: Path) -> Iterator[list[tuple[str, dict[str, str]]]]:
    """The kinds of site that can be measured here, as name and settings."""
    with ExitStack() as stack:
        kinds: list[tuple[str, dict[str, str]]] = []
        if "postgresql" not in WANTED:
            kinds.append(("SQLite", {}))
        if "sqlite" not in WANTED:
            try:
                found = stack.enter_context(server())
                database = found.create()
                stack.callback(found.drop, database)
                own = {"DATABASE_URL": found.url_of(database)}
                if shutil.which("redis-server"):
                    own["BROKER_URL"] = stack.enter_context(OwnRedis(folder)).url
                kinds.append(("PostgreSQL", own))
            except NoServerError as error:
                tell(f"PostgreSQL left out: {error}")
        yield kinds


def main() -> int:
    """Measure and print."""
    found = find_browser()
    if found is None:
        raise SystemExit(MESSAGE.format(reason="none was found"))
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, sites(Path(folder)) as kinds, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found), args=CHROMIUM_FLAGS)
        for name, settings in kinds:
            tell(f"{name}: a site starts, with its first exploration")
            slots = {"PARETOSCOPE_WORKER_SLOTS": str(RUNS_AT_ONCE)}
            with running_site(Path(folder) / name, **settings, **slots) as site:
                site.make_first_exploration()
                figures += measure(site, browser, name)
        browser.close()
    return 0 if all(figure.holds for figure in figures) else 3


if __name__ == "__main__":
    sys.exit(main())
