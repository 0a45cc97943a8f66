"""Actor outside of a request."""

from __future__ import annotations

from tests.support.stored_runs import People, finished_run
from tests.webapp.changes.cases import newest
from webapp.base.actor import command_line
from webapp.changes.models import Change
from webapp.runs import service
from webapp.teams.command_line import command_user


def test_nothing_is_written_down_where_nobody_acts(people: People) -> None:
    finished_run(people)
    assert not Change.objects.exists()


def test_a_command_acts_for_the_person_it_names(people: People) -> None:
    with command_line():
        service.create(command_user("ann"), {"engine": "toy"}, people.project)
    made = newest(verb="made", content_type__model="run")
    assert (made.who, made.means) == ("ann", "command")
