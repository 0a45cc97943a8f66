from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.sensor_node.loader import load_sensor_node
from tests.hardware.small_devices_for_tests import sensor_node_content


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"high_power_sensor__rates_hz": []}, "high_power_sensor.rates_hz", [], "not empty"),
        ({"high_power_sensor__rates_hz": [2, 1, 4]}, "high_power_sensor.rates_hz.1", 1, "ascending"),
        ({"high_power_sensor__sample_bits": None}, "high_power_sensor.sample_bits", None, "a number in bit"),
        ({"low_power_sensors__tilt": {"power_w": 1}}, "low_power_sensors.tilt.power_w", 1, "did you mean power_mw?"),
        ({"processor__idle_power_mw": "20 mW"}, "processor.idle_power_mw", "20 mW", "a number"),
        (
            {"processor__write_energy_pj_per_bit": 6},
            "processor.write_energy_pj_per_bit",
            6,
            "left out where write_power_mw is given",
        ),
        ({"battery__capacity_wh": None}, "battery.capacity_wh", None, "a number in Wh"),
        ({"measured__rate_hz": 3}, "measured.rate_hz", 3, "1, 2, 4"),
        ({"measured__power_shares_percent__rest": 5}, "measured.power_shares_percent", "79 in all", "add up to 100"),
        ({"sources__radio": None}, "sources.radio.transfer_energy_nj_per_bit", None, "here or for a key around it"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_sensor_node(sensor_node_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key, error.got) == ("mine.yaml", key, got)
    assert accepted in error.accepted
