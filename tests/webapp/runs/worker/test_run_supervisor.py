"""The life of a run under real workers that are killed, that fail, or that are one of two; on both databases."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from engines.contract.quantities import objectives_of
from engines.registry import get_engine
from engines.running.runner.protocol import Log
from engines.search.indicators import hypervolume, reference_point
from tests.support.databases import MOSTLY_POSTGRESQL, MOSTLY_SQLITE
from tests.support.live import PATIENCE_S, LiveSite, WorkerProcess, is_zombie
from webapp.runs import service
from webapp.runs.models import LogLine, Run
from webapp.runs.queue import claim
from webapp.runs.results import readers
from webapp.runs.storage.design_chunks import stored_designs
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import RunStore
from webapp.runs.storage.stored_bytes import bytes_of
from webapp.runs.worker.run_supervisor import RunSupervisor


def test_it_runs_to_the_end_and_stores_everything(live_site: LiveSite) -> None:
    live_site.worker()
    run = live_site.start(steps=6, designs_per_step=5, with_file=True)
    live_site.wait_for_status(run, "done")
    assert (run.outcome, run.fraction, run.step_number, run.design_count, run.evaluations) == (
        "feasible",
        1.0,
        6,
        30,
        30,
    )
    assert run.lease_owner == "" and run.lease_expires is None
    assert run.finished is not None and run.started is not None and run.finished >= run.started >= run.queued_at
    live_site.assert_same_designs(run)
    assert list(run.steps.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    hypervolumes = list(run.steps.values_list("hypervolume", flat=True))
    assert hypervolumes == sorted(hypervolumes) and hypervolumes[-1] > 0
    found, quantities = stored_designs(run.pk), get_engine(run.engine).quantities
    assert found is not None
    objectives = objectives_of(quantities)
    front = found.matrix(each.name for each in objectives)[found.front(quantities)]
    senses = [each.sense for each in objectives]
    assert run.hypervolume_reference == pytest.approx(reference_point(front, senses))
    assert hypervolumes[-1] == pytest.approx(hypervolume(front, senses, run.hypervolume_reference))
    assert run.files.get(working=False).name == "toy.bin"
    assert run.platform["python"].startswith("3.11")
    infeasible = live_site.start(energy_limit_j=0.5)
    live_site.wait_for_status(infeasible, "done")
    assert infeasible.outcome == "infeasible"
    assert infeasible.outcome_detail["demand"] == 1.0 and infeasible.outcome_detail["gap"] == 0.5
    assert infeasible.outcome_detail["remedies"][0]["field"] == "params.energy_limit_j"


# Kind -> what is told. Each that is tried again takes five processes; what else breaks a child takes the same way.
BREAKS = {
    "exception": ("engine", "The toy broke"),
    "memory": ("memory", "Memory limit of 1500 MB reached"),
    "exit": ("attempts", "3 attempts"),
}
MORE_BREAKS = dict.fromkeys(("signal", "half_frame", "rubbish"), ("attempts", "3 attempts"))
REASONS = {"exit": "exit status 9", "signal": "SIGSEGV", "half_frame": "in the middle of a frame", "rubbish": "rubbish"}


@MOSTLY_SQLITE
@pytest.mark.parametrize("told", [BREAKS, pytest.param(MORE_BREAKS, marks=pytest.mark.long)], ids=["once", "more"])
def test_every_way_to_break_is_told_and_nothing_stored_is_lost(
    live_site: LiveSite, told: dict[str, tuple[str, str]]
) -> None:
    live_site.worker(PARETOSCOPE_WORKER_SLOTS="3", PARETOSCOPE_RUN_MEMORY_MB="1500")
    runs = {kind: live_site.start(steps=6, crash_at=2, crash_kind=kind) for kind in told}
    for kind, run in runs.items():
        live_site.wait_for_status(run, "failed")
        expected, text = told[kind]
        assert run.outcome == "error" and run.outcome_detail["kind"] == expected, run.outcome_detail
        assert text in run.outcome_detail["text"], run.outcome_detail
        assert run.design_count == 8 and run.step_number == 2
        if kind in REASONS:
            reasons = [found["reason"] for found in run.outcome_detail["reasons"]]
            # The first attempt made two checkpoints before it broke; the three after it made none.
            assert len(reasons) == run.attempt == 4 and all(REASONS[kind] in reason for reason in reasons)
            assert LogLine.objects.filter(run=run, level="error").exists()
    if "exception" in runs:
        assert "RuntimeError" in runs["exception"].outcome_detail["traceback"]


@MOSTLY_POSTGRESQL
def test_it_goes_on_by_itself_after_kill_9_of_the_child(live_site: LiveSite) -> None:
    live_site.worker()
    go_on = live_site.database.folder / "go-on"
    run = live_site.start(steps=6, checkpoint_every=2, hold_at=3, hold_until=str(go_on))
    live_site.wait_for_steps(run, 3)
    os.kill(live_site.child(run), signal.SIGKILL)
    go_on.touch()
    live_site.wait_for_status(run, "done")
    assert run.attempt == 2 and "SIGKILL" in run.attempt_reasons[0]["reason"]
    live_site.assert_same_designs(run)


@MOSTLY_POSTGRESQL
def test_it_goes_on_elsewhere_after_kill_9_of_the_worker(live_site: LiveSite) -> None:
    workers = live_site.worker(), live_site.worker()
    go_on = live_site.database.folder / "go-on"
    run = live_site.start(steps=6, checkpoint_every=2, hold_at=3, hold_until=str(go_on))
    live_site.wait_for_steps(run, 3)
    holder, child = live_site.holder(run), live_site.child(run)
    holder.kill()
    live_site.wait(lambda: not Path(f"/proc/{child}").exists() or is_zombie(child), "the child ends with its worker")
    live_site.wait(lambda: Run.objects.get(pk=run.pk).attempt == 2, "another worker takes the run")
    go_on.touch()
    live_site.wait_for_status(run, "done")
    assert "stopped responding" in run.attempt_reasons[0]["reason"]
    live_site.assert_same_designs(run)
    _check_kill_while_it_explains(live_site, next(worker for worker in workers if worker is not holder))


def _check_kill_while_it_explains(live_site: LiveSite, worker: WorkerProcess) -> None:
    """Kill the last worker after the end of a run: nothing but explanations is lost."""
    go_on = live_site.database.folder / "explain"
    run = live_site.start(steps=3, hold_at=3, hold_until=str(go_on))
    live_site.wait_for_status(run, "done")
    worker.kill()
    go_on.touch()
    claim.sweep()
    run.refresh_from_db()
    assert (run.status, run.outcome, run.attempt, run.lease_owner) == ("done", "feasible", 1, "")
    live_site.assert_same_designs(run)
    assert not run.files.exists() and run.stored_bytes == bytes_of(run.pk)
    assert len(readers.explain_design(run, 0)) == 3


@pytest.mark.long
@MOSTLY_SQLITE
def test_a_worker_that_is_asked_to_end_gives_its_run_to_another_at_once(live_site: LiveSite) -> None:
    live_site.worker()
    live_site.worker()
    go_on = live_site.database.folder / "go-on"
    run = live_site.start(steps=6, hold_at=2, hold_until=str(go_on))
    live_site.wait_for_steps(run, 2)
    holder = live_site.holder(run)
    holder.process.terminate()
    live_site.wait(lambda: Run.objects.get(pk=run.pk).attempt == 2, "another worker takes the run")
    assert holder.process.wait(PATIENCE_S) == 0 and holder.children() == []
    go_on.touch()
    live_site.wait_for_status(run, "done")
    assert run.attempts_without_checkpoint == 0 and run.attempt_reasons == []
    live_site.assert_same_designs(run)


@pytest.mark.long
@MOSTLY_SQLITE
def test_a_failure_of_the_worker_itself_is_told_and_tried_again(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = live_site.start(steps=4)

    def refuse(*arguments: Any) -> bool:
        raise ValueError("no table takes this")

    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "store_step", refuse)
        for attempt in (1, 2):
            fencing_token = claim.claim_next("test", claim.Offer())
            assert fencing_token is not None and fencing_token.attempt == attempt
            assert RunSupervisor(fencing_token).keep() == "queued"
        fencing_token = claim.claim_next("test", claim.Offer())
        assert fencing_token is not None and RunSupervisor(fencing_token).keep() == "failed"
    run.refresh_from_db()
    assert run.outcome_detail["kind"] == "attempts"
    assert all("no table takes this" in found["reason"] for found in run.outcome_detail["reasons"])
    service.continue_run(live_site.ann, run)
    fencing_token = claim.claim_next("test", claim.Offer())
    assert fencing_token is not None and RunSupervisor(fencing_token).keep() == "done"


@pytest.mark.long  # it needs a silence that no start of a process on a loaded machine reaches
@MOSTLY_SQLITE
@pytest.mark.parametrize("kind", ["hang", "freeze"])
def test_a_process_that_tells_nothing_is_ended_and_said_to_hang(live_site: LiveSite, settings: Any, kind: str) -> None:
    settings.PARETOSCOPE_RUN_SILENT_MINUTES = 0.2
    run = live_site.start(steps=6, crash_at=2, crash_kind=kind, checkpoint_every=1)
    fencing_token = claim.claim_next("test", claim.Offer())
    assert fencing_token is not None and RunSupervisor(fencing_token).keep() == "queued"
    run.refresh_from_db()
    assert run.step_number == 2 and run.design_count == 8
    assert "No sign for 0.2 minutes" in run.attempt_reasons[0]["reason"]


def test_the_address_of_the_cluster_stands_in_the_log_of_the_worker_alone(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EXECUTOR_URL = "tcp://10.0.0.1:8786"
    keeper = RunSupervisor(FencingToken(1, 1))
    keeper._handle(Log("waiting", "The run waits for the cluster.", 0.0))
    assert keeper._log == [("waiting", "The run waits for the cluster.")]
    assert "The run waits for the cluster. EXECUTOR_URL: tcp://10.0.0.1:8786" in caplog.text
