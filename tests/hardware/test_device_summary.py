"""Words about batteries, radios and sensor nodes."""

from __future__ import annotations

from hardware.battery_loader import builtin_batteries, load_battery
from hardware.device_summary import TECHNOLOGY_TITLES, battery_words, radio_words, sensor_node_words
from hardware.radio_loader import builtin_radios, load_radio
from hardware.sensor_node_loader import builtin_sensor_nodes, load_sensor_node


def test_a_battery_is_told_by_what_is_known_of_it() -> None:
    words = {slug: battery_words(load_battery(content)) for slug, content in builtin_batteries().items()}
    assert words["action-camera-battery"] == "5.36 Wh"
    assert words["fitness-tracker-battery"] == "0.37 Wh, 3.7 V"
    assert words["uav-example-battery"] == "55.7 Wh, to 10 %"


def test_a_radio_is_told_by_its_power_model() -> None:
    words = {slug: radio_words(load_radio(content)) for slug, content in builtin_radios().items()}
    assert words["wifi-smartphone"] == "Wi-Fi: 0.133 W + 283 mW per Mbit/s up, 137 mW per Mbit/s down"
    assert words["bluetooth-low-energy"] == "Bluetooth: 0 W + 500 mW per Mbit/s up"
    assert {load_radio(content).technology for content in builtin_radios().values()} == set(TECHNOLOGY_TITLES)


def test_a_node_is_told_by_its_sensors_and_its_battery() -> None:
    words = {slug: sensor_node_words(load_sensor_node(content)) for slug, content in builtin_sensor_nodes().items()}
    assert words["openmv-gps-camera"] == "image sensor 5 to 30 Hz, gps; 5.36 Wh"
    assert words["fitness-tracker"] == "gps 0.1 to 1 Hz, imu; 0.37 Wh"
