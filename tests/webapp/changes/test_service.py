"""What is written down, by whom it is seen, and what filters leave."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from tests.webapp.changes.cases import newest, start_over_rest
from webapp.base.actor import command_line
from webapp.changes.service import ChangeQuery, page_of, people_of, read_asked, visible_changes
from webapp.runs import service


def test_members_see_what_was_done_in_their_projects_and_strangers_nothing(people: People) -> None:
    run = start_over_rest(people)
    assert run.pk in [change.object_id for change in visible_changes(people.viewer, ChangeQuery(kind="run"))]
    assert not visible_changes(people.stranger).exists()
    with command_line() as who:
        who.person = lambda: people.stranger
        people.stranger.set_password("another-password")
        people.stranger.save()
    assert [change.content_type.model for change in visible_changes(people.stranger)] == ["user"]
    assert not visible_changes(people.owner, ChangeQuery(kind="account")).exists()


def test_filters_leave_what_they_say(people: People) -> None:
    first, second = start_over_rest(people), start_over_rest(people)
    service.request_stop(people.owner, second)
    assert [c.object_id for c in visible_changes(people.owner, ChangeQuery(kind="run", number=first.pk))] == [first.pk]
    assert not visible_changes(people.owner, ChangeQuery(person="eve")).exists()
    assert people_of(people.owner) == ["ann"]
    today = newest().timestamp.date()
    assert visible_changes(people.owner, ChangeQuery(since=today, until=today)).count() == 2
    page, go_on = page_of(visible_changes(people.owner), 1)
    assert [change.object_id for change in page] == [second.pk] and go_on == page[0].pk
    assert [c.object_id for c in page_of(visible_changes(people.owner), 1, go_on)[0]] == [first.pk]


@pytest.mark.parametrize(
    "given",
    [{"kind": "cat"}, {"means": "post"}, {"verb": "x"}, {"since": "yesterday"}, {"number": "3"}, {"number": "-1"}],
)
def test_a_filter_that_means_nothing_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ProblemError):
        read_asked(given)
