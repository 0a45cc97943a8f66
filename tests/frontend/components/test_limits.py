"""What is left is shown to people, in words and units."""

from __future__ import annotations

import pytest

from frontend.components.limits import left_beside_start, left_words, limits_card, one_run_words
from tests.support.stored_runs import make_people
from webapp.limits.effective_limits import RunAllowance
from webapp.limits.models import PersonLimits
from webapp.limits.usage import Use
from webapp.runs.models import Run
from webapp.teams.visibility import personal_project

pytestmark = pytest.mark.django_db


def test_the_card_says_what_is_left_of_each_limit() -> None:
    people = make_people()
    PersonLimits.objects.create(person=people.owner, stored_mb=2000, run_minutes=90)
    text = str(limits_card(people.project, people.owner.pk))
    assert "no limit" in text and "2.00\\xa0GB" in text
    assert "at most 90 min" in text and "of memory" in text


def test_little_room_is_said_beside_start(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from webapp.runs import service

    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    people = make_people()
    limits = PersonLimits.objects.create(person=people.owner, active_runs=5)
    project = personal_project(people.owner)
    for seed in range(3):
        service.start(people.owner, {"engine": "toy", "seed": seed}, project)
    assert left_beside_start(people.owner) == []
    limits.active_runs = 3
    limits.save()
    assert "0 of 3 left for you" in str(left_beside_start(people.owner))
    Run.objects.all().delete()
    assert left_beside_start(people.owner) == []


def test_words_have_units() -> None:
    assert (
        left_words(Use("stored_mb", "project", 500.0, 1000)) == "Stored: 500\xa0MB of 1.00\xa0GB left for this project"
    )
    assert left_words(Use("stored_mb", "person", 2.0, 1)) == "Stored: 0\xa0B of 1.00\xa0MB left for you"
    assert one_run_words(RunAllowance(None, None)) == "One run may compute for any time, with no memory limit."
