"""A site of an earlier version, with work in it and runs in flight, goes on with this one.

The file was made by the program of 23 November 2026, before official documents: a run that is done, one of an engine of which there
are newer versions by now, one whose worker went away after its second step, and one that waits.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Resume
from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.running.checkpoints import pack_checkpoint
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.recorder import RunRecorder
from engines.running.runner.protocol import StepFrame
from frontend.designs.run_words import other_version
from tests.support.databases import SQLITE
from tests.support.kept_site import upgraded_site
from tests.support.live import LiveSite
from tests.support.releases import Earlier, Later, released
from webapp.runs import service
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.inputs.problems import problem_of, read_problem
from webapp.runs.models import Checkpoint, Run
from webapp.runs.queue import claim
from webapp.runs.results import readers
from webapp.runs.storage.stored_bytes import bytes_of
from webapp.runs.worker.run_supervisor import RunSupervisor, Signals
from webapp.teams.visibility import personal_project

SITE = Path(__file__).parents[2] / "data" / "sites" / "before-official-documents.sqlite3.gz"


@pytest.fixture
def upgraded(tmp_path: Path, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The old site after `manage.py migrate`, and ann, whose runs it has."""
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    with (
        django_db_blocker.unblock(),
        upgraded_site(gzip.decompress(SITE.read_bytes()), tmp_path, ("limits", "0001_limits")) as ann,
    ):
        yield ann


def test_what_was_there_can_be_read(upgraded: Any) -> None:
    runs = {run.title: run for run in service.visible_runs(upgraded)}
    assert {title: run.status for title, run in runs.items()} == {
        "Done": "done", "Older engine": "done", "In flight": "running", "Waiting": "queued"
    }  # fmt: skip
    done = runs["Done"]
    assert len(readers.load_designs(done)) == done.design_count == 383
    assert all(run.stored_bytes == bytes_of(run.pk) for run in runs.values()) and done.stored_bytes > 10_000
    assert readers.results(done)


def test_a_run_of_an_older_engine_says_so_and_is_run_again_on_the_new_one(upgraded: Any) -> None:
    old = Run.objects.get(title="Older engine")
    installed = get_engine(old.engine).version
    assert old.engine_version < installed
    assert str(old.engine_version) in other_version(old) and str(installed) in other_version(old)
    assert len(readers.load_designs(old)) == old.design_count == 122
    Run.objects.filter(pk=old.pk).update(status="stopped")
    with pytest.raises(
        ProblemError,
        match=f"Another release made this run.*{installed}, the version of the installed engine.*Start a new run",
    ):
        service.continue_run(upgraded, old)
    document = service.start_from(old)
    # The built-in device tells more and the network has a graph by now: the old run pins other content, and that is said.
    for slot in ("hardware", "workload"):
        with pytest.raises(ProblemError, match="Leave the hash out") as changed:
            service.start(upgraded, document, parent=old)
        assert changed.value.field == f"inputs.{slot}.hash"
        del document["inputs"][slot]["hash"]
    again = service.start(upgraded, document, parent=old)
    assert (again.engine_version, again.parent) == (installed, old)
    assert again.params["evaluations"] == old.params["evaluations"]


@pytest.mark.long
def test_runs_in_flight_go_on_and_end_as_an_unbroken_one(upgraded: Any) -> None:
    flight = Run.objects.get(title="In flight")
    installed = get_engine(flight.engine).version
    begun, kept = [], []
    for _ in range(2):
        fencing_token = claim.claim_next("new", claim.Offer())
        assert fencing_token is not None
        begun.append(fencing_token.run_id)
        kept.append(RunSupervisor(fencing_token).keep())
    assert begun == [flight.pk, Run.objects.get(title="Waiting").pk], "what a worker left behind goes first"
    flight.refresh_from_db()
    if flight.engine_version != installed:  # it cannot go on, and says why
        assert kept[0] == "failed" and f"{installed}" in flight.outcome_detail["text"]
        return
    assert kept == ["done", "done"] and flight.attempt == 2
    problem = problem_of(flight)
    steps = drive(get_engine(flight.engine), problem, LocalContext(problem))
    unbroken = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    assert readers.load_designs(flight).equals(unbroken)


@SQLITE
def test_a_run_goes_on_with_a_release_that_has_a_parameter_more(live_site: LiveSite) -> None:
    signals = Signals()

    def leave_after_two(frame: StepFrame) -> None:
        if frame.number == 2:
            signals.leave.set()

    with released(Earlier):
        # It waits for a file that is there by the time of the later release.
        hold = live_site.database.folder / "go-on"
        run = live_site.start("grown", steps=4, hold_at=2, hold_until=str(hold))
        assert kept_by("new", signals, leave_after_two) == "queued"
        assert Checkpoint.objects.get(run=run).step_number == 2
    hold.touch()
    with released(Later):
        problem = problem_of(run)
        assert not problem.params.model_dump()["reuse"] and problem.hash() == run.problem_hash
        assert problem_from_document(live_site.ann, service.start_from(run)).hash() != run.problem_hash
        every = pack_checkpoint("grown", 1, replace(problem, written=False).hash(), {"of": "a release in between"})
        resume = Resume(every, Designs.empty(Later.quantities))
        assert RunRecorder(Later(), problem, LocalContext(problem), resume).state == {"of": "a release in between"}
        assert kept_by("newer") == "done"
        run.refresh_from_db()
        steps = drive(Later(), problem, LocalContext(problem))
        unbroken = Designs.concatenate([step.designs for step in steps if step.designs is not None])
        assert run.attempt == 2 and readers.load_designs(run).equals(unbroken)
        copy = import_bundle(live_site.bob, personal_project(live_site.bob), write_bundle(run).read())
        assert copy.problem_hash == run.problem_hash
        run.engine_version = 0
        with pytest.raises(ProblemError, match=r"version: Another release wrote.*Must be 1.*Got 0"):
            read_problem(run)


def kept_by(worker: str, signals: Signals | None = None, on_step: Callable[[StepFrame], None] | None = None) -> str:
    fencing_token = claim.claim_next(worker, claim.Offer())
    assert fencing_token is not None
    return RunSupervisor(fencing_token, signals, on_step).keep()
