"""What is stored to be sent when runs and studies end."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from engines.contract.engine import Infeasibility
from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import RunStore
from webapp.studies import service as studies
from webapp.webhooks.models import Delivery, Event, Webhook
from webapp.webhooks.service import change_webhook, make_webhook

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture(autouse=True)
def _no_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)


@pytest.fixture
def hook(people: People) -> Webhook:
    return make_webhook(people.owner, people.project, "https://example.org/hook", list(Event.values))[0]


def taken(run: Run) -> RunStore:
    """Return the store of a run that a keeper holds."""
    Run.objects.filter(pk=run.pk).update(status="running", outcome="", attempt=1)
    return RunStore(FencingToken(run.pk, 1))


def told() -> list[tuple[str, Any]]:
    return [(each.event, json.loads(each.body)) for each in Delivery.objects.order_by("pk")]


def test_a_run_that_is_done_is_told_with_what_one_asks_first(people: People, hook: Webhook) -> None:
    run = finished_run(people)
    taken(run).finish(None)
    ((event, body),) = told()
    assert (event, body["type"], body["project"]) == ("run.done", "run.done", {"slug": "lab", "title": "Lab"})
    facts = body["run"]
    assert (facts["id"], facts["title"], facts["status"], facts["outcome"]) == (run.pk, "Toy run", "done", "feasible")
    assert (
        facts["url"].endswith(f"/runs/{run.pk}")
        and facts["owner"] == "ann"
        and facts["design_count"] == run.design_count
    )
    assert body["id"] == Delivery.objects.get().identifier


def test_failed_and_infeasible_runs_are_told_as_such(people: People, hook: Webhook) -> None:
    taken(finished_run(people)).fail({"kind": "raised", "text": "x"}, [])
    taken(finished_run(people)).finish(Infeasibility("latency_s", 2.0, 1.0, "s", 1.0, ()))
    assert [event for event, _ in told()] == ["run.failed", "run.infeasible"]


def test_a_run_whose_last_attempt_vanished_is_told(people: People, hook: Webhook) -> None:
    run = finished_run(people)
    past = timezone.now() - timedelta(minutes=1)
    Run.objects.filter(pk=run.pk).update(status="running", lease_expires=past, attempts_without_checkpoint=3)
    assert claim.sweep() == 1
    assert [event for event, _ in told()] == ["run.failed"]


def test_a_run_that_stops_has_not_ended(people: People, hook: Webhook) -> None:
    taken(finished_run(people)).stop()
    assert told() == []


def test_what_nobody_asked_for_is_not_told(people: People, hook: Webhook) -> None:
    change_webhook(people.owner, hook.pk, events=["run.failed"])
    taken(finished_run(people)).finish(None)
    change_webhook(people.owner, hook.pk, active=False)
    taken(finished_run(people)).fail({"kind": "raised", "text": "x"}, [])
    Run.objects.update(deleted=timezone.now())
    assert told() == []


def test_it_is_there_exactly_when_the_end_of_the_run_is(people: People, hook: Webhook) -> None:
    run = finished_run(people)
    with transaction.atomic():
        taken(run).finish(None)
        transaction.set_rollback(True)
    assert told() == []


def test_a_study_is_told_with_its_last_run(people: People, hook: Webhook) -> None:
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1, 2], "title": "Two"}, project=people.project)
    first, second = study.runs.order_by("pk")
    taken(first).finish(None)
    assert [event for event, _ in told()] == ["run.done"]
    taken(second).fail({"kind": "raised", "text": "x"}, [])
    event, body = told()[-1]
    assert (
        event == "study.done" and body["study"]["title"] == "Two" and body["study"]["runs"] == {"done": 1, "failed": 1}
    )
    assert body["study"]["id"] == study.pk and len(told()) == 3
