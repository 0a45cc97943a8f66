"""What 1,000 people, 10,000 runs a day and 1,000 workers need: measured rates of this machine, played through (`queueing.py`).

The simulation is checked on a small case: what it says of thirty short runs that come at random to two workers, from what one was
seen to take beside computing, against how long they really wait. That takes a quiet machine; `--rates` leaves it out, `--small`
does it alone. Processor time of PostgreSQL is that of the very process that serves the connection.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

import numpy as np  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from benchmarks.bench_durable import WORKERS, broker, empty  # noqa: E402
from benchmarks.bench_runs import heavy_step  # noqa: E402
from benchmarks.queueing import Arrival, Stream, answered, waits_s, working_day  # noqa: E402
from benchmarks.report import Figure, show, tell  # noqa: E402
from engines.contract.arrays import FloatArray  # noqa: E402
from engines.running.runner.frame_parts import pack_step  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402
from tests.support.live import LiveSite  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from webapp.runs import service  # noqa: E402
from webapp.runs.models import Run  # noqa: E402
from webapp.runs.queue import claim  # noqa: E402
from webapp.runs.queue.workers import beat  # noqa: E402
from webapp.runs.storage.lease import RENEW_S  # noqa: E402
from webapp.runs.storage.store import RunStore  # noqa: E402
from webapp.runs.worker.run_supervisor import TICK_S  # noqa: E402
from webapp.runs.worker.worker import LOOK_EVERY_S, SWEEP_EVERY_S  # noqa: E402
from webapp.site.environment import POOLED_IDLE_S  # noqa: E402

SEEN = 20  # runs from which is learnt what one takes beside computing
# About as many as two workers get done: some wait, and the queue does not only grow.
CHECKED, CHECKED_GAP_S = 30, 0.55
# A worker's pool gives back what nobody wants one by one.
SHRUNK_AFTER_S = 4 * POOLED_IDLE_S
PEOPLE, RUNS_A_DAY, RUN_S, IN_STUDIES, STUDY_RUNS = 1_000, 10_000, 1_200.0, 0.5, 50
SLOTS = (100, 200, 400, 1_000)
WORKERS_OF_SITES = (50, 100, 300, 1_000)
DATABASE_CORES, WEB_PROCESSES, LOOKING = 8, 4, 200
STEP_EVERY_S, DESIGNS = 1.0, 20
BUSY_LIMIT = 0.7  # beyond that answers take several times as long
WRONG_LIMIT_PERCENT = 15


# -- the small case ---------------------------------------------------------------------------------------------------


def begun_by(site: LiveSite, runs: Sequence[Arrival]) -> tuple[list[Arrival], FloatArray, float]:
    """Start short runs when they are due, and see them done.

    Returns:
        When each was started in fact, seconds that each waited for a worker (shape `n`), and seconds until the last was done.
    """
    people = {0: site.ann, 1: site.bob}
    begun, started, numbers = time.perf_counter(), list[Arrival](), list[int]()
    for seed, each in enumerate(runs):
        time.sleep(max(0.0, begun + each.at_s - time.perf_counter()))
        started.append(Arrival(time.perf_counter() - begun, each.person, each.computes_s))
        params = {"steps": 10, "step_seconds": each.computes_s / 10}
        run = service.start(people[each.person], {"engine": "toy", "params": params, "seed": seed})
        numbers.append(run.pk)
    site.wait(lambda: Run.objects.filter(status="done").count() == len(runs), f"{len(runs)} runs done", 300)
    took_s = time.perf_counter() - begun
    rows = {row.pk: row for row in Run.objects.filter(pk__in=numbers).only("queued_at", "started")}
    waited = [(rows[number].started - rows[number].queued_at).total_seconds() for number in numbers]
    empty()
    return started, np.array(waited), took_s


def short_runs(count: int, mean_gap_s: float, seed: int) -> list[Arrival]:
    """Return the runs of half a second to one and a half, of two people, that come at random."""
    random = np.random.default_rng(seed)
    comes = np.cumsum(random.exponential(mean_gap_s, count)) if mean_gap_s else np.zeros(count)
    takes = random.uniform(0.5, 1.5, count)
    people = random.integers(2, size=count)
    return [Arrival(float(at), int(who), float(s)) for at, who, s in zip(comes, people, takes, strict=True)]


def checked(site: LiveSite, environment: dict[str, str]) -> tuple[float, list[Figure]]:
    """Return what a slot needs beside computing, seen on one worker; what is said from that of two workers, and what two do."""
    site.worker(**environment)
    time.sleep(3)  # until it has a process waiting for its next run
    seen = short_runs(SEEN, 0.0, seed=1)
    between_s = (begun_by(site, seen)[2] - sum(each.computes_s for each in seen)) / SEEN
    for _ in range(WORKERS - 1):
        site.worker(**environment)
    time.sleep(3)
    started, waited_s, took_s = begun_by(site, short_runs(CHECKED, CHECKED_GAP_S, seed=2))
    said_s, ended_s = waits_s(started, WORKERS, between_s)
    words = f"{CHECKED} runs of 0.5 to 1.5 s on {WORKERS} workers"
    return between_s, [
        Figure(f"beside computing, per run of one worker ({SEEN} runs)", 1000 * between_s, "ms"),
        Figure(f"{words}: mean wait, said by the simulation", float(said_s.mean()), "s"),
        Figure(f"{words}: mean wait, measured", float(waited_s.mean()), "s"),
        Figure(f"{words}: longest wait, said", float(said_s.max()), "s"),
        Figure(f"{words}: longest wait, measured", float(waited_s.max()), "s"),
        Figure(f"{words}: all done, said", ended_s, "s"),
        Figure(f"{words}: all done, measured", took_s, "s"),
        Figure(
            f"{words}: mean wait, wrong by", 100 * abs(said_s.mean() / waited_s.mean() - 1), "%", WRONG_LIMIT_PERCENT
        ),
        Figure(f"{words}: all done, wrong by", 100 * abs(ended_s / took_s - 1), "%", WRONG_LIMIT_PERCENT),
    ]


# -- rates ------------------------------------------------------------------------------------------------------------


def database_ms(action: Callable[[], object], repeats: int) -> float:
    """Return the processor time that PostgreSQL takes for one `action`, on this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        spent = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    action()
    before = int(spent.read_text().split()[0])
    for _ in range(repeats):
        action()
    return (int(spent.read_text().split()[0]) - before) / repeats / 1e6


