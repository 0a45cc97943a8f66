"""What administrators see of workers, and that only they do."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, make_people
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.queue.worker_overview import last_errors, set_draining, worker_lines
from webapp.runs.queue.workers import beat, live_workers, missing_for
from webapp.runs.worker.worker import Worker
from webapp.teams.permissions import NotAllowed


@pytest.fixture
def people(db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    found = make_people()
    found.stranger.is_staff = True
    found.stranger.save()
    return found


def test_workers_with_their_runs(people: People) -> None:
    run = service.start(people.owner, {"engine": "toy"}, people.project)
    beat("one", 2, 1, claim.Offer(frozenset({"torch"})))
    assert claim.claim_this("one", run.pk)
    (line,) = worker_lines(people.stranger)
    assert line.alive and [each.pk for each in line.runs] == [run.pk] and line.beat.offers == "torch"
    for refused in (people.owner, people.viewer):
        with pytest.raises(NotAllowed):
            worker_lines(refused)
        with pytest.raises(NotAllowed):
            last_errors(refused)
        with pytest.raises(NotAllowed):
            set_draining(refused, "one", draining=True)


def test_a_draining_worker_takes_no_run_until_it_is_told_otherwise(people: People) -> None:
    run = service.start(people.owner, {"engine": "toy"}, people.project)
    worker = Worker("one", 1, claim.Offer())
    beat("one", 1, 0, worker.offer)
    assert set_draining(people.stranger, "one", draining=True) and not set_draining(
        people.stranger, "two", draining=True
    )
    beat("one", 1, 0, worker.offer)  # its own sign of life changes nothing
    assert worker.look() == 0
    run.refresh_from_db()
    assert run.status == "queued" and "is draining them" in str(missing_for(run, live_workers()))
    set_draining(people.stranger, "one", draining=False)
    assert missing_for(run, live_workers()) is None


def test_errors_of_failed_runs_and_of_those_that_go_on(people: People) -> None:
    assert last_errors(people.stranger) == []
    reason = {"attempt": 1, "worker": "one", "reason": "Memory limit reached"}
    for seed, status in ((1, "failed"), (2, "running"), (3, "done")):
        run = service.start(people.owner, {"engine": "toy", "seed": seed}, people.project)
        Run.objects.filter(pk=run.pk).update(status=status, attempt=2, attempt_reasons=[reason])
    found = last_errors(people.stranger)
    assert [(error.run.seed, error.worker, error.attempt, error.reason) for error in found] == [
        (2, "one", 1, "Memory limit reached"),
        (1, "one", 1, "Memory limit reached"),
    ]
