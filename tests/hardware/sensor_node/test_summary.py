"""Words about a sensor node."""

from __future__ import annotations

from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.sensor_node.summary import sensor_node_words


def test_a_node_is_told_by_its_sensors_and_its_battery() -> None:
    words = {slug: sensor_node_words(load_sensor_node(content)) for slug, content in builtin_sensor_nodes().items()}
    assert words["openmv-gps-camera"] == "image sensor 5 to 30 Hz, gps; 5.36 Wh"
    assert words["fitness-tracker"] == "gps 0.1 to 1 Hz, imu; 0.37 Wh"
