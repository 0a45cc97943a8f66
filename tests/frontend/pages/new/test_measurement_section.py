"""The section of the New run page that measures while the run searches."""

from __future__ import annotations

import pytest
from dash.exceptions import PreventUpdate

from engines.registry import get_engine
from frontend.ids.new import NewIds
from frontend.pages.drafts import Draft, command, draft_of_document
from frontend.pages.new.measurement_section import choose_measuring, measuring_section, read_measuring
from frontend.pages.new.summary import judge
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import agent, device
from webapp.measuring.models import AgentDevice

__all__ = ["agent", "device"]
HADAS = Draft("hadas", {"hardware": "jetson-tx2"}, {"evaluations": 8})


def test_who_may_measure_is_offered_devices_with_threads(people: People, device: AgentDevice) -> None:
    shown = str(measuring_section(people.editor, get_engine("hadas"), None))
    assert "Test box, 1 thread" in shown and "Test box, 2 threads" in shown and "value='8'" in shown
    assert "A machine of yours with an agent" in str(measuring_section(people.stranger, get_engine("hadas"), None))
    assert measuring_section(people.editor, get_engine("scar"), None) is None


def test_what_is_typed_becomes_part_of_the_draft(people: People, device: AgentDevice) -> None:
    typed = {"place": f"{device.pk}:2", "designs": "5", "wait_minutes": "2.5"}
    ids = [{"name": name, "type": NewIds.MEASURE_TYPE} for name in typed]
    expected = {"device": device.pk, "threads": 2, "designs": 5, "wait_minutes": 2.5}
    changed = choose_measuring([*typed.values()], ids, HADAS.to_json())
    assert changed == {**HADAS.to_json(), "measure": expected}
    with pytest.raises(PreventUpdate):
        choose_measuring([*typed.values()], ids, changed)
    assert read_measuring({**typed, "place": None}) is None
    draft = draft_of_document(HADAS.document() | {"measure": expected})
    assert draft.document()["measure"] == expected and Draft.from_json(draft.to_json()) == draft
    assert f"--measure device={device.pk},threads=2,designs=5,wait_minutes=2.5" in command(draft)


def test_a_mistake_is_told_beside_what_it_is_about(people: People, device: AgentDevice) -> None:
    engine = get_engine("hadas")
    wish = {"device": device.pk, "threads": 1, "designs": 99, "wait_minutes": 10.0}
    wrong = judge(people.editor, draft_of_document(HADAS.document() | {"measure": wish}), engine)
    assert not wrong.ready and "Measured during the search, designs: Must be a whole number" in wrong.other
    right = judge(people.editor, draft_of_document(HADAS.document() | {"measure": {**wish, "designs": 2}}), engine)
    assert right.ready and right.token != judge(people.editor, HADAS, engine).token