def rates(site: LiveSite) -> dict[str, float]:
    """Return kind of request -> milliseconds of a core: of the database, of polls those of the web server."""
    run = site.start(steps=1000)
    fencing_token = claim.claim_this("bench", run.pk)
    assert fencing_token is not None
    store = RunStore(fencing_token)
    store.rewind()
    some = heavy_step(1)
    assert some.designs is not None
    frame = pack_step(type(some)(0.1, "", {}, some.designs.take(range(DESIGNS)), checkpoint=b"x" * 10_000), 1)
    numbers = iter(range(1, 10_000))
    found = {
        "steps": database_ms(lambda: store.store_step(next(numbers), frame, 1.0, (1.0, 1.0)), 200),
        "looks for a stop": database_ms(fencing_token.stop_wished, 500),
        "leases": database_ms(fencing_token.renew, 300),
        "looks for a run": database_ms(claim.eligible(claim.Offer()).exists, 500),
        "signs of life": database_ms(lambda: (claim.sweep(), beat("bench", 1, 0, claim.Offer())), 200),
    }
    for seed in range(60):
        site.start(seed=seed)
    found["claims"] = database_ms(lambda: claim.claim_next("bench", claim.Offer()), 50)
    client = Client()
    client.force_login(site.ann)
    state = f"/_dash-run-state/{run.pk}"
    if client.get(state, HTTP_HOST="127.0.0.1").status_code != 200:
        raise SystemExit(f"{state} does not answer.")
    before, polls = time.process_time(), 100
    for _ in range(polls):
        client.get(state, HTTP_HOST="127.0.0.1")
    found["polls, web server"] = 1000 * (time.process_time() - before) / polls
    found["polls, database"] = database_ms(lambda: client.get(state, HTTP_HOST="127.0.0.1"), 200)
    return found


