"""Runs on several workers: taking the next of many, from queued to running, many short runs drained by two, trainings stopped.

`--claims` takes runs alone, `--stops` stops trainings alone, those of the engines that follow it where some are named.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.db import connection  # noqa: E402

from benchmarks.bench_runs import databases, queued_to_running_s  # noqa: E402
from benchmarks.report import Figure, cores, show, tell  # noqa: E402
from engines.documents.problems import make_problem  # noqa: E402
from tests.engines.tiny import tiny_problem  # noqa: E402
from tests.support.databases import LiveDatabase, Templates, using  # noqa: E402
from tests.support.live import LiveSite, forget_connections  # noqa: E402
from tests.support.own_redis import OwnRedis  # noqa: E402
from webapp.runs import service  # noqa: E402
from webapp.runs.models import (  # noqa: E402
    Checkpoint,
    DesignChunk,
    LogLine,
    Run,
    RunInput,
    RunResult,
    StepRecord,
)
from webapp.runs.queue import claim  # noqa: E402
from webapp.site.celery import app  # noqa: E402

QUEUED = 10_000
CLAIMS = 21
DRAINED, DRAINED_S, WORKERS = 50, 1.0, 2
STOP_LIMIT_S = 2.0
# Training engine -> parameters with which it trains for minutes; the others are the usual ones.
TRAININGS = {
    "train-bottleneck": {"epochs": 2000},
    "train-estimator": {"epochs": 1000, "unseen_networks": 1},
    "train-exits": {"epochs": 2000},
    "train-recommender": {"epochs": 200},
    "train-supernet": {"epochs": 2000},
}
# Seconds after a run has begun: while torch is being loaded, while data are made ready.
STOPPED_AFTER_S = (0.5, 3.0)
# After its training has told of itself for the first time.
STOPPED_IN_TRAINING_S = 2.0


def claim_ms(site: LiveSite) -> float:
    """Return the median time to take the next of ten thousand runs that wait, of two people."""
    anns = site.start()
    row = Run.objects.get(pk=anns.pk)
    rows = []
    for number in range(QUEUED):
        row.pk, row._state.adding = None, True
        row.owner_id = (site.bob if number % 10 == 0 else site.ann).pk
        rows.append(Run(**{field.attname: getattr(row, field.attname) for field in Run._meta.concrete_fields}))
    Run.objects.bulk_create(rows, batch_size=500)
    vacuum()
    tell(f"{QUEUED:,} runs are queued")
    took = []
    for _ in range(CLAIMS):
        begun = time.perf_counter()
        fencing_token = claim.claim_next("bench", claim.Offer())
        took.append(1000 * (time.perf_counter() - begun))
        assert fencing_token is not None
    tell(f"{CLAIMS} are taken")
    empty()
    return median(took)


def empty() -> None:
    """No runs any more. Signals would be sent for each of ten thousand."""
    for model in (Checkpoint, DesignChunk, LogLine, RunInput, RunResult, StepRecord, Run):
        rows = model._default_manager.all()
        rows._raw_delete(rows.db)
    vacuum()


def vacuum() -> None:
    """Vacuum as PostgreSQL does by itself within a minute: it then knows the number of runs, and reads no removed rows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE runs_run")


