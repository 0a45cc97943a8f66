"""200 pull workers on one site, each with a run: how long their requests take, and those of a person who looks on.

The workers are simulated: they take runs, renew leases and store steps by the code of real ones, but compute nothing. Each step has
the designs of a real run, with a checkpoint. All of them, the site and its own workers share one machine.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import django
import numpy as np

from benchmarks.bench_ui import processor_s
from benchmarks.report import Figure, load, tell
from tests.support.pull_worker import PullWorker
from tests.support.site import Site as RunningSite
from tests.support.site import running_site

WORKERS, WATCH_S, STEP_EVERY_S = 200, 60.0, 20.0
KILLS = 2
SITE_LIMIT_MS, REQUEUE_LIMIT_S = 500, 15.0
INPUTS = {"hardware": "jetson-tx2", "workload": "resnet50"}
PARAMS = {"unmeasured": "datasheet"}
SHORT = [{"engine": "soc-mapping", "inputs": INPUTS, "params": PARAMS, "seed": seed} for seed in range(WORKERS)]
LONG = {
    "engine": "scar",
    "inputs": {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"},
    "params": {"evaluations": 400_000},
}
_TOKEN = """
from django.contrib.auth.models import User
from webapp.api.tokens import make_token
from webapp.runs.models import WorkerBeat
WorkerBeat.objects.update(draining=True)
print(make_token(User.objects.get(username="ada"), "Workers", "worker")[1])
"""


def _python(site: RunningSite, code: str) -> str:
    return site.python("manage.py", "shell", "--no-imports", "-c", code).strip()


def _start(site: RunningSite, problems: list[dict[str, Any]]) -> None:
    code = "from django.contrib.auth.models import User; from webapp.runs import service"
    _python(
        site, f"{code}; ada = User.objects.get(username='ada'); [service.start(ada, each) for each in {problems!r}]"
    )


def requeue_s(site: RunningSite, token: str, folder: Path) -> list[float]:
    """Return the times from the kill of a real worker to the next attempt of its run on another one."""
    workers: list[PullWorker] = []

    def holder(attempt: int) -> PullWorker:
        give_up = time.monotonic() + 120.0
        while time.monotonic() < give_up:
            for each in workers:
                if f"attempt {attempt}: begins" in each.log.read_text():
                    return each
            time.sleep(0.05)
        raise SystemExit(f"No worker began attempt {attempt}.")

    def add() -> None:
        workers.append(PullWorker(site.url, token, folder / f"node{len(workers)}"))

    took: list[float] = []
    try:
        add()
        add()
        _start(site, [LONG])
        for attempt in range(1, KILLS + 1):
            held = holder(attempt)
            time.sleep(random.uniform(3.0, 6.0))
            held.kill()
            begin = time.monotonic()
            add()
            holder(attempt + 1)
            took.append(time.monotonic() - begin)
    finally:
        stop = "from webapp.runs.models import Run; from webapp.runs import service"
        _python(site, f"{stop}; [service.request_stop(run.owner, run) for run in Run.objects.all()]")
        for each in workers:
            if each.process.poll() is None:
                each.terminate()
    return took


def _frames() -> list[Any]:
    """Return the steps of a real run of the problem that the workers hold."""
    from engines.documents.builtin import get_builtin
    from engines.documents.problems import make_problem
    from engines.registry import get_engine
    from engines.running.context import LocalContext
    from engines.running.driver import drive
    from engines.running.runner.frame_parts import pack_step

    documents = {slot: get_builtin(slot, slug) for slot, slug in INPUTS.items()}  # type: ignore[arg-type]
    problem = make_problem("soc-mapping", documents, PARAMS, seed=1)
    steps = drive(get_engine("soc-mapping"), problem, LocalContext(problem))
    frames = [pack_step(step, number) for number, step in enumerate(steps, 1)]
    return [replace(each, fraction=0.5, files=(), infeasible=None) for each in frames if each.designs]


class _Worker:
    """A worker of the benchmark: takes a run, then renews its lease and stores steps."""

    def __init__(self, url: str, token: str, number: int, frame: Any) -> None:
        from webapp.runs.pull.site import Site
        from webapp.runs.pull.site_access import SiteQueue

        self.took_ms: list[float] = []
        self._site, self._number, self._frame = Site(url, token), number, frame
        send = self._site._send

        def timed(*arguments: Any) -> bytes:
            begin = time.perf_counter()
            try:
                return send(*arguments)
            finally:
                self.took_ms.append(1000 * (time.perf_counter() - begin))

        self._site._send = timed  # type: ignore[method-assign]
        self._queue = SiteQueue(self._site, print, print)

    def work(self, until: float) -> None:
        from webapp.runs.pull.site_access import LOOK_EVERY_S, RENEW_S
        from webapp.runs.queue.claim import Offer

        time.sleep(LOOK_EVERY_S * self._number / WORKERS)
        offer, access = Offer(frozenset({"data"})), None
        while access is None and time.monotonic() < until:
            access = self._queue.take(f"node{self._number}:1", offer)
            time.sleep(0.0 if access else LOOK_EVERY_S)
        if access is None:
            return
        access.assignment()
        access.rewind()
        number, step_at = 0, time.monotonic() + STEP_EVERY_S * self._number / WORKERS
        while time.monotonic() < until:
            if time.monotonic() >= step_at:
                number, step_at = number + 1, step_at + STEP_EVERY_S
                access.store_step(number, self._frame, None, None)
            else:
                access.renew()
            time.sleep(RENEW_S)


def _look_on(site: RunningSite, until: float, took_ms: list[float]) -> None:
    session = site.sign_in("ada")
    while time.monotonic() < until:
        for path in ("/", "/api/v1/runs/?page_size=20", "/api/v1/runs/1/"):
            begin = time.perf_counter()
            assert session.get(f"{site.url}{path}", timeout=60).status_code == 200
            took_ms.append(1000 * (time.perf_counter() - begin))
        time.sleep(1.0)


def pull_workers() -> list[Figure]:
    """Return the figures of 200 pull workers on a site of its own."""
    django.setup()
    frame = _frames()[0]
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder) / "var") as site:
        site.add_users("ada")
        token = _python(site, _TOKEN).splitlines()[-1]
        requeued = requeue_s(site, token, Path(folder))
        _start(site, SHORT)
        tell(f"{WORKERS} runs are queued; {load()}")
        before = processor_s(site)
        until = time.monotonic() + WATCH_S
        workers = [_Worker(site.url, token, number, frame) for number in range(WORKERS)]
        looks: list[float] = []
        threads = [threading.Thread(target=each.work, args=(until,)) for each in workers]
        threads.append(threading.Thread(target=_look_on, args=(site, until, looks)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent_s = processor_s(site) - before
        tell(load())
    calls = [each for worker in workers for each in worker.took_ms]
    words = f"{WORKERS} pull workers, {len(calls) / WATCH_S:.0f} requests a second"
    return [
        Figure(f"requeue after a killed pull worker: longest of {KILLS}", max(requeued), "s", REQUEUE_LIMIT_S),
        Figure(f"{words}: processor time of each", 1000 * spent_s / (len(calls) + len(looks)), "ms"),
        Figure(f"{words}: pages, 95th percentile", float(np.percentile(looks, 95)), "ms", SITE_LIMIT_MS),
        Figure(f"{words}: their requests, 95th percentile", float(np.percentile(calls, 95)), "ms", SITE_LIMIT_MS),
    ]
