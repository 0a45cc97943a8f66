"""The page on which hardware is edited, as the browser asks for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.document_text import to_yaml
from frontend.components.form import format_value
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.catalogue.document.frame import find
from frontend.pages.hardware_form.data import (
    SOURCE,
    Mesh,
    cell_specs,
    draft_json,
    figure_specs,
    opening_mesh,
    value_at,
)
from frontend.pages.hardware_form.opening import opening
from hardware.package.loader import builtin_hardware
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import copy_of, store_version

BASE: dict[str, Any] = {**builtin_hardware()["simba-3x3-het-sides"], "slug": "mine"}


def key(**parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def form(base: dict[str, Any], mesh: dict[str, Any], **changed: str) -> dict[str, Any]:
    """What the browser sends of an open form."""
    raw = {n: format_value(spec, value_at(base, n)) for n, spec in figure_specs().items() if n != SOURCE}
    raw |= {SOURCE: "assumed; chosen by ann"} | changed
    cell = Mesh.from_json(mesh).chosen.figures
    fields = {Ids.FIGURE_TYPE: raw, Ids.CELL_TYPE: cell, Ids.SIZE_TYPE: ("rows", "columns")}
    around = {
        f"{key(name=name, type=f'{id_type}-{part}')}.id": None
        for id_type, names in fields.items()
        for name in names
        for part in ("help", "field")
    }
    return around | {
        f"{Ids.BASE}.data": base,
        f"{Ids.MESH}.data": mesh,
        f"{Ids.SIDES}.value": ["left", "right"],
        f"{Ids.SCOPE}.value": "one",
        **{f"{key(name=name, type=Ids.FIGURE_TYPE)}.value": value for name, value in raw.items()},
        **{f"{key(name=n, type=Ids.CELL_TYPE)}.value": format_value(s, cell[n]) for n, s in cell_specs().items()},
        **{f"{key(name=name, type=Ids.SIZE_TYPE)}.value": "3" for name in ("rows", "columns")},
        **{f"{key(index=index, type=Ids.CHIPLET_TYPE)}.n_clicks": None for index in range(9)},
    }


def edit(ask: Ask, user: Any, given: dict[str, Any], changed: str) -> Any:
    return json.loads(ask(user, f"{Ids.MESH}.data", given, changed).content)["response"]


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


def test_a_click_shows_the_chiplet_and_what_is_typed_changes_it_alone(people: People, ask: Ask) -> None:
    mesh = opening_mesh(BASE).to_json()
    chiplet = key(index=4, type=Ids.CHIPLET_TYPE)
    answer = edit(ask, people.owner, form(BASE, mesh) | {f"{chiplet}.n_clicks": 1}, f"{chiplet}.n_clicks")
    mesh = answer[Ids.MESH]["data"]
    assert mesh["selected"] == 4
    assert answer[key(name="dataflow", type=Ids.CELL_TYPE)]["value"] == "shi-diannao"
    elements = f"{key(name='processing_elements', type=Ids.CELL_TYPE)}.value"
    answer = edit(ask, people.owner, form(BASE, mesh) | {elements: "1 024"}, elements)
    cells = [cell for row in answer[Ids.MESH]["data"]["rows"] for cell in row]
    assert [cell["figures"]["processing_elements"] for cell in cells] == [4096] * 4 + [1024] + [4096] * 4


def test_the_mesh_gets_another_size_unless_it_is_out_of_bounds(people: People, ask: Ask) -> None:
    mesh, rows = opening_mesh(BASE).to_json(), f"{key(name='rows', type=Ids.SIZE_TYPE)}"
    answer = edit(ask, people.owner, form(BASE, mesh) | {f"{rows}.value": "5"}, f"{rows}.value")
    assert [len(row) for row in answer[Ids.MESH]["data"]["rows"]] == [3] * 5
    answer = edit(ask, people.owner, form(BASE, mesh) | {f"{rows}.value": "17"}, f"{rows}.value")
    assert len(answer[Ids.MESH]["data"]["rows"]) == 3
    assert "Got 17" in answer[key(name="rows", type=f"{Ids.SIZE_TYPE}-help")]["children"]


def test_mistakes_stand_beside_their_fields(people: People, ask: Ask) -> None:
    given = form(BASE, opening_mesh(BASE).to_json(), clock_mhz="fast")
    answer = json.loads(ask(people.owner, f"{Ids.DRAFT}.data", given, f"{Ids.SIDES}.value").content)["response"]
    assert [each["key"] for each in answer[Ids.DRAFT]["data"]["mistakes"]] == ["clock_mhz"]
    assert "Got fast" in answer[key(name="clock_mhz", type=f"{Ids.FIGURE_TYPE}-help")]["children"]
    assert "invalid" in answer[key(name="clock_mhz", type=f"{Ids.FIGURE_TYPE}-field")]["className"]


def test_going_back_to_the_form_takes_the_text_as_it_stands_though_its_check_is_not_done(
    people: People, ask: Ask
) -> None:
    given = {
        f"{Ids.MODE}.value": "form",
        f"{Ids.DRAFT}.data": draft_json(BASE, [], to_yaml(BASE)),
        f"{Ids.TEXT}.value": to_yaml({**BASE, "clock_mhz": 650}),
    }
    answer = json.loads(ask(people.owner, f"{Ids.FORM}.hidden", given, f"{Ids.MODE}.value").content)["response"]
    assert answer[Ids.DRAFT]["data"]["content"]["clock_mhz"] == 650
    assert answer[Ids.FORM]["hidden"] is False


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


def test_what_is_changed_and_not_saved_says_so(people: People, ask: Ask) -> None:
    def said(content: Any, stored: Any = None) -> str:
        given = {
            f"{Ids.DRAFT}.data": draft_json(content, []), f"{Ids.PROJECT}.value": "lab", f"{Ids.STORED}.data": stored,
            f"{Ids.OPENED}.data": BASE, "scheme.data": "light",
        }  # fmt: skip
        answer = ask(people.owner, f"{Ids.PICTURE}.children", given, f"{Ids.DRAFT}.data").json()["response"]
        return str(answer[Ids.UNSAVED]["children"])

    changed = {**BASE, "clock_mhz": 600}
    assert (said(BASE), said(changed)) == ("", "Not saved yet.")
    assert (said(changed, changed), said(BASE, changed)) == ("", "Changed since it was saved.")
    # The name that saving writes into the lineage of a copied device is no change of the person's.
    copied = copy_of(people.owner, "hardware", "jetson-agx-xavier")
    kept = store_version(people.owner, people.project, "hardware", copied).content
    assert kept != copied and said(copied, kept) == ""
    assert said({**copied, "title": "Another"}, kept) == "Changed since it was saved."
