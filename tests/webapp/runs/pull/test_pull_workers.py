"""Runs that workers take over HTTPS: the same rows as those of the site's own workers, and who may take which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache

from engines.running.runner.protocol import FileEntry, Log
from tests.support.stored_runs import People, make_people
from tests.webapp.runs.pull.sites import LocalSite, pull_worker, worker_token
from tests.webapp.runs.stores_for_tests import step
from webapp.api.tokens import make_token
from webapp.base.flags import Flag
from webapp.runs import service
from webapp.runs.errors import FencedOutError
from webapp.runs.models import Checkpoint, DesignChunk, LogLine, Run, RunResult, StepRecord, WorkerBeat
from webapp.runs.pull import site_access
from webapp.runs.pull.site import SiteError
from webapp.runs.queue import claim
from webapp.runs.worker.worker import Worker


@pytest.fixture
def people(transactional_db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    cache.clear()
    return make_people()


def start(people: People, **params: Any) -> Run:
    return service.start(people.owner, {"engine": "toy", "params": params, "seed": 3}, people.project)


def rows_of(run: Run) -> dict[str, Any]:
    """Everything that a run stores, but for times, machines and its own number."""
    chosen = {
        "run": Run.objects.filter(pk=run.pk).values(
            "status", "outcome", "outcome_detail", "fraction", "message", "metrics", "evaluations", "design_count",
            "step_number", "hypervolume_reference", "attempt", "attempts_without_checkpoint", "stored_bytes",
        ),
        "steps": StepRecord.objects.filter(run=run).values(
            "number", "attempt", "fraction", "message", "metrics", "evaluations", "design_count", "hypervolume"
        ),
        "chunks": DesignChunk.objects.filter(run=run).values(
            "number", "first_index", "count", "step_number", "scalars", "decisions"
        ),
        "results": RunResult.objects.filter(run=run).values("name", "type", "step_number", "content"),
        "checkpoint": Checkpoint.objects.filter(run=run).values("step_number", "design_count", "attempt", "data"),
        "files": run.files.order_by("name", "step_number").values("name", "media_type", "step_number", "working", "blob_id"),
        "log": LogLine.objects.filter(run=run).values("number", "attempt", "level", "text"),
    }  # fmt: skip
    return {name: list(rows) for name, rows in chosen.items()}


def test_a_pulled_run_stores_the_rows_of_a_local_one(people: People) -> None:
    params = {"steps": 6, "designs_per_step": 5, "with_file": True, "use_files": True, "checkpoint_every": 2}
    local = start(people, **params)
    assert Worker("local", 1, claim.Offer()).look() == 1
    pulled = start(people, **params)
    site = LocalSite(worker_token(people.owner, people.project.slug))
    assert pull_worker(site).look() == 1
    expected, found = rows_of(local), rows_of(pulled)
    assert found.pop("run") == expected.pop("run")
    for name, rows in expected.items():
        assert found[name] == rows, name
    pulled.refresh_from_db()
    assert pulled.status == "done" and pulled.computed_s > 0
    assert pulled.platform["worker"].startswith("node1:7 (token ")


def test_a_run_goes_on_elsewhere_from_its_checkpoint_when_the_wall_time_ends(people: People) -> None:
    run = start(people, steps=6, checkpoint_every=2)
    site = LocalSite(worker_token(people.owner))
    drained = pull_worker(site)
    drained.signals.wall_s = 7200.0
    site.after["step"] = drained.signals.drain.set
    assert drained.look() == 1
    run.refresh_from_db()
    assert (run.status, run.step_number, run.attempts_without_checkpoint) == ("queued", 2, 0)
    assert pull_worker(LocalSite(worker_token(people.owner, people.project.slug)), name="node2:8").look() == 1
    run.refresh_from_db()
    assert (run.status, run.attempt, run.step_number) == ("done", 2, 6)
    whole = start(people, steps=6, checkpoint_every=2)
    assert Worker("local", 1, claim.Offer()).look() == 1
    for name in ("chunks", "results"):
        assert rows_of(run)[name] == rows_of(whole)[name], name


def test_a_wall_time_too_short_for_a_checkpoint_is_told_and_ends_the_run_at_last(people: People) -> None:
    run = start(people, steps=6, checkpoint_every=5, hold_at=2, hold_until="/nowhere")
    site = LocalSite(worker_token(people.owner))
    for attempt in (1, 2, 3):
        worker = pull_worker(site)
        worker.signals.wall_s = 0.01
        worker.signals.drain = Flag(lambda site=site: "step" in site.calls)
        site.calls.clear()
        site.after["step"] = worker.signals.leave.set
        worker.look()
        run.refresh_from_db()
        assert run.attempt == attempt
    assert run.status == "failed" and len(run.outcome_detail["reasons"]) == 3
    assert "too short for one step of this run" in run.outcome_detail["reasons"][0]["reason"]


def test_requests_are_repeated_and_a_lost_answer_stores_nothing_twice(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.runs.pull.site._PAUSES_S", (0.0,))
    run = start(people, steps=3)
    site = LocalSite(worker_token(people.owner))
    site.lost_answers = {"assignment", "rewind", "platform", "step", "log", "renew", "documents", "put_file"}
    assert pull_worker(site).look() == 1
    whole = start(people, steps=3)
    assert pull_worker(site).look() == 1
    expected, found = rows_of(whole), rows_of(run)
    assert found == expected and site.calls.count("step") == 7


def test_a_stop_reaches_a_pull_worker(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_access.SiteAccess, "renew_every_s", 0.0)
    run = start(people, steps=1000, step_seconds=0.05)
    site = LocalSite(worker_token(people.owner))
    site.after["step"] = lambda: Run.objects.filter(pk=run.pk).update(wish="stop")
    assert pull_worker(site).look() == 1
    run.refresh_from_db()
    assert run.status == "stopped" and 1 <= run.step_number < 1000


def test_workers_take_runs_of_their_token_in_fair_turns_and_are_counted(people: People) -> None:
    foreign = service.start(people.stranger, {"engine": "toy", "seed": 3})
    first, second = start(people, steps=1), start(people, steps=1)
    mine = service.start(people.owner, {"engine": "toy", "params": {"steps": 1}, "seed": 3})
    worker = pull_worker(LocalSite(worker_token(people.owner)))
    order = []
    while worker._look_once():
        order.append(Run.objects.order_by("-finished").values_list("pk", flat=True).exclude(finished=None)[0])
    assert order == [first.pk, mine.pk, second.pk]  # the project that was served comes last
    foreign.refresh_from_db()
    assert foreign.status == "queued"
    beat = WorkerBeat.objects.get()
    assert beat.name.startswith("node1:7 (token ") and beat.offers == "data"
    WorkerBeat.objects.update(draining=True)
    start(people, steps=1)
    assert not worker._look_once()
    worker.queue.forget(worker.name)
    assert not WorkerBeat.objects.exists()
    people.stranger.is_staff = True
    people.stranger.save()
    assert pull_worker(LocalSite(worker_token(people.stranger))).look() == 2  # an administrator's takes all


def test_a_token_of_another_scope_another_version_and_another_worker_are_refused(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start(people, steps=1)
    for scope in ("read", "run", "write", "agent"):
        told: list[str] = []
        token = make_token(people.owner, scope, scope, people.project.slug)[1]
        assert pull_worker(LocalSite(token), told).look() == 0
        assert len(told) == 1 and "scope" in told[0], told
    site = LocalSite(worker_token(people.owner))
    with monkeypatch.context() as patch:
        patch.setattr(site_access, "fingerprint", lambda: "0" * 32)
        assert pull_worker(site, told).look() == 0
    assert "install Paretoscope" in told[-1] and told[-1].count(". ") == 0
    for path in ("runs/", "engines/", "tokens/"):
        answer = site.client.get(f"/api/v1/{path}")
        assert answer.status_code == 403 and "scope worker" in answer.json()["message"]
    access = pull_worker(site).queue.take("node1:7", claim.Offer())
    assert access is not None and access.fencing_token.run_id == run.pk
    other = site_access.SiteAccess(
        LocalSite(worker_token(people.owner, people.project.slug)), access.fencing_token, site_access.Sign()
    )
    with pytest.raises(FencedOutError):
        other.renew()
    stranger = LocalSite(worker_token(people.stranger))
    with pytest.raises(FencedOutError):
        site_access.SiteAccess(stranger, access.fencing_token, site_access.Sign()).renew()


@pytest.mark.parametrize(
    ("call", "values", "field"),
    [
        ("steps", {}, "call"),
        ("step", {"number": 0, "frame": b"", "hypervolume": None, "reference": None, "curve": None}, "number"),
        ("renew", {"slots": 1, "busy": "no", "abilities": []}, "busy"),
        ("designs", {"after": 0, "secret": 1}, "secret"),
    ],
)
def test_what_a_worker_sends_is_checked(people: People, call: str, values: dict[str, Any], field: str) -> None:
    start(people, steps=1)
    access = pull_worker(LocalSite(worker_token(people.owner))).queue.take("node1:7", claim.Offer())
    with pytest.raises(SiteError, match=field) as refused:
        access.call(call, **values)  # type: ignore[union-attr]
    assert refused.value.status == 400


@pytest.mark.parametrize("change", ["scalars", "metrics", "files", "kind"])
def test_a_step_that_breaks_the_contract_is_refused(people: People, change: str) -> None:
    start(people, steps=1)
    access = pull_worker(LocalSite(worker_token(people.owner))).queue.take("node1:7", claim.Offer())
    assert isinstance(access, site_access.SiteAccess)
    frame = step(1)
    if change == "scalars":
        frame = replace(frame, designs=(replace(frame.designs[0], scalars=b"rubbish"),))
    elif change == "metrics":
        frame = replace(frame, metrics={"beauty": 1.0})
    elif change == "files":
        frame = replace(frame, files=(FileEntry("weights", "text/plain", "0" * 64, 1),))
    else:
        frame = Log("info", "not a step", 0.0)
    with pytest.raises(SiteError) as refused:
        access.store_step(1, frame, None, None)
    assert refused.value.status == 400 and not StepRecord.objects.exists()
