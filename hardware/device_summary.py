"""Batteries, radios and sensor nodes in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.battery import Battery
from hardware.battery_loader import SECONDS_PER_HOUR
from hardware.radio import Radio
from hardware.sensor_node import SensorNode

TECHNOLOGY_TITLES = {"wifi": "Wi-Fi", "umts": "3G", "lte": "LTE", "nr": "5G", "bluetooth": "Bluetooth"}


def battery_words(battery: Battery) -> str:
    """Capacity, voltage and minimum level: "0.37 Wh, 3.7 V, to 10 %"."""
    parts = [f"{battery.capacity_j / SECONDS_PER_HOUR:.4g} Wh"]
    if battery.nominal_voltage_v:
        parts.append(f"{battery.nominal_voltage_v:g} V")
    if battery.minimum_share:
        parts.append(f"to {battery.minimum_share * 100:g} %")
    return ", ".join(parts)


def radio_words(radio: Radio) -> str:
    """Technology, base power, and what throughput adds: "Wi-Fi: 0.133 W + 283 mW per Mbit/s up, ..."."""
    slopes = (("up", radio.uplink_j_per_bit), ("down", radio.downlink_j_per_bit))
    known = [f"{each * 1e9:.3g} mW per Mbit/s {way}" for way, each in slopes if each is not None]
    return f"{TECHNOLOGY_TITLES[radio.technology]}: {radio.base_power_w:.3g} W + {', '.join(known)}"


def sensor_node_words(node: SensorNode) -> str:
    """The sensors with their rates, and the battery: "image sensor 5 to 30 Hz, gps; 5.36 Wh"."""
    rates = node.rated_sensor.rates_hz
    sensors = [f"{_plain(node.rated_sensor.name)} {rates[0]:g} to {rates[-1]:g} Hz", *map(_plain, node.steady_sensors)]
    store = f"; {node.battery.capacity_j / SECONDS_PER_HOUR:.4g} Wh" if node.battery else ""
    return ", ".join(sensors) + store


def _plain(name: str) -> str:
    return name.replace("-", " ")
