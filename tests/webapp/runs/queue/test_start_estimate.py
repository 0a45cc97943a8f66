"""When a queued run is likely to begin, from plans and from how long runs took of late."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, make_people
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue.claim import Offer, claim_this
from webapp.runs.queue.start_estimate import Wait, expected_wait, left_of
from webapp.runs.queue.workers import beat, drain


@pytest.fixture
def people(db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


def queued(people: People, owner: object, seed: int, estimated_s: float) -> Run:
    run = service.start(owner, {"engine": "toy", "seed": seed}, people.project)  # type: ignore[arg-type]
    Run.objects.filter(pk=run.pk).update(estimated_s=estimated_s)
    return Run.objects.get(pk=run.pk)


def test_turns_are_played_through(people: People) -> None:
    runs = [queued(people, people.owner, seed, 100.0) for seed in range(3)]
    eves = queued(people, people.editor, 1, 40.0)
    assert expected_wait(runs[0]) is None, "no worker is up"
    beat("one", 1, 0, Offer())
    assert expected_wait(runs[0]) == Wait(0, 0.0)
    assert expected_wait(eves) == Wait(1, 100.0), "who was never served does not wait for another's second"
    assert expected_wait(runs[1]) == Wait(2, 140.0)
    beat("two", 1, 0, Offer())
    assert expected_wait(runs[1]) == Wait(2, 40.0)
    drain("two", draining=True)
    assert expected_wait(runs[1]) == Wait(2, 140.0)


def test_what_computes_now_counts(people: People) -> None:
    first, second = (queued(people, people.owner, seed, 100.0) for seed in range(2))
    beat("one", 1, 0, Offer())
    assert claim_this("one", first.pk)
    Run.objects.filter(pk=first.pk).update(computed_s=30.0, fraction=0.6)
    assert expected_wait(second) == Wait(0, pytest.approx(20.0))  # type: ignore[arg-type]
    Run.objects.filter(pk=first.pk).update(computed_s=0.0, fraction=0.0)
    assert expected_wait(second) == Wait(0, 100.0)


def test_a_time_limit_bounds_what_is_left() -> None:
    assert left_of(Run(estimated_s=500.0, stop_after_minutes=2.0, computed_s=30.0)) == 90.0
    assert left_of(Run(estimated_s=10.0, computed_s=30.0)) == 0.0
