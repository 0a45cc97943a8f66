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


@given(mutated(sensor_node_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    node = None
    with contextlib.suppress(HardwareError):
        node = load_sensor_node(content)
    assert node is None or node.sample_energy_j(1, 1, 1) >= 0


@pytest.mark.parametrize("slug", builtin_sensor_nodes())
def test_every_node_loads(slug: str) -> None:
    assert load_sensor_node(builtin_sensor_nodes()[slug]).slug == slug
