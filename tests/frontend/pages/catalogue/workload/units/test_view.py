"""Which unit of a device suits each operation, on the page of a workload."""

from __future__ import annotations

from engines.workloads.loader import builtin_network
from frontend.pages.catalogue.workload.units.query import units_asked
from frontend.pages.catalogue.workload.units.view import units_panel, units_view
from tests.frontend.pages.catalogue.workload.units.cases import MOBILE, VIG, words
from tests.support.stored_runs import People


def test_the_tab_has_a_heat_map_totals_and_an_operation(people: People) -> None:
    network = builtin_network(VIG)
    drawn = words(units_panel(people.owner, network, units_asked(people.owner, network, {}), "light", 1440))
    for part in (
        "Jetson AGX Xavier",
        "Each one's preferred",
        "the same with transfers",
        "undecided",
        "heatmap",
        "x-thin",
    ):
        assert part in drawn
    assert "no measurement of the unit cpu" in drawn


def test_what_no_unit_covers_is_told(people: People) -> None:
    network = builtin_network(MOBILE)
    asked = units_asked(people.owner, network, {"calibration": "xavier-magnas", "operation": 1})
    view = units_view(people.owner, network, asked, "dark", 1280)
    assert "without an estimate" in words(view.legend) and "no unit has an estimate" in words(view.detail)
