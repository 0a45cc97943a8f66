"""Sensor nodes read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given

from hardware.errors import HardwareError
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from tests.hardware.small_devices_for_tests import sensor_node_content
from tests.support.mutations import mutated


def test_figures_are_converted_once() -> None:
    node = load_sensor_node(sensor_node_content())
    sensor, board = node.rated_sensor, node.processor
    assert (sensor.name, sensor.rates_hz, sensor.sample_bits) == ("sonar", (1, 2, 4), 1000)
    assert (sensor.active_power_w, sensor.standby_power_w) == (0.3, None)
    assert (node.steady_sensors["thermometer"].power_w, node.steady_sensors["tilt"].power_w) == (0.002, None)
    assert (board.clock_hz, board.active_power_w, board.idle_power_w) == (48e6, 0.1, 0.02)
    assert (board.write_power_w, board.write_j_per_bit, board.ram_bytes, board.flash_bytes) == (0.04, None, 2048, None)
    assert node.transfer_j_per_bit == pytest.approx(500e-9)
    assert node.battery is not None and node.battery.capacity_j == 7200
    assert node.measured is not None and node.measured.battery_life_s == 8 * 3600
    assert node.measured.power_shares == pytest.approx({"sonar": 74 / 99, "rest": 25 / 99})
    assert node.sources["processor.clock_mhz"] == "made up"


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"high_power_sensor__rates_hz": []}, "high_power_sensor.rates_hz", [], "not empty"),
        ({"high_power_sensor__rates_hz": [2, 1, 4]}, "high_power_sensor.rates_hz.1", 1, "ascending"),
        ({"high_power_sensor__sample_bits": None}, "high_power_sensor.sample_bits", None, "a number in bit"),
        ({"low_power_sensors__tilt": {"power_w": 1}}, "low_power_sensors.tilt.power_w", 1, "did you mean power_mw?"),
        ({"processor__idle_power_mw": "20 mW"}, "processor.idle_power_mw", "20 mW", "a number"),
        ({"processor__write_energy_pj_per_bit": 6}, "processor.write_energy_pj_per_bit", 6, "one of the two counts"),
        ({"battery__capacity_wh": None}, "battery.capacity_wh", None, "a number in Wh"),
        ({"measured__rate_hz": 3}, "measured.rate_hz", 3, "1, 2, 4"),
        ({"measured__power_shares_percent__rest": 5}, "measured.power_shares_percent", "79 in all", "add up to 100"),
        ({"sources__radio": None}, "sources.radio.transfer_energy_nj_per_bit", None, "where the figure is from"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_sensor_node(sensor_node_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key, error.got) == ("mine.yaml", key, got)
    assert accepted in error.accepted


@given(mutated(sensor_node_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    node = None
    with contextlib.suppress(HardwareError):
        node = load_sensor_node(content)
    assert node is None or node.sample_energy_j(1, 1, 1) >= 0


@pytest.mark.parametrize("slug", builtin_sensor_nodes())
def test_every_node_loads(slug: str) -> None:
    assert load_sensor_node(builtin_sensor_nodes()[slug]).slug == slug
