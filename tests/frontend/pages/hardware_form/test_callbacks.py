from __future__ import annotations

import json
from typing import Any

from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import opening_mesh
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE, form, key
from tests.support.stored_runs import People


def edit(ask: Ask, user: Any, given: dict[str, Any], changed: str) -> Any:
    return json.loads(ask(user, f"{Ids.MESH}.data", given, changed).content)["response"]


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
