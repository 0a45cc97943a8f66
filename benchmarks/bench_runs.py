"""The life of runs on both databases: storing a step, from queued to running, stopping whatever the engine does, reading."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

import numpy as np  # noqa: E402

from benchmarks.report import Figure, median_ms, show  # noqa: E402
from engines.contract.designs import Designs  # noqa: E402
from engines.contract.engine import Step  # noqa: E402
from engines.running.runner.frame_parts import pack_step  # noqa: E402
from tests.support.databases import LiveDatabase, Templates, using  # noqa: E402
from tests.support.live import LiveSite  # noqa: E402
from tests.support.postgresql import NoServerError, Server, server  # noqa: E402
from webapp.runs import service  # noqa: E402
from webapp.runs.queue import claim  # noqa: E402
from webapp.runs.results import readers  # noqa: E402
from webapp.runs.storage.convergence import ConvergenceTracker  # noqa: E402
from webapp.runs.storage.store import RunStore  # noqa: E402

if TYPE_CHECKING:
    from webapp.runs.models import Run

DESIGNS_PER_STEP = 1000
REPEATS = 5


@contextlib.contextmanager
def databases() -> Iterator[list[tuple[str, Server | None]]]:
    """The kinds of database that can be measured here."""
    with contextlib.ExitStack() as stack:
        kinds: list[tuple[str, Server | None]] = [("sqlite", None)]
        try:
            kinds.append(("postgresql", stack.enter_context(server())))
        except NoServerError as error:
            print(f"  PostgreSQL left out: {error}")
        yield kinds


def heavy_step(number: int) -> Step:
    """Return a step of 1,000 designs with decisions as large as a schedule's."""
    random = np.random.default_rng(number)
    decision = {"windows": [{"models": [{"model": m, "cuts": [1, 2, 3], "path": [0, 1, 2]} for m in range(4)]}] * 4}
    first = (number - 1) * DESIGNS_PER_STEP
    designs = Designs(
        columns={name: random.random(DESIGNS_PER_STEP) for name in ("latency_s", "energy_j", "spread")},
        decisions=[{**decision, "number": first + row} for row in range(DESIGNS_PER_STEP)],
        found_at_evaluation=np.arange(first, first + DESIGNS_PER_STEP),
        origin=("search",) * DESIGNS_PER_STEP,
    )
    return Step(0.01, f"Step {number}", {"evaluations": first}, designs, checkpoint=b"x" * 10_000)


def store_ms(site: LiveSite) -> tuple[float, Run]:
    """Return the median time to store a step (hypervolume included), and the run with those steps."""
    run = site.start(steps=1000)
    fencing_token = claim.claim_this("bench", run.pk)
    assert fencing_token is not None
    store = RunStore(fencing_token)
    store.rewind()
    tracker = ConvergenceTracker(readers.quantities_of(run))
    took = []
    for number in range(1, 11):
        frame = pack_step(heavy_step(number), number)
        begun = time.perf_counter()
        tracker.add_chunks(frame.designs)
        store.store_step(number, frame, tracker.hypervolume, tracker.reference)
        took.append(1000 * (time.perf_counter() - begun))
    store.stop()
    run.refresh_from_db()
    return median(took), run


def queued_to_running_s(site: LiveSite) -> float:
    """Return the median time from `start` until the run is running under a worker that was idle."""
    took = []
    for seed in range(REPEATS):
        begun = time.perf_counter()
        run = site.start(steps=1, seed=seed)
        site.wait_for_status(run, "running", "done", timeout_s=10)
        took.append(time.perf_counter() - begun)
        site.wait_for_status(run, "done")
    return median(took)


def stop_s(site: LiveSite, kind: str) -> float:
    """Return the longest time from the wish until the run is stopped."""
    params = {"steps": 1000, "step_seconds": 0.05, **({} if kind == "asked" else {"crash_at": 2, "crash_kind": kind})}
    took = []
    for seed in range(3):
        run = site.start(seed=seed, **params)
        site.wait_for_steps(run, 2)
        begun = time.perf_counter()
        service.request_stop(site.ann, run)
        site.wait_for_status(run, "stopped", timeout_s=10)
        took.append(time.perf_counter() - begun)
    return max(took)


def measure(kind: str, site: LiveSite) -> list[Figure]:
    """Return all figures of one database."""
    stored_ms, run = store_ms(site)
    last = run.design_count - DESIGNS_PER_STEP
    pair, quantities = ("latency_s", "energy_j"), readers.quantities_of(run)
    figures = [
        Figure(f"{kind}: store a step of 1,000 designs", stored_ms, "ms", 50),
        Figure(f"{kind}: read two columns of 10,000 designs", median_ms(lambda: readers.load_designs(run, pair)), "ms", 50),
        Figure(f"{kind}: read the newest 1,000 designs", median_ms(lambda: readers.load_designs(run, None, last)), "ms", 20),
        Figure(f"{kind}: front of 10,000 designs", median_ms(lambda: readers.load_designs(run).front(quantities)), "ms", 50),
    ]  # fmt: skip
    site.worker()
    figures.append(Figure(f"{kind}: queued to running, idle worker", queued_to_running_s(site), "s", 1.0))
    figures += [
        Figure(f"{kind}: stop, longest of 3 (engine: {how})", stop_s(site, how), "s", 2.0)
        for how in ("asked", "hang", "freeze")
    ]
    return figures


def main() -> int:
    """Measure and print."""
    logging.disable(logging.WARNING)
    folder = Path(os.environ["PARETOSCOPE_VAR"])
    figures: list[Figure] = []
    with databases() as kinds:
        for kind, found in kinds:
            templates = Templates(folder, found)
            home = folder / kind
            home.mkdir()
            try:
                with getattr(templates, kind)(home) as database, using(database.url), LiveSite(database) as site:
                    assert isinstance(database, LiveDatabase)
                    figures += measure(kind, site)
            finally:
                templates.close()
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
