from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from frontend.pages.hardware_form.initial_content import pin
from hardware.package.loader import builtin_hardware
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE, key
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.official_documents import promote
from webapp.catalogue.service import store_version


def save(
    ask: Ask,
    user: Any,
    draft: dict[str, Any],
    project: str,
    pinned: dict[str, Any] | None = None,
    reason: str = "",
    choice: tuple[str, int] | None = None,
) -> str:
    """What the page says after a click on Save, or on a choice: its name and the number of the version that it is about."""
    about = {"document": f"{project}/{draft['content']['slug']}"}
    pressed = {"name": choice[0], "number": choice[1], "type": Ids.CHOICE_TYPE, **about} if choice else {}
    given = {
        f"{Ids.SAVE}.n_clicks": None if choice else 1,
        f"{Ids.DRAFT}.data": draft,
        f"{Ids.PROJECT}.value": project,
        f"{Ids.MODE}.value": "form",
        f"{Ids.PINNED}.data": pinned,
        f"{Ids.REASON}.value": reason,
        **({f"{key(**pressed)}.n_clicks": 1} if choice else {}),
    }
    changed = f"{key(**pressed)}.n_clicks" if choice else f"{Ids.SAVE}.n_clicks"
    return json.dumps(json.loads(ask(user, f"{Ids.SAVED}.children", given, changed).content))


@pytest.fixture
def mine(people: People) -> DocumentVersion:
    return store_version(people.owner, people.project, "hardware", BASE)


def test_it_is_saved_as_versions_and_leads_to_an_exploration(people: People, ask: Ask) -> None:
    answer = save(ask, people.editor, draft_json(BASE, []), "lab")
    assert "Saved as version 1 of lab/mine." in answer and "/new?engine=scar&hardware=lab/mine" in answer
    first = pin(DocumentVersion.objects.get())
    answer = save(ask, people.editor, draft_json({**BASE, "clock_mhz": 600}, []), "lab", first)
    assert "Saved as version 2 of lab/mine." in answer
    second = DocumentVersion.objects.get(number=2)
    assert second.content["clock_mhz"] == 600
    assert "has the same content" in save(
        ask, people.editor, draft_json({**BASE, "clock_mhz": 600}, []), "lab", pin(second)
    )


def test_it_is_not_saved_where_one_may_not_edit(people: People, ask: Ask) -> None:
    assert "Choose a project" in save(ask, people.viewer, draft_json(BASE, []), "lab")
    assert "no built-in has" in save(ask, people.owner, draft_json(builtin_hardware()["simba-3x3-nvdla"], []), "lab")
    assert not DocumentVersion.objects.exists()


def test_what_is_wrong_is_said_field_by_field(people: People, ask: Ask) -> None:
    memory = {**BASE["off_chip_memory"], "latency_ns": -5}
    answer = save(ask, people.editor, draft_json({**BASE, "clock_mhz": -1, "off_chip_memory": memory}, []), "lab")
    assert "2 problems to fix" in answer and "Clock:" in answer and "Got -1\\u00a0MHz instead" in answer
    taken = save(ask, people.editor, draft_json(builtin_hardware()["simba-3x3-nvdla"], []), "lab")
    assert "One problem to fix" in taken and "Got simba-3x3-nvdla instead" in taken
    assert "must be" not in answer + taken and not DocumentVersion.objects.exists()


def test_the_second_to_save_gets_the_difference_and_a_choice(people: People, ask: Ask, mine: DocumentVersion) -> None:
    pinned = pin(mine)
    assert "Saved as version 2" in save(
        ask, people.owner, draft_json({**BASE, "clock_mhz": 600}, []), "lab", pinned, "Ours"
    )
    draft = draft_json({**BASE, "title": "Mine too"}, [])
    answer = save(ask, people.editor, draft, "lab", pinned)
    assert "ann saved version 2 while you were editing" in answer and "Ours" in answer
    assert all(
        words in answer
        for words in ("Save mine as version 3", "Take theirs", "Continue editing", "clock_mhz", "Mine too")
    )
    assert mine.document.versions.count() == 2
    assert "Save mine as version 3" in save(ask, people.editor, draft, "lab", pinned)  # as long as nothing is chosen

    store_version(people.owner, people.project, "hardware", {**BASE, "clock_mhz": 700})
    answer = save(ask, people.editor, draft, "lab", pinned, choice=("mine", 2))  # and somebody was quicker once more
    assert "ann saved version 3" in answer and mine.document.versions.count() == 3
    assert "Saved as version 4 of lab/mine." in save(ask, people.editor, draft, "lab", pinned, choice=("mine", 3))
    assert mine.document.versions.get(number=4).content["title"] == "Mine too"


