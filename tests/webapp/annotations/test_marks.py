"""Tags of a project, and everybody's own stars."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, finished_run
from webapp.annotations.marks import (
    MOST_TAGS,
    Marks,
    favourites,
    marks_of,
    set_star,
    set_tags,
    starred,
    tag_counts,
    tagged,
)
from webapp.annotations.models import Tag
from webapp.deletions.service import delete
from webapp.runs.models import Run
from webapp.teams.permissions import NotAllowed, NotVisible


def test_editors_set_tags_and_all_who_see_the_thing_see_them(people: People, run: Run) -> None:
    assert set_tags(people.editor, "run", run.pk, ["Paper", " for  review", "paper"]) == ("for review", "paper")
    kept = Tag.objects.get(word="paper").pk
    set_tags(people.owner, "run", run.pk, ["paper", "done"])
    assert marks_of(people.viewer, "run", [run.pk])[run.pk].tags == ("done", "paper")
    assert Tag.objects.get(word="paper").pk == kept, "what stays is not made anew"
    assert tag_counts(people.viewer) == [("done", 1), ("paper", 1)]
    assert tag_counts(people.stranger) == [] and tag_counts(people.viewer, "study") == []
    with pytest.raises(NotAllowed):
        set_tags(people.viewer, "run", run.pk, [])
    with pytest.raises(NotVisible):
        set_tags(people.stranger, "run", run.pk, [])
    for wrong in (["a,b"], ["\0"], [3], [str(number) for number in range(MOST_TAGS + 1)]):
        with pytest.raises(ProblemError):
            set_tags(people.owner, "run", run.pk, wrong)
    assert set(Run.objects.filter(pk__in=tagged("run", "Paper"))) == {run}


def test_a_star_is_ones_own(people: People, run: Run, django_assert_num_queries: Any) -> None:
    other = finished_run(people)
    set_star(people.viewer, "run", run.pk, True)
    set_star(people.viewer, "run", run.pk, True)
    set_tags(people.editor, "run", run.pk, ["paper"])
    with django_assert_num_queries(1):
        found = marks_of(people.viewer, "run", [run.pk, other.pk])
    assert found == {run.pk: Marks(("paper",), True), other.pk: Marks()}
    assert marks_of(people.owner, "run", [run.pk])[run.pk] == Marks(("paper",))
    assert set(Run.objects.filter(pk__in=starred(people.viewer, "run"))) == {run}
    assert favourites(people.viewer) == [("run", run)] and favourites(people.owner) == []
    with pytest.raises(NotVisible):
        set_star(people.stranger, "run", run.pk, True)
    delete(people.owner, "run", run.pk)
    assert favourites(people.viewer) == []


def test_a_star_is_taken_back(people: People, run: Run) -> None:
    set_star(people.viewer, "run", run.pk, True)
    set_star(people.viewer, "run", run.pk, False)
    assert favourites(people.viewer) == []
