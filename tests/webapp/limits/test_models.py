"""Limits go with whom they are of."""

from __future__ import annotations

from tests.support.stored_runs import People
from webapp.limits.models import PersonLimits, ProjectLimits


def test_they_name_whose_they_are_and_end_with_them(people: People) -> None:
    of_person = PersonLimits.objects.create(person=people.stranger, active_runs=1)
    of_project = ProjectLimits.objects.create(project=people.project, stored_mb=1)
    assert str(of_person) == "Limits of sam" and str(of_project) == "Limits of Lab"
    people.stranger.delete()
    assert not PersonLimits.objects.exists() and ProjectLimits.objects.count() == 1
