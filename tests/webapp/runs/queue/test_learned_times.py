"""How long runs are likely to compute: by the plan, corrected by how long the last runs took on this installation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.stored_runs import People, make_people
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue.learned_times import START_S, expected_s, time_factor


@pytest.fixture
def people(db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


def ended(people: People, seed: int, took_s: float, said_s: tuple[float, float], **fields: Any) -> None:
    run = service.start(people.owner, {"engine": "toy", "seed": seed}, people.project)
    facts = {"status": "done", "computed_s": took_s, "finished": timezone.now(), "plan": {"time_s": said_s}}
    Run.objects.filter(pk=run.pk).update(**facts, **fields)


def took(times: float, said_s: tuple[float, float] = (2.0, 8.0)) -> float:
    return expected_s(said_s, times)


def test_without_a_run_the_plan_is_right(people: People) -> None:
    assert time_factor("toy") == 1.0
    assert expected_s((2.0, 8.0), 1.0) == START_S + 4.0


def test_the_median_of_the_last_twenty_runs_corrects_the_plan(people: People) -> None:
    ended(people, 0, 4000.0, (2.0, 8.0))  # more than twenty runs ago
    for seed in range(1, 21):
        ended(people, seed, took(3.0), (2.0, 8.0))
    ended(people, 21, 900.0, (2.0, 8.0))  # one that the machine slept through
    ended(people, 22, 900.0, (2.0, 8.0), imported={"url": "elsewhere"})
    assert time_factor("toy") == pytest.approx(3.0)
    run = service.start(people.owner, {"engine": "toy", "seed": 99}, people.project)
    assert run.estimated_s == pytest.approx(expected_s(tuple(run.plan["time_s"]), 3.0))


def test_of_an_engine_without_runs_all_engines_tell(people: People) -> None:
    ended(people, 0, took(2.0), (2.0, 8.0), engine="another")
    assert time_factor("toy") == pytest.approx(2.0)
    ended(people, 1, took(4.0), (2.0, 8.0))
    assert time_factor("toy") == pytest.approx(4.0)


def test_runs_of_milliseconds_say_little_of_long_ones(people: People) -> None:
    ended(people, 0, 3 * START_S, (0.001, 0.001), engine="another")  # its start took most of it
    assert time_factor("toy") == pytest.approx(3.0, rel=0.01)


def test_the_last_runs_of_all_engines_say_how_busy_the_machine_is(people: People) -> None:
    for seed in range(3):
        ended(people, seed, took(1.0), (2.0, 8.0))
        ended(people, 10 + seed, took(2.0), (2.0, 8.0), engine="another")
    assert time_factor("toy") == pytest.approx(1.0)
    for seed in range(20, 23):
        ended(people, seed, took(10.0), (2.0, 8.0), engine="another")
        ended(people, 10 + seed, took(1.0), (2.0, 8.0), engine="rare")
    assert time_factor("toy") == pytest.approx(1.0)  # "rare" is no busier than ever
    for seed in range(40, 44):
        ended(people, seed, took(30.0), (2.0, 8.0), engine="another")
    assert time_factor("toy") == pytest.approx(3.0)
    Run.objects.update(finished=timezone.now() - timedelta(hours=2))
    assert time_factor("toy") == pytest.approx(1.0)  # that was then
