"""What a keeper writes: numbered, fenced, repeatable, and undone back to the last checkpoint."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, OperationalError

from engines.contract.designs import Designs
from engines.contract.engine import File, Step
from engines.contract.results import Note
from engines.running.runner.packing import pack_step
from tests.support.live import LiveSite
from webapp.runs import claim, readers
from webapp.runs.design_chunks import merge_small_chunks, stored_designs
from webapp.runs.errors import FencedOutError
from webapp.runs.files import RunFileKeeper, list_files, put_content, read_content, sweep_contents
from webapp.runs.lease import Fence
from webapp.runs.models import Checkpoint, DesignChunk, FileBlob, FilePart, LogLine, Run, RunFile, RunResult, StepRecord
from webapp.runs.store import MAX_LOG_LINES, SMALL_CHUNKS_TO_MERGE, RunStore

NAMES = ("latency_s", "energy_j", "spread")


def designs(first: int, count: int, text: str = "") -> Designs:
    values = np.arange(first, first + count, dtype=float)
    return Designs(
        columns={name: values + offset for offset, name in enumerate(NAMES)},
        decisions=[{"x": [0.0, 0.0, 0.0], "n": int(value), "text": text} for value in values],
        found_at_evaluation=np.arange(first + 1, first + count + 1),
        origin=("search",) * count,
    )


def step(number: int, *, count: int = 3, checkpoint: bool = False, first: int | None = None, **fields: Any) -> Any:
    begin = (number - 1) * count if first is None else first
    return pack_step(
        Step(
            fraction=min(1.0, number / 100),
            message=f"Step {number}",
            metrics={"evaluations": number * count, "latency_s": 1.0 / number},
            designs=designs(begin, count) if count else None,
            checkpoint=f"checkpoint {number}".encode() if checkpoint else None,
            **fields,
        ),
        number,
    )


def begin(site: LiveSite) -> tuple[Run, RunStore]:
    run = site.start(steps=100)
    fence = claim.claim_next("test", claim.Offer())
    assert fence is not None and fence.run_id == run.pk
    store = RunStore(fence)
    assert store.rewind() is None
    return run, store


def test_a_step_is_stored_once_however_often_it_is_sent(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    again = RunStore(store.fence, store.position)
    assert store.store_step(1, step(1), 0.5, (9.0, 9.0)) is True
    assert again.store_step(1, step(1), 0.5, (9.0, 9.0)) is False
    run.refresh_from_db()
    assert (run.step_number, run.design_count, run.evaluations, run.hypervolume_reference) == (1, 3, 3, [9.0, 9.0])
    assert run.steps.count() == run.chunks.count() == 1


def test_the_tables_themselves_refuse_a_second_step_of_a_number(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    store.store_step(1, step(1), None, None)
    with pytest.raises(IntegrityError):
        StepRecord.objects.create(run=run, number=1, attempt=1, fraction=0.5, message="")


def test_a_keeper_that_lost_the_run_writes_nothing(live_site: LiveSite) -> None:
    run, old = begin(live_site)
    old.store_step(1, step(1, checkpoint=True), None, None)
    Run.objects.filter(pk=run.pk).update(lease_expires="2020-01-01T00:00:00Z")
    old.store_log([("info", "An expired lease alone does not stop its holder.")])
    Run.objects.filter(pk=run.pk).update(lease_expires="2020-01-01T00:00:00Z")
    new = claim.claim_next("other", claim.Offer())
    assert new is not None and new.attempt == 2
    files = RunFileKeeper(old.fence)
    for write in (
        lambda: old.store_step(2, step(2), None, None),
        lambda: old.store_log([("info", "late")]),
        lambda: old.finish(None),
        old.stop,
        old.requeue,
        old.rewind,
        old.fence.renew,
        old.fence.stop_wished,
        lambda: files.put(b"late"),
    ):
        with pytest.raises(FencedOutError):
            write()
    run.refresh_from_db()
    assert (run.status, run.attempt, run.step_number, run.lease_owner) == ("running", 2, 1, "other")
    assert not LogLine.objects.filter(text="late").exists() and not FileBlob.objects.exists()


def test_resuming_deletes_what_came_after_the_checkpoint(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    for number in (1, 2, 3, 4):
        frame = step(
            number,
            checkpoint=number == 2,
            results=(Note("remark", "Remark", f"after step {number}"),),
            files=(File("out.bin", "application/octet-stream", b"%d" % number),),
        )
        RunFileKeeper(store.fence).put(b"%d" % number)
        store.store_step(number, frame, float(number), (9.0, 9.0))
    assert readers.results(run)["remark"].text == "after step 4"
    store.requeue()
    fence = claim.claim_this("other", run.pk)
    assert fence is not None
    resumed = RunStore(fence)
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
    fence = claim.claim_this("other", run.pk)
    assert fence is not None and RunStore(fence).rewind() is None
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
    lost = RunStore(store.fence, store.position)
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

    def fail(self: Fence, **fields: Any) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(Fence, "end", fail)
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
        monkeypatch.setattr(f"webapp.runs.store.{name}", value)
    for number in range(1, 21):
        store.store_step(number, step(number, count=1, checkpoint=number == 20), None, None)
    assert list(run.steps.values_list("number", flat=True)) == [4, 8, 12, 16, 17, 18, 19, 20]
    store.requeue()
    fence = claim.claim_this("other", run.pk)
    assert fence is not None and RunStore(fence).rewind() is not None
    run.refresh_from_db()
    assert (run.step_number, run.message) == (20, "Step 20")


def test_large_steps_are_cut_into_parts_of_at_most_four_mebibytes(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    random = np.random.default_rng(1)
    heavy = designs(0, 60)
    decisions = [{**d, "text": random.bytes(120_000).hex()} for d in heavy.decisions]
    heavy = Designs(heavy.columns, decisions, heavy.found_at_evaluation, heavy.origin)
    store.store_step(1, pack_step(Step(0.1, designs=heavy), 1), None, None)
    sizes = [len(bytes(row.decisions)) for row in run.chunks.all()]
    assert len(sizes) > 1 and max(sizes) <= 4 * 1024 * 1024
    found = stored_designs(run.pk)
    assert found is not None and found.equals(heavy)
    assert readers.load_decision(run, 59) == decisions[59]


def test_many_small_steps_are_merged_without_a_reader_noticing(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    seen: list[float] = []
    last = 0
    for number in range(1, SMALL_CHUNKS_TO_MERGE + 8):
        store.store_step(number, step(number, count=2, checkpoint=True), None, None)
        if number % 5 == 0:  # a reader that comes now and then gets every design once, in order
            table = readers.load_designs(run, ["latency_s"], after=last)
            seen += table.columns["latency_s"].tolist()
            last += len(table)
    assert DesignChunk.objects.filter(run=run).count() < 12
    merge_small_chunks(run.pk)
    seen += readers.load_designs(run, ["latency_s"], after=last).columns["latency_s"].tolist()
    assert seen == [float(value) for value in range(2 * (SMALL_CHUNKS_TO_MERGE + 7))]


def test_the_log_is_bounded(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.store.MAX_LOG_LINES", 300)
    run, store = begin(live_site)
    for batch in range(10):
        store.store_log([("info", f"line {batch} {i} \x00") for i in range(100)])
    kept = list(LogLine.objects.filter(run=run).values_list("number", flat=True))
    assert MAX_LOG_LINES == 5000 and len(kept) <= 300 + 250 and kept[-1] == 1000
    assert readers.log_lines(run, after=998)[-1].text.startswith("line 9 99")
    assert [line.number for line in readers.log_lines(run, after=990, limit=3)] == [998, 999, 1000]


def test_numbers_that_json_cannot_say_are_stored_as_missing(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    frame = pack_step(Step(0.5, message="NUL \x00 here", metrics={"latency_s": float("nan"), "energy_j": 2.0}), 1)
    store.store_step(1, frame, float("inf"), None)
    run.refresh_from_db()
    assert run.metrics == {"latency_s": None, "energy_j": 2.0} and "\x00" not in run.message
    assert np.isnan(readers.convergence(run).hypervolume).all()


def test_files_are_stored_once_and_in_parts(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    keeper = RunFileKeeper(store.fence)
    content = np.random.default_rng(0).bytes(9_000_000)
    key = keeper.put(content)
    keeper.keep("table", content)
    keeper.keep("table", b"the first content of a name stays")
    assert keeper.get(key) == keeper.lookup("table") == content
    assert keeper.lookup("nothing") is None and keeper.put(b"") == put_content(b"")
    assert FilePart.objects.filter(blob_id=key).count() == 3
    assert max(len(bytes(part.data)) for part in FilePart.objects.all()) <= 4 * 1024 * 1024
    assert FileBlob.objects.count() == 2 and list_files(run) == []
    with pytest.raises(KeyError):
        keeper.get("0" * 64)


def test_a_run_cannot_read_the_files_of_another(live_site: LiveSite) -> None:
    _, store = begin(live_site)
    key = RunFileKeeper(store.fence).put(b"private")
    _, other = begin(live_site)
    with pytest.raises(KeyError):
        RunFileKeeper(other.fence).get(key)
    assert RunFile.objects.count() == 1
    assert isinstance(other.fence, Fence)


def test_contents_of_deleted_runs_are_swept(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    kept, other = RunFileKeeper(store.fence), live_site.start(steps=1)
    kept.put(b"of both")
    kept.put(b"of one")
    RunFile.objects.create(
        run=other, name="out", media_type="text/plain", step_number=1, blob_id=hashlib.sha256(b"of both").hexdigest()
    )
    assert sweep_contents() == 0
    run.delete()
    assert sweep_contents() == 1
    assert read_content(hashlib.sha256(b"of both").hexdigest()) == b"of both"
