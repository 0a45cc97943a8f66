from __future__ import annotations

from frontend.pages.calibration.new.form import Choices, base_options, clock_fields, form, unit_options
from tests.frontend.pages.calibration.new.cases import words
from tests.support.stored_runs import People


def test_the_form_offers_devices_with_a_memory_and_their_units_clocks_and_calibrations(people: People) -> None:
    choices = Choices.of(people.owner)
    assert {"jetson-agx-xavier", "jetson-tx2"} <= {entry.name for entry in choices.socs}
    assert "simba-3x3-nvdla" not in {entry.name for entry in choices.socs}
    soc = choices.soc("jetson-agx-xavier")
    assert "gpu" in [option["value"] for option in unit_options(soc)]
    assert {option["value"] for option in base_options(choices, soc)} == {"xavier-magnas", "xavier-map-and-conquer"}
    drawn = words(form(choices, "jetson-agx-xavier", "resnet50", "xavier-magnas"))
    assert "1377 MHz, highest" in drawn and "2133 MHz, highest" in drawn and '"value": "xavier-magnas"' in drawn
    assert "Choose a device" in words(clock_fields(None)) and choices.soc("nothing") is None
