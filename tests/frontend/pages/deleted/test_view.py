"""The question before something is deleted."""

from __future__ import annotations

from typing import Any

from frontend.pages.deleted.view import question
from tests.frontend.pages.deleted.cases import text_of
from tests.support.stored_runs import People


def test_it_asks_those_who_may(people: People, run: Any) -> None:
    asked = question(people.owner, "run", str(run.pk))
    assert asked is not None and "30 days" in text_of(asked)
    for who, kind, number in (
        (people.viewer, "run", run.pk),
        (people.stranger, "run", run.pk),
        (people.owner, "cat", run.pk),
        (people.owner, "run", "x"),
    ):
        assert question(who, kind, str(number)) is None