def drain_overhead_percent(site: LiveSite) -> float:
    """Return how much longer than its computing alone it takes until every short run is done, with workers that are up."""
    # Half as many steps as tenths of a second would be: each step waits, and nothing else does.
    params = {"steps": 10, "step_seconds": DRAINED_S / 10}
    begun = time.perf_counter()
    for seed in range(DRAINED):
        site.start(seed=seed, **params)
    site.wait(lambda: Run.objects.filter(status="done").count() == DRAINED, "all drained", 120)
    took = time.perf_counter() - begun
    return 100 * (took / (DRAINED * DRAINED_S / WORKERS) - 1)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Run processes that compute all the time."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def stops_of_trainings(site: LiveSite) -> list[Figure]:
    """Return how long it takes to stop trainings while every core has something else to do, and how many had to be killed."""
    site.worker(PARETOSCOPE_WORKER_OFFERS="torch,data")
    figures = []
    with busy(cores()):
        wanted = TRAININGS.keys() & set(sys.argv[1:]) or TRAININGS.keys()
        for engine in (each for each in TRAININGS if each in wanted):
            params = TRAININGS[engine]
            tiny = tiny_problem(engine).problem
            took, killed = [], 0
            for seed, after_s in enumerate((*STOPPED_AFTER_S, None)):
                problem = make_problem(engine, tiny.inputs, params, seed)
                run = site.store(site.unsaved(problem), problem)
                site.wait_for_status(run, "running", timeout_s=60)
                if after_s is None:
                    site.wait_for_steps(run, 1)
                time.sleep(STOPPED_IN_TRAINING_S if after_s is None else after_s)
                begun = time.perf_counter()
                service.request_stop(site.ann, run)
                site.wait_for_status(run, "stopped", timeout_s=30)
                took.append(time.perf_counter() - begun)
                killed += run.log.filter(text__contains="was killed").exists()
            tell(f"{engine}: {', '.join(f'{each:.2f} s' for each in took)}; {killed} killed")
            figures.append(Figure(f"stop {engine}, loaded, longest of {len(took)}", max(took), "s", STOP_LIMIT_S))
            figures.append(Figure(f"stop {engine}, loaded: killed after the grace", killed, f"of {len(took)}"))
    return figures


@contextmanager
def broker(kind: str, folder: Path) -> Iterator[dict[str, str]]:
    """What workers need to be rung: files beside SQLite, a Redis of its own beside PostgreSQL. Yields their environment."""
    if kind == "sqlite" or shutil.which("redis-server") is None:
        yield {}
        return
    with OwnRedis(folder) as redis:
        earlier = app.conf.broker_url, app.conf.broker_transport_options
        app.conf.broker_url, app.conf.broker_transport_options = redis.url, {}
        forget_connections()  # to the queue that runs before these were rung through
        try:
            yield {"BROKER_URL": redis.url}
        finally:
            app.conf.broker_url, app.conf.broker_transport_options = earlier
            forget_connections()


def measure(kind: str, site: LiveSite, folder: Path) -> list[Figure]:
    """Return all figures of one database; trainings stop alike on both."""
    if "--stops" in sys.argv:
        return stops_of_trainings(site) if kind == "sqlite" else []
    tell(f"{kind}: claims")
    figures = [Figure(f"{kind}: take the next of {QUEUED:,} queued runs", claim_ms(site), "ms", 50)]
    if "--claims" in sys.argv:
        return figures
    with broker(kind, folder) as environment:
        how, limit_s = ("Redis", 0.3) if environment else ("files", 1.0)
        for _ in range(WORKERS):
            site.worker(**environment)
        time.sleep(3)  # until each has a process waiting for its next run
        tell(f"{kind}: queued to running")
        figures.append(Figure(f"{kind}: queued to running, rung by {how}", queued_to_running_s(site), "s", limit_s))
        empty()
        tell(f"{kind}: drain")
        figures.append(
            Figure(
                f"{kind}: overhead of {DRAINED} runs of {DRAINED_S:g} s on {WORKERS} workers",
                drain_overhead_percent(site),
                "%",
                20,
            )
        )
        if kind == "sqlite":
            tell("trainings are stopped")
            figures += stops_of_trainings(site)
    return figures


def main() -> int:
    """Measure and print."""
    logging.disable(logging.WARNING)
    folder = Path(os.environ["PARETOSCOPE_VAR"])
    status = 0
    with databases() as kinds:
        for kind, found in kinds:
            templates, home = Templates(folder, found), folder / kind
            home.mkdir()
            with ExitStack() as stack:
                stack.callback(templates.close)
                database: LiveDatabase = stack.enter_context(getattr(templates, kind)(home))
                stack.enter_context(using(database.url))
                status = max(status, show(measure(kind, stack.enter_context(LiveSite(database)), home)))
    return status


if __name__ == "__main__":
    sys.exit(main())
