"""Removing for good, and saying what goes."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.support.stored_runs import People, finished_run, make_people
from webapp.deletions.service import delete
from webapp.runs.models import DesignChunk, FileBlob, LogLine, Run


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


def said(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("purge", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_what_was_deleted_long_ago_goes_with_everything_of_it(people: People) -> None:
    old, young, there = finished_run(people), finished_run(people), finished_run(people)
    for run in (old, young):
        delete(people.owner, "run", run.pk)
    Run.objects.filter(pk=old.pk).update(deleted=timezone.now() - timedelta(days=31))
    old.refresh_from_db()
    told = f"run {old.pk} “Toy run” of Lab, {old.design_count} designs"
    dry = said("--dry-run")
    assert dry[0].startswith(told) and dry[1] == "Would be removed for good: 1." and Run.objects.count() == 3
    done = said()
    assert done[0] == dry[0] and done[1] == "Removed for good: 1."
    assert set(Run.objects.all()) == {young, there}
    for model in (LogLine, DesignChunk):
        assert set(model.objects.values_list("run", flat=True)) == {young.pk, there.pk}
    assert not FileBlob.objects.filter(uses=None, documents=None).exists()
    assert said() == ["Removed for good: 0."]


def test_days_are_a_number(people: People) -> None:
    run = finished_run(people)
    delete(people.owner, "run", run.pk)
    assert said("--days", "1") == ["Removed for good: 0."] and len(said("--days", "0")) == 2
