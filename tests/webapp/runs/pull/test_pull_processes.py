"""Real pull workers, without a database, around a real server; by themselves and as jobs of a Slurm that is three scripts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.databases import SQLITE
from tests.support.fake_slurm import install_fake_slurm
from tests.support.live import PATIENCE_S, LiveSite
from tests.support.pull_worker import PullWorker, pull_environment
from webapp.api.tokens import make_token
from webapp.runs import service
from webapp.runs.models import Run
from webapp.teams.visibility import personal_project


@SQLITE
def test_a_worker_without_database_executes_a_run_and_says_why_it_ends(
    live_site: LiveSite, live_url: str, tmp_path: Path
) -> None:
    token = make_token(live_site.ann, "Node", "worker", personal_project(live_site.ann).slug)[1]
    run = live_site.start(steps=4, with_file=True)
    worker = PullWorker(live_url, token, tmp_path / "node", "--idle", "2s")
    live_site.wait_for_status(run, "done")
    live_site.assert_same_designs(run)
    assert worker.process.wait(PATIENCE_S) == 0, worker.log.read_text()
    assert "No run for 2 s: the worker ends." in worker.log.read_text()
    refused = PullWorker(live_url, make_token(live_site.ann, "Reader", "read")[1], tmp_path / "refused")
    assert refused.process.wait(PATIENCE_S) == 1
    assert "Workers need a token of the scope worker." in refused.log.read_text()


@SQLITE
@pytest.mark.long
def test_workers_of_a_cluster_execute_what_waits(live_site: LiveSite, live_url: str, tmp_path: Path) -> None:
    token = make_token(live_site.ann, "Cluster", "worker")[1]
    # An engine that workers know without the tests.
    inputs = {"hardware": "jetson-tx2", "workload": "resnet50"}
    problem = {"engine": "soc-mapping", "inputs": inputs, "params": {"unmeasured": "datasheet"}}
    runs = [service.start(live_site.ann, {**problem, "seed": seed}) for seed in (1, 2)]
    slurm = install_fake_slurm(tmp_path / "slurm")
    environment = pull_environment(tmp_path / "login", token)
    environment |= {"PATH": f"{slurm}:{os.environ['PATH']}", "EXECUTOR_URL": "slurm://short?workers=2&time=10:00"}
    environment |= {"PARETOSCOPE_WORKER_OFFERS": "auto"}
    with subprocess.Popen(
        [sys.executable, "-m", "paretoscope", "worker", "--pull", live_url],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            for run in runs:
                live_site.wait_for_status(run, "done")
        finally:
            command.send_signal(signal.SIGINT)
            said, _ = command.communicate(timeout=PATIENCE_S)
    assert "2 runs waiting: submitted array 4711 of 2 workers" in said and "The jobs are cancelled" in said
    owners = {run.platform["worker"].partition(" ")[0].partition(":")[2] for run in Run.objects.all()}
    assert owners <= {"4711_1", "4711_2"}
