"""What goes beyond a limit is refused at the edge, whoever asks, with what is left."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections

from tests.support.live import LiveSite
from tests.support.stored_runs import People, finished_run
from webapp.limits.errors import LimitReachedError
from webapp.limits.models import PersonLimits, ProjectLimits
from webapp.runs import service as runs
from webapp.runs.models import Run
from webapp.runs.storage.document_files import store_with_file
from webapp.studies import service as studies
from webapp.teams.errors import TeamError
from webapp.teams.models import Project

TOY = {"engine": "toy"}


def start(people: People, **document: Any) -> Run:
    return runs.start(people.owner, {**TOY, **document}, people.project)


def test_runs_that_wait_or_compute_are_limited_for_a_person_and_a_project(people: People) -> None:
    PersonLimits.objects.create(person=people.owner, active_runs=2)
    first = start(people)
    start(people, seed=2)
    with pytest.raises(LimitReachedError) as refused:
        start(people, seed=3)
    error = refused.value
    assert (error.field, error.got, error.limit, error.used, error.left) == ("active_runs", 1, 2, 2.0, 0.0)
    assert str(error).startswith(
        "active_runs: You have 2 of 2 runs waiting or computing; 0 left, and this needs 1 more."
    )
    runs.start(people.editor, TOY, people.project)  # another person's limit is another one
    runs.request_stop(people.owner, first)
    start(people, seed=3)
    ProjectLimits.objects.create(project=people.project, active_runs=3)
    with pytest.raises(LimitReachedError, match="The project has 3 of 3 runs"):
        runs.start(people.editor, {**TOY, "seed": 2}, people.project)
    runs.start(people.editor, TOY)  # in their own project


def test_a_stopped_run_goes_on_only_where_there_is_room(people: People) -> None:
    run = start(people)
    runs.request_stop(people.owner, run)
    PersonLimits.objects.create(person=people.owner, active_runs=1)
    start(people, seed=2)
    with pytest.raises(LimitReachedError):
        runs.continue_run(people.owner, run)


def test_a_study_needs_room_for_all_its_cells(people: People) -> None:
    grid = {"engine": "toy", "seeds": [1, 2, 3]}
    limits = PersonLimits.objects.create(person=people.owner, study_cells=4)
    studies.create(people.owner, grid, people.project)
    with pytest.raises(LimitReachedError) as refused:
        studies.create(people.owner, {**grid, "seeds": [4, 5]}, people.project)
    assert (refused.value.field, refused.value.got, refused.value.left) == ("study_cells", 2, 1.0)
    limits.study_cells, limits.active_runs = None, 4
    limits.save()
    with pytest.raises(LimitReachedError, match="3 of 4 runs waiting"):
        studies.create(people.owner, {**grid, "seeds": [4, 5]}, people.project)
    assert studies.create(people.owner, {**grid, "seeds": [4]}, people.project).runs.count() == 1


def test_a_full_store_takes_no_runs_no_files_and_no_copies(people: People) -> None:
    run = finished_run(people)
    Run.objects.filter(pk=run.pk).update(stored_bytes=2_000_000)
    ProjectLimits.objects.create(project=people.project, stored_mb=2)
    with pytest.raises(LimitReachedError) as refused:
        start(people)
    assert (refused.value.field, refused.value.left) == ("stored_mb", 0.0)
    with pytest.raises(LimitReachedError, match=r"this needs 0\.1 more|room"):
        store_with_file(people.owner, people.project, {"schema": "data/1"}, b"x" * 100_000)
    other = Project.objects.create(slug="other", title="Other")
    other.memberships.create(user=people.owner, role="editor")
    ProjectLimits.objects.create(project=other, stored_mb=1)
    from webapp.moving.service import copy

    with pytest.raises(TeamError, match="0 of 1 MB stored; 1 left, and this needs 2 more"):
        copy(people.owner, "run", run.pk, "other")


def test_time_and_memory_of_one_run(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_RUN_MINUTES_MAX = 10
    assert start(people).stop_after_minutes == 10.0, "the limit stands in the run, where people see it"
    assert start(people, stop_after_minutes=2, seed=2).stop_after_minutes == 2.0
    with pytest.raises(LimitReachedError, match="at most 10 min here"):
        start(people, stop_after_minutes=11, seed=3)
    PersonLimits.objects.create(person=people.owner, run_memory_mb=1)
    with pytest.raises(LimitReachedError) as refused:
        start(people, seed=4)
    assert refused.value.field == "memory_mb" and refused.value.limit == 1


def test_a_run_goes_on_for_no_longer_than_it_may(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_RUN_MINUTES_MAX = 10
    run = start(people, stop_after_minutes=6)
    Run.objects.filter(pk=run.pk).update(status="stopped", computed_s=360.0)
    with pytest.raises(LimitReachedError) as refused:
        runs.continue_run(people.owner, run, 5)
    assert refused.value.field == "more_minutes" and refused.value.left == pytest.approx(4.0)
    assert runs.continue_run(people.owner, run).run.stop_after_minutes == pytest.approx(10.0)  # not 12
    Run.objects.filter(pk=run.pk).update(status="stopped", computed_s=600.0)
    with pytest.raises(LimitReachedError, match="nothing of that is left"):
        runs.continue_run(people.owner, run)


def test_two_starts_at_the_same_moment_do_not_both_take_the_last_place(live_site: LiveSite) -> None:
    PersonLimits.objects.create(person=live_site.ann, active_runs=3)
    refused = []

    def begin(seed: int) -> None:
        try:
            live_site.start(seed=seed)
        except LimitReachedError as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=begin, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (Run.objects.filter(status="queued").count(), len(refused)) == (3, 5)
