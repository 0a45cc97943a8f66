"""Engines as the interface shows them."""

from __future__ import annotations

from tests.support.toy_engine import ToyEngine
from webapp.api.shapes.engines import EngineDetail


def test_a_form_finds_slots_quantities_and_the_schema_of_the_parameters() -> None:
    shown = EngineDetail.model_validate(ToyEngine())
    assert (shown.name, shown.version) == (ToyEngine.name, ToyEngine.version)
    assert [slot.slot for slot in shown.inputs] == list(ToyEngine.inputs)
    assert [quantity.name for quantity in shown.quantities] == [each.name for each in ToyEngine.quantities]
    assert "steps" in shown.params_schema["properties"]
