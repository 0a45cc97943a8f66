from __future__ import annotations

from typing import Any

import pytest

from engines.contract.encoding.document_text import to_yaml
from engines.contract.results import CATALOGUE, Note
from engines.documents.builtin import get_builtin
from frontend.pages.run.design.documents import for_catalogue, store_document, stored_words
from frontend.request import serving
from tests.support.stored_runs import People
from webapp.catalogue.service import resolve
from webapp.teams.choice import choose

pytestmark = pytest.mark.django_db


def found_package() -> Note:
    content = {
        **get_builtin("hardware", "simba-3x3-het-sides").content,
        "slug": "found-package",
        "title": "Found package",
    }
    return Note("hardware.yaml", "This package", to_yaml(content), role="document", belongs_to=CATALOGUE)


def test_a_found_package_becomes_hardware_to_explore_with(people: People) -> None:
    note = found_package()
    assert for_catalogue(note) and not for_catalogue(Note("rules.txt", "Rules", "schema: none", role="document"))
    first, again = (store_document(people.editor, note) for _ in range(2))
    assert first.created and not again.created and first.project == people.editor.personal_project.slug
    assert resolve(people.editor, "hardware", "found-package").content["title"] == "Found package"
    words = str(stored_words(first))
    assert "Explore with it" in words and f"hardware={first.project}/found-package" in words
    assert "has it already" in str(stored_words(again))


def test_it_goes_to_the_project_that_is_chosen(people: People, rf: Any) -> None:
    request = rf.get("/")
    request.user, request.session = people.editor, {}
    choose(request, people.project)
    with serving(request):
        assert store_document(people.editor, found_package()).project == people.project.slug
