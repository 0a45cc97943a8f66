from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from frontend.pages.catalogue.document.frame import find
from frontend.pages.hardware_form.initial_content import opening
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People
from webapp.catalogue.official_documents import promote
from webapp.catalogue.service import store_version


def test_a_built_in_opens_as_a_copy_in_the_own_project(people: People) -> None:
    shown = find(people.owner, "hardware", "simba-3x3-het-sides")
    assert shown is not None
    opened = opening(people.owner, shown)
    assert opened.content["slug"] == "simba-3x3-het-sides-copy"
    assert opened.content["source"].startswith("changed copy of simba-3x3-het-sides; odema-2024")
    assert opened.project == people.owner.personal_project.slug


@pytest.mark.parametrize(("who", "own"), [("editor", True), ("viewer", False)])
def test_a_document_opens_as_it_is_for_those_who_may_edit_it(people: People, who: str, own: bool) -> None:
    store_version(people.owner, people.project, "hardware", BASE)
    user = getattr(people, who)
    shown = find(user, "hardware", "lab/mine")
    assert shown is not None
    opened = opening(user, shown)
    assert (opened.project, opened.content["slug"]) == (
        ("lab", "mine") if own else (user.personal_project.slug, "mine-copy")
    )


def test_an_earlier_version_is_restored_after_the_newest(people: People) -> None:
    for title in ("First", "Second"):
        store_version(people.owner, people.project, "hardware", {**BASE, "title": title})
    shown = find(people.owner, "hardware", "lab/mine", "1")
    assert shown is not None
    opened = opening(people.owner, shown)
    assert (opened.title, opened.reason) == ("Restore version 1 of First", "Version 1 again")
    assert opened.content["title"] == "First" and opened.pinned is not None
    assert (opened.pinned["number"], opened.official, opened.administered) == (2, False, "")


def test_administrators_edit_what_is_official_and_others_a_copy(people: People) -> None:
    root = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    document = promote(
        root, store_version(people.owner, people.project, "hardware", BASE).document, "Measured"
    ).document
    for person, project in ((root, "official"), (people.owner, people.owner.personal_project.slug)):
        shown = find(person, "hardware", "official/mine")
        assert shown is not None
        opened = opening(person, shown)
        assert (opened.project, opened.official) == (project, person == root)
        assert opened.administered == (f"/admin/catalogue/document/{document.pk}/change/" if person == root else "")
