from __future__ import annotations

import json
from typing import Any

from engines.contract.document_text import to_yaml
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from hardware.package.loader import builtin_hardware
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion


def save(ask: Ask, user: Any, draft: dict[str, Any], project: str) -> str:
    given = {
        f"{Ids.SAVE}.n_clicks": 1,
        f"{Ids.DRAFT}.data": draft,
        f"{Ids.PROJECT}.value": project,
        f"{Ids.MODE}.value": "form",
    }
    answer = ask(user, f"{Ids.SAVED}.children", given, f"{Ids.SAVE}.n_clicks").content
    return json.dumps(json.loads(answer))


def test_it_is_saved_as_versions_and_leads_to_an_exploration(people: People, ask: Ask) -> None:
    answer = save(ask, people.editor, draft_json(BASE, []), "lab")
    assert "Saved as version 1 of lab/mine." in answer and "/new?engine=scar&hardware=lab/mine" in answer
    answer = save(ask, people.editor, draft_json({**BASE, "clock_mhz": 600}, []), "lab")
    assert "Saved as version 2 of lab/mine." in answer
    assert DocumentVersion.objects.get(number=2).content["clock_mhz"] == 600
    assert "says the same" in save(ask, people.editor, draft_json({**BASE, "clock_mhz": 600}, []), "lab")


def test_it_is_not_saved_where_one_may_not_edit(people: People, ask: Ask) -> None:
    assert "Choose a project" in save(ask, people.viewer, draft_json(BASE, []), "lab")
    assert "no built-in has" in save(ask, people.owner, draft_json(builtin_hardware()["simba-3x3-nvdla"], []), "lab")
    assert not DocumentVersion.objects.exists()


def test_a_text_is_checked_with_the_line_of_its_mistake(people: People, ask: Ask) -> None:
    text = to_yaml({**BASE, "clock_mhz": "fast", "word_bytes": "two"})
    given = {f"{Ids.TEXT}.value": text, f"{Ids.MODE}.value": "text"}
    response = ask(people.owner, Ids.GUTTER, given, f"{Ids.TEXT}.value")
    answer = json.loads(response.content)["response"]
    mistake, other = answer[Ids.DRAFT]["data"]["mistakes"]
    assert (mistake["key"], other["key"]) == ("clock_mhz", "word_bytes")
    assert text.splitlines()[mistake["line"] - 1] == "clock_mhz: fast"
    marked = [
        line["props"]["children"] for line in answer[Ids.GUTTER]["children"] if line["props"]["className"] == "bad"
    ]
    assert marked == [str(mistake["line"])]


def test_a_text_with_a_mistake_does_not_become_a_form(people: People, ask: Ask) -> None:
    broken = {"content": None, "text": "a: [", "mistakes": [{"key": "document", "words": "not YAML", "line": 1}]}
    given = {f"{Ids.MODE}.value": "form", f"{Ids.DRAFT}.data": broken, f"{Ids.TEXT}.value": "a: ["}
    answer = json.loads(ask(people.owner, f"{Ids.FORM}.hidden", given, f"{Ids.MODE}.value").content)["response"]
    assert (answer[Ids.MODE]["value"], answer[Ids.FORM]["hidden"]) == ("text", True)
    assert "Correct the text first" in json.dumps(answer[Ids.MODE_ERROR])
