"""Batteries read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given

from hardware.battery.loader import builtin_batteries, load_battery
from hardware.errors import HardwareError
from tests.hardware.small_devices_for_tests import battery_content
from tests.support.mutations import mutated


def test_figures_are_converted_once() -> None:
    battery = load_battery(battery_content())
    assert (battery.capacity_j, battery.nominal_voltage_v, battery.minimum_share) == (7200, 3.7, 0.25)
    assert battery.usable_j == 5400
    assert battery.sources["capacity_wh"] == "made up"


def test_only_the_capacity_must_be_known() -> None:
    bare = battery_content(nominal_voltage_v=None, minimum_level_share=None, sources={"capacity_wh": "label"})
    battery = load_battery(bare)
    assert (battery.nominal_voltage_v, battery.minimum_share, battery.usable_j) == (None, 0, 7200)


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"schema": "battery/2"}, "schema", "battery/2", "battery/1"),
        ({"capacity_wh": None}, "capacity_wh", None, "a number in Wh"),
        ({"capacity_wh": 0}, "capacity_wh", 0, "greater than 0"),
        ({"capacity_mah": 100}, "capacity_mah", 100, "did you mean capacity_wh?"),
        ({"minimum_level_share": 1}, "minimum_level_share", 1, "less than 1"),
        ({"minimum_level_share": "10 %"}, "minimum_level_share", "10 %", "a number"),
        ({"sources__nominal_voltage_v": None}, "sources.nominal_voltage_v", None, "here or for a key around it"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_battery(battery_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key, error.got) == ("mine.yaml", key, got)
    assert accepted in error.accepted


@given(mutated(battery_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    battery = None
    with contextlib.suppress(HardwareError):
        battery = load_battery(content)
    assert battery is None or 0 < battery.usable_j <= battery.capacity_j


@pytest.mark.parametrize("slug", builtin_batteries())
def test_every_battery_loads(slug: str) -> None:
    assert load_battery(builtin_batteries()[slug]).slug == slug


def test_the_drone_battery_keeps_its_minimum_as_its_source_says() -> None:
    battery = load_battery(builtin_batteries()["uav-example-battery"])
    adaptive_j = (31.0 * 1.4 + 11.2 * 0.6) * 3600
    assert 0 <= battery.usable_j - adaptive_j < 0.001 * battery.capacity_j
    assert 1 - 11.2 * 7200 / battery.capacity_j == pytest.approx(0.60, abs=0.005)
