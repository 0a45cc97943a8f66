"""Runs whose cluster is killed, frozen or mute say that they wait for it, and end in their first attempt as unbroken ones do."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from collections.abc import Sequence

import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.methods.neksus.problems import neksus_problem
from tests.engines.methods.seesaw.problems import recording, seesaw_problem
from tests.support.dask_cluster import DaskCluster
from tests.support.live import LiveSite
from webapp.runs.models import LogLine, Run
from webapp.runs.storage.design_chunks import stored_designs

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(1200)]


def problems() -> tuple[Problem, ...]:
    """Searches in batches that a cluster is asked for: of some seconds on a quiet machine, and of ten seconds and more."""
    packages = {"topologies": "crossbar, mesh, star", "chain_lengths": "1, 2, 3, 4", "orders": 30}
    nodes = {"largest_tolerance_percent": 20, "tolerances": 10, "most_sensors": 2, "devices": 20}
    return neksus_problem(packages), seesaw_problem(nodes, recording(tracks=40, duration_s=900))


def begun(site: LiveSite, url: str, outage: str) -> list[Run]:
    site.worker(EXECUTOR_URL=url, PARETOSCOPE_CLUSTER_OUTAGE=outage, PARETOSCOPE_WORKER_SLOTS="2")
    return [site.store(site.unsaved(problem), problem) for problem in problems()]


def wait_until_said(site: LiveSite, runs: Sequence[Run]) -> None:
    """Wait until every run that has not ended before says that it waits; the long one must."""
    begin = time.monotonic()
    for run in runs:
        said = LogLine.objects.filter(run=run, level="waiting")
        ended = Run.objects.filter(pk=run.pk, status="done") if run is not runs[-1] else Run.objects.none()
        site.wait(lambda told=said, over=ended: told.exists() or over.exists(), f"run {run.pk} says that it waits")
        print(f"\n{site.database.kind}, {run.engine}: said, or had ended, after {time.monotonic() - begin:.1f} s")


def assert_as_unbroken(site: LiveSite, runs: Sequence[Run]) -> None:
    for run, problem in zip(runs, problems(), strict=True):
        site.wait_for_status(run, "done", "failed", timeout_s=600.0)
        assert (run.status, run.attempt) == ("done", 1), (run.outcome_detail, run.attempt_reasons)
        steps = drive(get_engine(problem.engine), problem, LocalContext(problem))
        stored = stored_designs(run.pk)
        assert stored is not None
        assert stored.equals(Designs.concatenate([step.designs for step in steps if step.designs is not None]))


def signal_all(processes: Sequence[subprocess.Popen[bytes]], which: signal.Signals) -> None:
    for process in processes:
        process.send_signal(which)


@pytest.mark.parametrize("outage", ["compute", "wait"])
@pytest.mark.parametrize("which", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("part", ["scheduler", "workers"])
def test_runs_outlive_their_cluster(live_site: LiveSite, part: str, which: signal.Signals, outage: str) -> None:
    with DaskCluster(workers=2) as cluster:
        runs = begun(live_site, cluster.url, outage)
        for run in runs:
            live_site.wait_for_steps(run, 2)
        gone = [cluster.scheduler] if part == "scheduler" else list(cluster.workers)
        signal_all(gone, which)
        wait_until_said(live_site, runs)
        if outage == "wait":
            if which == signal.SIGSTOP:
                signal_all(gone, signal.SIGCONT)
            elif part == "scheduler":
                cluster.scheduler.wait()
                cluster.start_scheduler(cluster.url.rpartition(":")[2])
            cluster.add_worker()
        assert_as_unbroken(live_site, runs)


def test_runs_do_without_a_cluster_that_is_mute(live_site: LiveSite) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        runs = begun(live_site, f"tcp://127.0.0.1:{mute.getsockname()[1]}", "compute")
        wait_until_said(live_site, runs)
        assert_as_unbroken(live_site, runs)
