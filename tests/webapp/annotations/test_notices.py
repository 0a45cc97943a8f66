"""What people are told, as long as they see what it is about."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser

from tests.support.stored_runs import People
from webapp.annotations.notes import write
from webapp.annotations.notices import mark_read, notices_of, unread_count
from webapp.deletions.service import delete, restore
from webapp.runs.models import Run


def test_a_notice_says_who_where_and_what(people: People, run: Run) -> None:
    write(people.editor, "run", run.pk, "**@vic** look", design=1)
    (line,) = notices_of(people.viewer)
    assert (line.who, line.title, line.place) == ("eve", "Toy run", f"/runs/{run.pk}?tab=notes&design=1")
    assert line.words == "@vic look" and line.unread
    assert notices_of(people.owner) == [] and notices_of(AnonymousUser()) == []


def test_marked_as_read_by_its_person_alone(people: People, run: Run, django_assert_num_queries: Any) -> None:
    for number in range(3):
        write(people.editor, "run", run.pk, f"@vic look {number}")
    first = notices_of(people.viewer)[-1]
    mark_read(people.editor, first.number)
    assert unread_count(people.viewer) == 3
    mark_read(people.viewer, first.number)
    assert unread_count(people.viewer) == 2
    mark_read(people.viewer)
    with django_assert_num_queries(1):
        assert unread_count(people.viewer) == 0
    assert len(notices_of(people.viewer)) == 3


def test_nothing_is_told_of_what_one_no_longer_sees(people: People, run: Run) -> None:
    note = write(people.editor, "run", run.pk, "@vic look").note
    delete(people.editor, "note", note.pk)
    assert notices_of(people.viewer) == [] and unread_count(people.viewer) == 0
    restore(people.editor, "note", note.pk)
    delete(people.owner, "run", run.pk)
    assert notices_of(people.viewer) == [] and unread_count(people.viewer) == 0
    restore(people.owner, "run", run.pk)
    assert unread_count(people.viewer) == 1
    people.project.memberships.filter(user=people.viewer).delete()
    assert notices_of(people.viewer) == [] and unread_count(people.viewer) == 0
