"""Documents that several people change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.stored_runs import make_people
from webapp.catalogue import service
from webapp.catalogue.document_edits import ChangedMeanwhileError, only_after, stored_version


def version(number: int) -> Any:
    return SimpleNamespace(number=number, document=SimpleNamespace(slug="board"))


def test_a_version_is_stored_right_after_the_one_that_was_seen() -> None:
    only_after(2)(version(2))
    only_after(2)(None)  # the document is gone: it is made again
    for seen in (0, 1, 3):
        with pytest.raises(ChangedMeanwhileError, match="Version 2 of board was stored in the meantime") as caught:
            only_after(seen)(version(2))
        assert caught.value.newest.number == 2


def test_a_version_is_found_by_who_may_see_it(db: Any) -> None:
    people = make_people()
    content = service.copy_of(people.owner, "hardware", "simba-3x3-nvdla") | {"slug": "board"}
    for title in ("One", "Two"):
        service.store_version(people.owner, people.project, "hardware", content | {"title": title})
    newest = stored_version(people.viewer, "hardware", "lab", "board")
    assert newest is not None and (newest.number, newest.title) == (2, "Two")
    first = stored_version(people.viewer, "hardware", "lab", "board", 1)
    assert first is not None and first.title == "One"
    assert stored_version(people.viewer, "hardware", "lab", "board", 3) is None
    assert stored_version(people.stranger, "hardware", "lab", "board") is None
