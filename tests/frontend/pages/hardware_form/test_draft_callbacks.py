from __future__ import annotations

import json
from typing import Any

from engines.contract.encoding.document_text import to_yaml
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People


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


def beside(ask: Ask, user: Any, text: str, mirrored: str, read: dict[str, Any] | None = None) -> dict[str, Any]:
    """What typing into the text beside the form changes."""
    given = {
        f"{Ids.TEXT}.value": text,
        f"{Ids.MODE}.value": "both",
        f"{Ids.MIRRORED}.data": mirrored,
        f"{Ids.READ}.data": read,
    }
    found: dict[str, Any] = json.loads(ask(user, Ids.GUTTER, given, f"{Ids.TEXT}.value").content)["response"]
    return found


def test_side_by_side_the_form_follows_the_text(people: People, ask: Ask) -> None:
    written = to_yaml(BASE)
    changed = beside(ask, people.owner, to_yaml({**BASE, "clock_mhz": 612}), written)
    assert (
        "612" in json.dumps(changed[Ids.FORM]["children"]) and changed[Ids.READ]["data"]["content"]["clock_mhz"] == 612
    )
    broken = beside(ask, people.owner, to_yaml({**BASE, "clock_mhz": "fast"}), written)
    assert "hardware-waits" in broken[Ids.FORM]["className"] and "children" not in broken[Ids.FORM]
    own = beside(ask, people.owner, written, written)  # what the form wrote is not read again
    assert Ids.DRAFT not in own and "children" not in own[Ids.FORM]
    back = beside(ask, people.owner, written, written, draft_json(None, [], "a: ["))  # what was broken is whole again
    assert back[Ids.DRAFT]["data"]["content"] == BASE and "hardware-waits" not in back[Ids.FORM]["className"]


def test_side_by_side_the_text_follows_the_form(people: People, ask: Ask) -> None:
    def mirrored(draft: dict[str, Any], typed: str, read: dict[str, Any] | None) -> Any:
        given = {
            f"{Ids.DRAFT}.data": draft,
            f"{Ids.MODE}.value": "both",
            f"{Ids.TEXT}.value": typed,
            f"{Ids.READ}.data": read,
        }
        return ask(people.owner, f"..{Ids.TEXT}.value@", given, f"{Ids.DRAFT}.data")

    faster = {**BASE, "clock_mhz": 612}
    answer = json.loads(mirrored(draft_json(faster, []), to_yaml(BASE), None).content)["response"]
    assert answer[Ids.TEXT]["value"] == answer[Ids.MIRRORED]["data"] == to_yaml(faster)
    typed = "# mine\n" + to_yaml(faster)
    assert (
        mirrored(draft_json(faster, []), typed, draft_json(faster, [], typed)).status_code == 204
    )  # says the same already
    assert mirrored(draft_json(BASE, []), "a: [", draft_json(None, [], "a: [")).status_code == 204  # does not read yet
