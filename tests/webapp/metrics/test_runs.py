from __future__ import annotations

from typing import Any

from django.db.models.functions import Now

from tests.support.stored_runs import finished_run, make_people
from webapp.metrics.runs import RunsCollector
from webapp.runs import service
from webapp.runs.models import Run, WorkerBeat


def told() -> dict[tuple[str, ...], float]:
    return {(s.name, *s.labels.values()): s.value for metric in RunsCollector().collect() for s in metric.samples}


def test_runs_queue_and_workers_are_counted(db: None, toys: None, django_assert_num_queries: Any) -> None:
    people = make_people()
    assert told()["paretoscope_runs", "done"] == told()["paretoscope_runs_waiting",] == 0
    finished_run(people)
    deleted = finished_run(people)
    for _ in range(3):
        last = service.create(people.owner, {"engine": "toy", "params": {}, "seed": 3}, people.project)
    Run.objects.filter(pk=deleted.pk).update(deleted=Now())
    Run.objects.filter(pk=last.pk).update(wish=Run.Wish.STOP)
    WorkerBeat.objects.create(name="one", seen=Now(), slots=4, busy=1)
    with django_assert_num_queries(4):
        found = told()
    assert {key[1]: value for key, value in found.items() if key[0] == "paretoscope_runs"} == {
        **dict.fromkeys(Run.Status.values, 0),
        "done": 1,
        "queued": 3,
    }
    assert found["paretoscope_runs_waiting",] == 2, "one is asked to stop"
    assert [found[f"paretoscope_worker{name}",] for name in ("s_alive", "_slots", "_slots_busy")] == [1, 4, 1]
    assert found["paretoscope_database_up",] == 1
