"""What a keeper writes: numbered, fenced, repeatable, and undone back to the last checkpoint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.db import OperationalError

from engines.contract.designs import Designs
from engines.contract.engine import File
from engines.contract.quantities import Quantity
from engines.contract.results import Note
from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin, designs, step
from webapp.runs.models import Checkpoint, LogLine, Run, RunResult
from webapp.runs.queue import claim
from webapp.runs.results import readers
from webapp.runs.storage.convergence import ConvergenceTracker
from webapp.runs.storage.design_chunks import stored_designs
from webapp.runs.storage.files import RunFileKeeper, list_files, read_content
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import MAX_LOG_LINES, RunStore


def test_a_step_is_stored_once_however_often_it_is_sent(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    again = RunStore(store.fencing_token, store.position)
    assert store.store_step(1, step(1), 0.5, (9.0, 9.0)) is True
    assert again.store_step(1, step(1), 0.5, (9.0, 9.0)) is False
    run.refresh_from_db()
    assert (run.step_number, run.design_count, run.evaluations, run.hypervolume_reference) == (1, 3, 3, [9.0, 9.0])
    assert run.steps.count() == run.chunks.count() == 1


def test_where_the_reference_moves_earlier_steps_are_measured_again(live_site: LiveSite) -> None:
    pair = (Quantity("a", "A", "", "minimise", "objective"), Quantity("b", "B", "", "minimise", "objective"))
    tracker = ConvergenceTracker(pair, (4.0, 4.0))
    run, store = begin(live_site)
    for number, point in enumerate([(1.0, 3.0), (3.0, 1.0), (5.0, 0.5)], 1):
        values = np.array([point] * 3)
        columns = {"a": values[:, 0], "b": values[:, 1]}
        tracker.add_designs(Designs(columns, [{}] * 3, origin=("search",) * 3))
        moved = tracker if tracker.moves else None
        store.store_step(number, step(number), tracker.hypervolume, tracker.reference, moved)
    run.refresh_from_db()
    assert run.hypervolume_reference == pytest.approx([5.4, 3.25]) and store.step_ends() == [3, 6, 9]
    # See test_convergence for the same by hand.
    assert list(run.steps.values_list("hypervolume", flat=True)) == pytest.approx([1.1, 5.9, 6.1])
    tracker.add_designs(Designs({"a": np.array([0.5]), "b": np.array([0.4])}, [{}], origin=("search",)))
    tracker.settle()
    store.measure_again(tracker)
    run.refresh_from_db()
    assert run.hypervolume_reference == pytest.approx([0.55, 0.44])
    assert list(run.steps.values_list("hypervolume", flat=True)) == [0.0, 0.0, 0.0]


def test_resuming_deletes_what_came_after_the_checkpoint(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    for number in (1, 2, 3, 4):
        frame = step(
            number,
            checkpoint=number == 2,
            results=(Note("remark", "Remark", f"after step {number}"),),
            files=(File("out.bin", "application/octet-stream", b"%d" % number),),
        )
        RunFileKeeper(store.fencing_token).put(b"%d" % number)
        store.store_step(number, frame, float(number), (9.0, 9.0))
    assert readers.results(run)["remark"].text == "after step 4"
    store.requeue()
    fencing_token = claim.claim_this("other", run.pk)
    assert fencing_token is not None
    resumed = RunStore(fencing_token)
    resume = resumed.rewind()
    assert resume is not None and resume.checkpoint == b"checkpoint 2"
    assert resume.designs.equals(Designs.concatenate([designs(0, 3), designs(3, 3)]))
    run.refresh_from_db()
    assert (run.step_number, run.design_count, run.evaluations, run.message) == (2, 6, 6, "Step 2")
    assert resumed.position.reference == (9.0, 9.0)
    assert readers.results(run)["remark"].text == "after step 2"
    assert [(file.name, read_content(file.blob_id)) for file in list_files(run)] == [("out.bin", b"2")]
    assert list(run.steps.values_list("number", flat=True)) == [1, 2]
    assert resumed.store_step(3, step(3), 3.0, (9.0, 9.0))


def test_without_a_checkpoint_everything_is_deleted(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    store.store_step(1, step(1, results=(Note("remark", "Remark", "x"),)), 1.0, (9.0, 9.0))
    store.requeue()
    fencing_token = claim.claim_this("other", run.pk)
    assert fencing_token is not None and RunStore(fencing_token).rewind() is None
    run.refresh_from_db()
    assert (run.step_number, run.design_count, run.fraction, run.metrics, run.hypervolume_reference) == (
        0,
        0,
        0.0,
        {},
        None,
    )
    assert not run.chunks.exists() and not run.stored_results.exists() and stored_designs(run.pk) is None


def test_checkpoints_reset_the_attempts_and_drop_superseded_results(live_site: LiveSite) -> None:
    run, store = begin(live_site)

    def texts() -> list[str]:
        return [row.content["text"] for row in RunResult.objects.filter(run=run)]

    def remark(number: int, checkpoint: bool = False) -> Any:
        return step(number, checkpoint=checkpoint, results=(Note("remark", "Remark", str(number)),))

    store.store_step(1, remark(1), None, None)
    store.store_step(2, remark(2), None, None)
    assert texts() == ["2"]  # no resume goes back to the first one
    store.store_step(3, remark(3, checkpoint=True), None, None)
    store.store_step(4, remark(4), None, None)
    store.store_step(5, remark(5), None, None)
    assert texts() == ["3", "5"]
    store.store_step(6, step(6, checkpoint=True), None, None)
    run.refresh_from_db()
    assert run.attempts_without_checkpoint == 0
    assert texts() == ["5"]
    assert Checkpoint.objects.get(run=run).design_count == 18


def test_a_step_whose_answer_got_lost_counts_once(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    lost = RunStore(store.fencing_token, store.position)
    store.store_step(1, step(1), None, None)  # committed, but the keeper never heard of it and tries again
    assert lost.store_step(1, step(1), None, None) is False
    lost.store_step(2, step(2), None, None)
    run.refresh_from_db()
    assert run.design_count == 6
    assert list(run.chunks.values_list("first_index", "number")) == [(0, 3), (3, 6)]


def test_done_and_merged_are_one_change(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    run, store = begin(live_site)
    store.store_step(1, step(1), None, None)
    store.store_step(2, step(2), None, None)

    def fail(self: FencingToken, **fields: Any) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(FencingToken, "end", fail)
        with pytest.raises(OperationalError):
            store.finish(None)
    run.refresh_from_db()
    assert (run.status, run.chunks.count()) == ("running", 2)
    store.finish(None)
    run.refresh_from_db()
    assert (run.status, run.chunks.count()) == ("done", 1)


def test_a_run_given_back_after_a_wish_to_stop_is_stopped(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    Run.objects.filter(pk=run.pk).update(wish=Run.Wish.STOP)
    store.requeue(forgive=True)
    run.refresh_from_db()
    assert (run.status, run.attempts_without_checkpoint) == ("stopped", 0)
    assert run.finished is not None


def test_old_steps_are_thinned_to_what_a_curve_shows(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    run, store = begin(live_site)
    for name, value in (("STEPS_TO_THIN", 20), ("NEWEST_STEPS_KEPT", 5), ("OLDER_STEPS_KEPT", 4)):
        monkeypatch.setattr(f"webapp.runs.storage.store.{name}", value)
    for number in range(1, 21):
        store.store_step(number, step(number, count=1, checkpoint=number == 20), None, None)
    assert list(run.steps.values_list("number", flat=True)) == [4, 8, 12, 16, 17, 18, 19, 20]
    store.requeue()
    fencing_token = claim.claim_this("other", run.pk)
    assert fencing_token is not None and RunStore(fencing_token).rewind() is not None
    run.refresh_from_db()
    assert (run.step_number, run.message) == (20, "Step 20")


def test_the_log_is_bounded(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.storage.store.MAX_LOG_LINES", 300)
    run, store = begin(live_site)
    for batch in range(10):
        store.store_log([("info", f"line {batch} {i} \x00") for i in range(100)])
    kept = list(LogLine.objects.filter(run=run).values_list("number", flat=True))
    assert MAX_LOG_LINES == 5000 and len(kept) <= 300 + 250 and kept[-1] == 1000
    assert readers.log_lines(run, after=998)[-1].text.startswith("line 9 99")
    assert [line.number for line in readers.log_lines(run, after=990, limit=3)] == [998, 999, 1000]
