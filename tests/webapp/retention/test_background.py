"""Once a day, by one worker, without anybody asking."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.live import LiveSite
from tests.support.stored_runs import finished_run, make_people
from webapp.changes.models import Change
from webapp.retention.background import look
from webapp.retention.models import LastRetention
from webapp.runs.models import Run

OLD = timedelta(days=31)


@pytest.fixture
def gone(db: Any, toys: None) -> Run:
    run = finished_run(make_people())
    Run.objects.filter(pk=run.pk).update(deleted=timezone.now() - OLD)
    return run


def test_of_workers_that_look_one_applies_the_rules_once_a_day(gone: Run) -> None:
    assert look() is False
    assert not Run.objects.filter(pk=gone.pk).exists()
    entry = Change.objects.get(verb="purged", object_id=gone.pk)
    assert (entry.who, entry.means) == ("retention", "command")
    again = finished_run(make_people_once(gone))
    Run.objects.filter(pk=again.pk).update(deleted=timezone.now() - OLD)
    look()
    assert Run.objects.filter(pk=again.pk).exists(), "tomorrow"
    LastRetention.objects.update(at=timezone.now() - timedelta(days=1, seconds=1))
    look()
    assert not Run.objects.filter(pk=again.pk).exists() and LastRetention.objects.count() == 1


def test_a_day_is_a_day_after_the_clock_was_set_back(db: Any) -> None:
    LastRetention.objects.create(pk=1, at=timezone.now() + timedelta(days=400))
    look()
    assert LastRetention.objects.get().at <= timezone.now()


def make_people_once(run: Run) -> Any:
    """The people who are there already."""
    from tests.support.stored_runs import People

    return People(run.project, run.owner, run.owner, run.owner, run.owner)


@pytest.mark.long
def test_a_real_worker_does_it(live_site: LiveSite) -> None:
    run = live_site.start(steps=1)
    Run.objects.filter(pk=run.pk).update(status="done", deleted=timezone.now() - OLD)
    live_site.worker()
    live_site.wait(lambda: not Run.objects.filter(pk=run.pk).exists(), "the deleted run is gone")
