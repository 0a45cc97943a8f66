from __future__ import annotations

import pytest

from frontend.pages.catalogue.document.frame import find
from frontend.pages.hardware_form.opening import opening
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People
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
