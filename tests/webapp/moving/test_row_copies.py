"""A copy of a run in another project."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.moving.row_copies import _PARTS
from webapp.moving.service import copy
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.teams.models import Project

pytestmark = pytest.mark.django_db


def test_a_copy_has_everything_and_leaves_the_run_alone(people: People, run: Run, elsewhere: Project) -> None:
    made = copy(people.viewer, "run", run.pk, elsewhere.slug)
    assert (made.project, made.owner, made.title, made.pk == run.pk) == (elsewhere, people.viewer, run.title, False)
    for part in _PARTS:
        rows = [part._default_manager.filter(run=each).count() for each in (run, made)]
        assert rows[0] == rows[1], part
    assert readers.stored_count(made.pk) == readers.stored_count(run.pk) == run.design_count
    assert Run.objects.get(pk=run.pk).project == people.project