def test_a_name_that_is_there_already_is_no_place_for_another_document(
    people: People, ask: Ask, mine: DocumentVersion
) -> None:
    elsewhere = pin(store_version(people.owner, people.project, "hardware", {**BASE, "slug": "other"}))
    draft = draft_json({**BASE, "title": "Another"}, [])
    for pinned in (None, elsewhere):  # a new document, and another one whose name was changed
        answer = save(ask, people.editor, draft, "lab", pinned)
        assert "lab/mine exists already: ann saved version 1." in answer and "Another" in answer
        assert mine.document.versions.count() == 1
    assert "Saved as version 2 of lab/mine." in save(ask, people.editor, draft, "lab", None, choice=("mine", 1))
    moved = draft_json(
        {**BASE, "slug": "other", "title": "Another"}, []
    )  # a choice about one name is none about another
    pressed = key(document="lab/mine", name="mine", number=2, type=Ids.CHOICE_TYPE)
    given = {
        f"{pressed}.n_clicks": 1,
        f"{Ids.DRAFT}.data": moved,
        f"{Ids.PROJECT}.value": "lab",
        f"{Ids.MODE}.value": "form",
    }
    answer = json.dumps(json.loads(ask(people.editor, f"{Ids.SAVED}.children", given, f"{pressed}.n_clicks").content))
    assert "lab/other exists already" in answer


def test_going_on_stores_nothing(people: People, ask: Ask, mine: DocumentVersion) -> None:
    store_version(people.owner, people.project, "hardware", {**BASE, "clock_mhz": 600})
    draft = draft_json({**BASE, "title": "Mine too"}, [])
    assert "Saved" not in save(ask, people.editor, draft, "lab", pin(mine), choice=("on", 2))
    assert mine.document.versions.count() == 2


def test_theirs_can_be_taken(people: People, ask: Ask, mine: DocumentVersion) -> None:
    theirs = store_version(people.owner, people.project, "hardware", {**BASE, "clock_mhz": 612})
    pressed = key(document="lab/mine", name="theirs", number=2, type=Ids.CHOICE_TYPE)
    given = {f"{pressed}.n_clicks": 1, f"{Ids.MODE}.value": "both"}
    answer = json.loads(ask(people.editor, f"{Ids.OPENED}.data", given, f"{pressed}.n_clicks").content)["response"]
    assert answer[Ids.OPENED]["data"] == theirs.content and answer[Ids.PINNED]["data"]["number"] == 2
    assert "clock_mhz: 612" in answer[Ids.TEXT]["value"]


def test_what_is_official_takes_an_administrator_and_a_reason(people: People, ask: Ask, mine: DocumentVersion) -> None:
    root = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    pinned = pin(promote(root, mine.document, "Measured"))
    draft = draft_json({**BASE, "clock_mhz": 600}, [])
    assert "Choose a project" in save(ask, people.owner, draft, "official", pinned, "Because")
    assert "reason" in save(ask, root, draft, "official", pinned)
    assert "Saved as version 2 of official/mine." in save(ask, root, draft, "official", pinned, "Faster")
    assert DocumentVersion.objects.get(document__project__official=True, number=2).reason == "Faster"


def test_the_difference_is_to_the_version_that_is_edited(people: People, ask: Ask, mine: DocumentVersion) -> None:
    def shown(content: dict[str, Any], project: str = "lab") -> str:
        given = {
            f"{Ids.DRAFT}.data": draft_json(content, []),
            f"{Ids.PINNED}.data": pin(mine),
            f"{Ids.PROJECT}.value": project,
        }
        return json.dumps(
            json.loads(ask(people.owner, f"{Ids.DIFFERENCE}.children", given, f"{Ids.DRAFT}.data").content)
        )

    assert "No difference to version 1" in shown(BASE)
    changed = shown({**BASE, "clock_mhz": 612})
    assert "1 key differs" in changed and "clock_mhz" in changed and "612" in changed
    assert "clock_mhz" not in shown({**BASE, "slug": "another", "clock_mhz": 612}) and "version" not in shown(
        BASE, "ann"
    )
