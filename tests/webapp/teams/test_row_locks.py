"""Two people, or one with two windows, who change the same thing at once, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from engines.contract.errors import ProblemError
from tests.support.databases import LiveDatabase
from tests.support.stored_runs import make_people
from webapp.annotations import marks, notes
from webapp.api import tokens
from webapp.catalogue.service import copy_of, store_version
from webapp.webhooks import service as webhooks

WRITERS = 6


def at_once(act: Callable[[int], Any]) -> list[Any]:
    """What `act` of 0, 1, ... gives, all at the same time; a refusal is what it gives."""

    def one(number: int) -> Any:
        try:
            return act(number)
        except ProblemError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(one, range(WRITERS)))


def test_what_is_changed_at_once_is_changed_in_turn(
    live_database: LiveDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = make_people()
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    thing = store_version(people.owner, people.project, "hardware", content).document
    for _ in range(3):
        asked = at_once(lambda number: marks.set_tags(people.owner, "document", thing.pk, [f"a{number}", f"b{number}"]))
        assert tuple(sorted(marks.marks_of(people.owner, "document", [thing.pk])[thing.pk].tags)) in asked
        at_once(lambda number: marks.set_star(people.owner, "document", thing.pk, number % 2 == 0))
    for module, limit in ((tokens, "MOST_TOKENS"), (webhooks, "MOST_WEBHOOKS"), (notes, "MOST_NOTES")):
        monkeypatch.setattr(module, limit, 2)
    made = at_once(lambda number: tokens.make_token(people.viewer, f"t{number}"))
    assert sum(isinstance(each, ProblemError) for each in made) == WRITERS - 2
    asked = at_once(
        lambda number: webhooks.make_webhook(
            people.owner, people.project, f"https://example.org/{number}", ["run.done"]
        )
    )
    assert sum(isinstance(each, ProblemError) for each in asked) == WRITERS - 2 and people.project.webhooks.count() == 2
    version = thing.versions.get()
    written = at_once(lambda number: notes.write(people.owner, "version", version.pk, f"note {number}"))
    assert sum(isinstance(each, ProblemError) for each in written) == WRITERS - 2
