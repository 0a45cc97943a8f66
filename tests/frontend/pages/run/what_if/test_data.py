from __future__ import annotations

from typing import Any

import pytest

from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.what_if.data import (
    STEPS,
    axes_of,
    change_sentence,
    described,
    front_sentence,
    moved_figures,
    read_positions,
    step_of,
    value_words,
)
from hardware.movable import Movable
from webapp.runs.models import Run
from webapp.runs.results.design_variants import MovedDesigns
from webapp.runs.results.moved_hardware import MovableDocument

CLOCK = Movable("clock", "Clock", "MHz", 500.0, 62.5, 4000.0, ("clock_mhz",))
SIDES = Movable("sides", "Sides", "", 2, 1, 4, ("sides",), log=False, whole=True)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"values": {"hardware": {"clock": 5}}}, {"hardware": {"clock": 5.0}}),
        ({"values": {"hardware": {"clock": "fast", "n": float("nan")}, "x": 3}}, {"hardware": {}}),
        ({"values": [1]}, {}),
        (None, {}),
    ],
)
def test_positions_are_read_with_care(sent: Any, read: Any) -> None:
    assert read_positions(sent) == read


def test_a_slider_stands_in_the_middle_of_a_ratio_and_at_the_value_of_a_count() -> None:
    assert step_of(CLOCK) == pytest.approx(STEPS / 2)
    assert step_of(SIDES) == 2
    document = MovableDocument("hardware", "hardware", "p", 1, "", "P", {}, (CLOCK, SIDES))
    assert [(each["name"], each["value"]) for each in described([document])] == [("clock", 500.0), ("sides", 2)]
    assert value_words(CLOCK) == "500.0\u00a0MHz" and value_words(SIDES) == "2"


def test_objectives_are_told_always_and_other_figures_where_they_change(run: Run) -> None:
    designs = designs_of(run)
    stored = {name: float(values[3]) for name, values in designs.columns.items()}
    same = moved_figures(designs, 3, stored, {"energy_j": 1.2})
    assert [each.quantity.name for each in same] == ["latency_s", "energy_j"]
    assert [each.better for each in same] == [None, None] and same[1].factor == 1.2
    assert change_sentence(same) == "No metric of this design changes."
    moved = {**stored, "latency_s": stored["latency_s"] * 0.5, "spread": stored["spread"] + 1.0}
    found = moved_figures(designs, 3, moved, {})
    assert [each.quantity.name for each in found] == ["latency_s", "energy_j", "spread"]
    assert found[0].better and found[2].better is None
    assert change_sentence(found).replace("\u00a0", " ").startswith("Latency 50.0 % less, spread ")


def test_the_front_is_told_by_what_stays_on_it_and_what_cannot_be_run(run: Run) -> None:
    designs = designs_of(run)
    nan = float("nan")
    columns = {"latency_s": [1.0, 2.0, 2.0, nan], "energy_j": [2.0, 1.0, 2.0, nan], "spread": [0.0] * 4}
    words = front_sentence(MovedDesigns({}, "", [1, 2, 3, 4], columns), designs)
    assert words.startswith("2 of 4 designs of the stored front stay on it; 1 cannot be run there.")
    assert front_sentence(MovedDesigns({}, "", [], {}), designs) == ""
    axes = axes_of(designs)
    assert axes is not None and [each.name for each in axes] == ["latency_s", "energy_j"]
