"""Storing documents."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.encoding.document_text import to_yaml
from tests.support.stored_runs import People
from webapp.catalogue.service import resolve, store, store_version, versions_of
from webapp.teams.visibility import NotAllowed


def test_it_stores_the_same_content_once(people: People, package: dict[str, Any]) -> None:
    first, created = store(people.owner, people.project, "hardware", package)
    again, created_again = store(people.editor, people.project, "hardware", to_yaml(package))
    assert (created, created_again, again.pk) == (True, False, first.pk)
    other = store_version(people.editor, people.project, "hardware", {**package, "title": "Other"})
    back = store_version(people.editor, people.project, "hardware", package)
    assert (other.number, back.number, back.content_hash) == (2, 3, first.content_hash)
    assert [version.number for version in versions_of(people.viewer, "hardware", package["slug"])] == [3, 2, 1]


def test_it_gives_the_hash_that_engines_compute(people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    version.refresh_from_db()
    assert resolve(people.owner, "hardware", package["slug"]).content_hash() == version.content_hash


def test_it_stores_for_editors_only(people: People, package: dict[str, Any]) -> None:
    for person in (people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            store_version(person, people.project, "hardware", package)
