"""A sensor node in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.battery.loader import SECONDS_PER_HOUR
from hardware.sensor_node.model import SensorNode


def sensor_node_words(node: SensorNode) -> str:
    """Return the sensors with their rates, and the battery: "image sensor 5 to 30 Hz, gps; 5.36 Wh"."""
    rates = node.rated_sensor.rates_hz
    sensors = [f"{_plain(node.rated_sensor.name)} {rates[0]:g} to {rates[-1]:g} Hz", *map(_plain, node.steady_sensors)]
    store = f"; {node.battery.capacity_j / SECONDS_PER_HOUR:.4g} Wh" if node.battery else ""
    return ", ".join(sensors) + store


def _plain(name: str) -> str:
    return name.replace("-", " ")
