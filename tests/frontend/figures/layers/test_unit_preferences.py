"""The heat map of units and operations."""

from __future__ import annotations

import numpy as np
import pytest

from engines.cost.unit_preferences import UnitPreferences, unit_preferences
from engines.workloads.loader import builtin_network
from frontend.figures.layers.unit_preferences import unit_figure, unit_height, unit_names, unit_sentence
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc


@pytest.fixture(scope="module")
def found() -> UnitPreferences:
    soc = load_soc(builtin_socs()["jetson-agx-xavier"])
    return unit_preferences(
        builtin_network("magnas-vig-s-gin"), soc, load_calibration(builtin_calibrations()["xavier-magnas"])
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_operation_is_a_column_and_every_unit_a_row(found: UnitPreferences, scheme: str) -> None:
    heat, clear, faint, missing = unit_figure(found, "edp", 0, scheme).data
    assert len(heat.x) == len(found.operations) == len(set(unit_names(found))) and list(heat.y) == list(found.units)
    assert len(clear.x) + len(faint.x) == (found.best("edp") >= 0).sum(), "one mark per operation that has a figure"
    assert len(missing.x) == (~found.supported).sum() == len(missing.hovertext)


def test_the_sentence_counts_what_the_picture_shows(found: UnitPreferences) -> None:
    words = unit_sentence(found, "latency")
    assert f"of {len(found.operations)} operations of {found.network.title}" in words
    totals = found.totals("latency")
    assert all(f"{unit} suits {total.preferred}" in words for unit, total in totals.items() if total.preferred)
    assert unit_height(found) > 0 and np.isfinite(unit_height(found))
