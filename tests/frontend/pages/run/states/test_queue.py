"""What a poll tells of a run that waits: it changes while the page is open."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from frontend.live.state import STATE_PATH
from frontend.pages.run.states import queue
from tests.support.stored_runs import People
from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue.claim import Offer
from webapp.runs.queue.workers import beat


def told(people: People, run: Run) -> Any:
    client = Client()
    client.force_login(people.viewer)
    return client.get(f"{STATE_PATH}{run.pk}").json().get("queue")


def test_a_poll_says_that_there_is_no_worker_and_when_there_is_one(
    people: People, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(people, run) is None
    monkeypatch.setattr(queue, "KEPT_S", -1.0)
    waiting_since = timezone.now() - timedelta(seconds=10)
    Run.objects.filter(pk=run.pk).update(status="queued", wish="run", queued_at=waiting_since)
    assert told(people, run).startswith("No worker is running.")
    beat("one", 1, 0, Offer(frozenset()))
    assert told(people, run).startswith("No worker has taken the run, though its turn is now.")
    Run.objects.filter(pk=run.pk).update(queued_at=timezone.now())
    assert told(people, run) == "No run before it, estimated to start at once."
    WorkerBeat.objects.update(busy=1, draining=True)
    assert "an administrator is draining them" in told(people, run)
