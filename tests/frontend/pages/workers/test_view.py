"""The page of the workers says what each does."""

from __future__ import annotations

import pytest

from frontend.pages.workers.view import workers_view
from tests.support.stored_runs import make_people
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.queue.workers import beat, drain

pytestmark = pytest.mark.django_db


def test_what_they_offer_and_do_and_what_went_wrong(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    people = make_people()
    people.stranger.is_staff = True
    empty = str(workers_view(people.stranger))
    assert "No worker has reported in the last minute" in empty and "No attempt of a run has failed" in empty
    run = service.start(people.owner, {"engine": "toy"}, people.project)
    beat("host:7", 2, 1, claim.Offer(frozenset({"torch"}), short_only=True))
    assert claim.claim_this("host:7", run.pk)
    reason = {"attempt": 1, "worker": "host:6", "reason": "Killed by signal 9"}
    Run.objects.filter(pk=run.pk).update(attempt=2, attempt_reasons=[reason])
    shown = str(workers_view(people.stranger))
    for words in ("host:7", "torch", "short runs only", "1 of 2 busy", "ann in Lab", "Drain", "Killed by signal 9"):
        assert words in shown, words
    drain("host:7", draining=True)
    drained = str(workers_view(people.stranger))
    assert "Take runs again" in drained and "draining" in drained and "can be ended" not in drained
    Run.objects.update(status="done")
    assert "nothing left to finish" in str(workers_view(people.stranger))
