from __future__ import annotations

from types import SimpleNamespace

from tests.support.stored_runs import People
from webapp.teams.choice import choose, chosen
from webapp.teams.visibility import personal_project


def test_the_chosen_project_counts_as_long_as_one_may_make_things_there(people: People) -> None:
    request = SimpleNamespace(session={})
    assert chosen(request, people.owner) == personal_project(people.owner)
    choose(request, people.project)
    assert chosen(request, people.owner) == people.project
    assert chosen(request, people.stranger) == personal_project(people.stranger)
    assert chosen(None, people.owner) == personal_project(people.owner)
