"""Which unit of a device suits each operation, on the page of a workload."""

from __future__ import annotations

import json
from typing import Any

from engines.workloads.loader import builtin_network
from frontend.ids.units import UnitIds
from frontend.pages.catalogue.workload.units.asked import units_asked
from frontend.pages.catalogue.workload.units.view import units_panel, units_view
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People

VIG, MOBILE = "magnas-vig-s-gin", "mobilenet-v2"


def words(component: Any) -> str:
    return json.dumps(component, default=lambda each: getattr(each, "to_plotly_json", lambda: str(each))())


def test_the_calibration_that_covers_most_is_the_default_and_nonsense_gives_way(people: People) -> None:
    first = units_asked(people.owner, builtin_network(VIG), {})
    assert (first.soc, first.calibration) == ("jetson-agx-xavier", "xavier-magnas")
    assert units_asked(people.owner, builtin_network("vgg19"), {}).calibration == "xavier-map-and-conquer"
    given = {"soc": "nothing", "calibration": "tx2-hadas", "show": "beauty", "clocks": "gpu=fast,cpu=,npu=5,gpu=520"}
    asked = units_asked(people.owner, builtin_network(VIG), given)
    assert (asked.soc, asked.calibration, asked.show) == ("jetson-agx-xavier", "xavier-magnas", "edp")
    assert asked.clocks_mhz == {"gpu": 520.0}


def test_the_tab_has_a_heat_map_totals_and_an_operation(people: People) -> None:
    network = builtin_network(VIG)
    drawn = words(units_panel(people.owner, network, units_asked(people.owner, network, {}), "light", 1440))
    for part in (
        "Jetson AGX Xavier",
        "Each one's preferred",
        "the same with hand-overs",
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
    assert "without any figure" in words(view.legend) and "no unit has a figure" in words(view.detail)


def test_a_clock_that_there_is_not_is_told(people: People) -> None:
    network = builtin_network(VIG)
    view = units_view(people.owner, network, units_asked(people.owner, network, {"clocks": "gpu=700"}), "light", 1280)
    assert "within 3 % of a step" in words(view.heat) and view.totals is None


def test_another_device_brings_its_calibrations_and_clocks(people: People, ask: Ask) -> None:
    values = {
        f"{UnitIds.SOC}.value": "jetson-tx2", f"{UnitIds.CALIBRATION}.value": "xavier-magnas", f"{UnitIds.SHOW}.value": "energy",
        f"{UnitIds.FALLBACK}.value": "fallback", f"{UnitIds.OPERATION}.value": "3", "layers-model.value": None,
        'shell-scheme.data': "light", "scheme.data": "light", "viewport.data": {"width": 1280, "height": 900},
        "document-name.data": {"kind": "workload", "name": "attentivenas-a0", "version": 1},
    }  # fmt: skip
    answer = ask(people.owner, UnitIds.LEGEND, values, f"{UnitIds.SOC}.value")
    assert answer.status_code == 200, answer.content[:500]
    found = answer.json()["response"]
    assert found[UnitIds.CALIBRATION]["value"] == "tx2-hadas" and found[UnitIds.OPERATION]["value"] == "3"
    assert "Clock of gpu" in json.dumps(found[UnitIds.CLOCKS])