def connections_per_worker() -> float:
    """Return the connections to the database that each of the workers holds, after they have computed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
        )
        return float(cursor.fetchone()[0]) / WORKERS


# -- the large case ---------------------------------------------------------------------------------------------------


def streams(ms: dict[str, float], workers: int, at_work: float) -> dict[str, Stream]:
    """Return what a site asks of its database each second, with that share of its workers at work."""
    running, idle = workers * at_work, workers * (1 - at_work)
    per_s = {
        "steps": running / STEP_EVERY_S,
        "looks for a stop": running / TICK_S,
        "leases": running / RENEW_S,
        "looks for a run": idle / LOOK_EVERY_S,
        "signs of life": workers / SWEEP_EVERY_S,
        "claims": max(running / RUN_S, 1e-3),
        "polls, database": LOOKING,
    }
    return {name: Stream(count, ms[name] / 1000) for name, count in per_s.items() if count}


def at_the_peak(ms: dict[str, float]) -> list[Figure]:
    """Return how busy database and web servers are with everybody at work."""
    figures = []
    for workers in WORKERS_OF_SITES:
        asked = streams(ms, workers, 1.0)
        found = answered(asked, DATABASE_CORES)
        name = f"{workers:,} workers, all at work"
        figures.append(Figure(f"{name}: database of {DATABASE_CORES} cores, busy", 100 * found.busy, "%"))
        figures.append(Figure(f"{name}: requests to the database", sum(each.per_s for each in asked.values()), "/s"))
        if found.busy < 1:
            figures.append(Figure(f"{name}: 95 % of steps take", 1000 * found.high_s["steps"], "ms"))
    for name, each in streams(ms, WORKERS_OF_SITES[-1], 1.0).items():
        figures.append(
            Figure(f"{WORKERS_OF_SITES[-1]:,} workers: cores that {name} take", each.per_s * each.takes_s, "")
        )
    most = BUSY_LIMIT * DATABASE_CORES / (answered(streams(ms, 1_000, 1.0), 1).busy / 1_000)
    figures.append(Figure(f"workers that {DATABASE_CORES} cores of PostgreSQL carry, {BUSY_LIMIT:.0%} busy", most, ""))
    web = answered({"polls": Stream(LOOKING, ms["polls, web server"] / 1000)}, WEB_PROCESSES)
    figures.append(Figure(f"{LOOKING} people looking on, {WEB_PROCESSES} web processes, busy", 100 * web.busy, "%"))
    return figures


def over_a_day(between_s: float) -> list[Figure]:
    """Return how long runs wait, by how many can be at work."""
    day = working_day(PEOPLE, RUNS_A_DAY, RUN_S, IN_STUDIES, STUDY_RUNS)
    count: dict[tuple[int, float], int] = {}
    for each in day:
        count[each.person, each.at_s] = count.get((each.person, each.at_s), 0) + 1
    alone = np.array([count[each.person, each.at_s] == 1 for each in day])
    figures = [Figure("hours that the runs of a day compute", sum(each.computes_s for each in day) / 3600, "h")]
    for slots in SLOTS:
        waits, _ = waits_s(day, slots, between_s)
        name = f"{RUNS_A_DAY:,} runs a day, {slots:,} slots"
        figures.append(Figure(f"{name}: single runs wait, 95 %", float(np.quantile(waits[alone], 0.95)), "s"))
        figures.append(Figure(f"{name}: runs of studies wait, 95 %", float(np.quantile(waits[~alone], 0.95)), "s"))
    return figures


def main() -> int:
    """Measure, check, play."""
    logging.disable(logging.WARNING)
    folder = Path(os.environ["PARETOSCOPE_VAR"])
    figures: list[Figure] = []

    def found(some: Sequence[Figure]) -> None:
        show(list(some))
        figures.extend(some)

    try:
        with ExitStack() as stack:
            templates = Templates(folder, stack.enter_context(server()))
            stack.callback(templates.close)
            database = stack.enter_context(templates.postgresql(folder))
            stack.enter_context(using(database.url))
            environment = stack.enter_context(broker("postgresql", folder))
            site = stack.enter_context(LiveSite(database))
            if "--small" not in sys.argv:
                tell("rates")
                ms = rates(site)
                found([Figure(f"{name}, each", each, "ms") for name, each in ms.items()])
                tell("the large case")
                found(at_the_peak(ms))
                if "--rates" in sys.argv:
                    return 0
                empty()
            tell("the small case")
            between_s, small = checked(site, environment)
            found(small)
            time.sleep(SHRUNK_AFTER_S)
            found([Figure("connections to PostgreSQL per idle worker", connections_per_worker(), "")])
            found(over_a_day(between_s))
    except NoServerError as error:
        tell(str(error))
        return 0
    return 0 if all(figure.holds for figure in figures) else 3


if __name__ == "__main__":
    sys.exit(main())
