"""Which limits hold."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from webapp.limits import effective_limits
from webapp.limits.models import PersonLimits, ProjectLimits


def test_nothing_is_limited_but_memory_unless_somebody_says_so(people: People) -> None:
    assert (
        effective_limits.of_project(people.project.pk).unlimited
        and effective_limits.of_person(people.owner.pk).unlimited
    )
    assert effective_limits.of_run(people.project.pk, people.owner.pk) == effective_limits.RunAllowance(None, 16384.0)


def test_an_administrators_limit_takes_the_place_of_the_sites_and_zero_lifts_it(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_PERSON_RUNS, settings.PARETOSCOPE_PROJECT_MB = 5, 100
    assert effective_limits.of_person(people.owner.pk).active_runs == 5
    PersonLimits.objects.create(person=people.owner, active_runs=9)
    PersonLimits.objects.create(person=people.editor, active_runs=0)
    ProjectLimits.objects.create(project=people.project, study_cells=7)
    assert effective_limits.of_person(people.owner.pk).active_runs == 9
    assert effective_limits.of_person(people.editor.pk).active_runs is None
    assert effective_limits.of_person(people.viewer.pk).active_runs == 5
    assert effective_limits.of_project(people.project.pk) == effective_limits.Allowance(None, 100, 7)


def test_the_tighter_limit_of_a_run_holds(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_RUN_MINUTES_MAX = 60
    ProjectLimits.objects.create(project=people.project, run_minutes=30, run_memory_mb=0)
    PersonLimits.objects.create(person=people.owner, run_minutes=45, run_memory_mb=2048)
    assert effective_limits.of_run(people.project.pk, people.owner.pk) == effective_limits.RunAllowance(30.0, 2048.0)
    assert effective_limits.of_run(people.project.pk, people.editor.pk) == effective_limits.RunAllowance(30.0, 16384.0)
