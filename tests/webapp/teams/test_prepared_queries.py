"""The question who sees a run, with its SQL written once: it must answer as the function that it was written from."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Q, QuerySet
from django.test.utils import CaptureQueriesContext

from tests.support.stored_runs import People, make_people
from webapp.runs import service
from webapp.runs.models import LogLine, Run
from webapp.runs.results.live_changes import get_followed_run
from webapp.teams.models import Membership
from webapp.teams.prepared_queries import PreparedQuery
from webapp.teams.visibility import NotVisible, require_visible


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    """A run of the toy that waits for a worker."""
    return service.create(people.owner, {"engine": "toy", "params": {}, "seed": 3}, people.project)


def sees(user: object, number: object) -> tuple[bool, bool]:
    """By the prepared question, and by the function."""
    found = []
    for ask in (lambda: get_followed_run(user, number), lambda: require_visible(user, Run.objects.all(), pk=number)):  # type: ignore[arg-type]
        try:
            found.append(ask().pk == int(str(number)))
        except NotVisible:
            found.append(False)
    return found[0], found[1]


def test_it_answers_as_the_function_does(people: People, run: Run) -> None:
    for user, wanted in (
        (people.owner, True),
        (people.viewer, True),
        (people.stranger, False),
        (AnonymousUser(), False),
    ):
        assert sees(user, run.pk) == (wanted, wanted)
    for nonsense in (run.pk + 1, 0, -1, "x", "1/2", "9" * 30):
        assert sees(people.owner, nonsense) == (False, False)


def test_who_leaves_or_is_switched_off_sees_nothing_at_the_next_poll(people: People, run: Run) -> None:
    assert sees(people.viewer, run.pk) == (True, True)
    Membership.objects.filter(user=people.viewer).delete()
    assert sees(people.viewer, run.pk) == (False, False)
    people.owner.is_active = False
    assert sees(people.owner, run.pk) == (False, False)


def test_a_poll_is_one_query_and_tells_what_is_stored(people: People, run: Run) -> None:
    LogLine.objects.create(run=run, number=10**6, attempt=1, level="info", text="newest")
    get_followed_run(people.viewer, run.pk)
    with CaptureQueriesContext(connection) as queries:
        found = get_followed_run(people.viewer, run.pk)
    assert len(queries) == 1
    names = (
        "pk",
        "status",
        "wish",
        "outcome",
        "attempt",
        "step_number",
        "evaluations",
        "fraction",
        "design_count",
        "active",
    )
    assert [getattr(found, name) for name in names] == [getattr(run, name) for name in names]
    assert found.last_log == 10**6


def test_a_query_fills_in_numbers_and_texts_and_must_name_each_once(people: People, run: Run) -> None:
    def titled(pk: int, title: str) -> QuerySet[Run, tuple[int, str]]:
        return Run.objects.filter(pk=pk, title=title).values_list("pk", "title")

    query = PreparedQuery(titled, int, str)
    assert query.rows(run.pk, run.title) == [(run.pk, run.title)]
    assert query.rows(run.pk, "' OR 1=1 --") == query.rows(run.pk + 1, run.title) == []
    with CaptureQueriesContext(connection) as queries:
        query.rows(run.pk, run.title)
    assert len(queries) == 1
    for ask in (
        lambda pk: Run.objects.values_list("pk"),
        lambda pk: Run.objects.filter(Q(pk=pk) | Q(seed=pk)).values_list("pk"),
    ):
        with pytest.raises(ValueError, match="name each of its 1 values once"):
            PreparedQuery(ask, int).rows(1)
