"""Small valid documents of sensor nodes, radios and batteries that tests change in one place."""

from __future__ import annotations

from typing import Any

from tests.hardware.documents_for_tests import changed

_HEAD = {"title": "Made up", "source": "made up"}

_BATTERY: dict[str, Any] = {
    "schema": "battery/1",
    "slug": "cell",
    **_HEAD,
    "capacity_wh": 2,
    "nominal_voltage_v": 3.7,
    "minimum_level_share": 0.25,
    "sources": dict.fromkeys(("capacity_wh", "nominal_voltage_v", "minimum_level_share"), "made up"),
}

_RADIO: dict[str, Any] = {
    "schema": "radio/1",
    "slug": "link",
    **_HEAD,
    "technology": "wifi",
    "transfer_power": {"base_mw": 100, "uplink_mw_per_mbps": 200, "downlink_mw_per_mbps": 50},
    "typical_throughput": {"uplink_mbps": 4},
    "states": {"tail": {"power_mw": 500, "duration_ms": 2000}, "idle": {"power_mw": 10}},
    "sources": dict.fromkeys(("transfer_power", "typical_throughput", "states"), "made up"),
}

_SENSOR_NODE: dict[str, Any] = {
    "schema": "sensor-node/1",
    "slug": "buoy",
    **_HEAD,
    "high_power_sensor": {"name": "sonar", "rates_hz": [1, 2, 4], "sample_bits": 1000, "active_power_mw": 300},
    "low_power_sensors": {"thermometer": {"rate_hz": 1, "power_mw": 2}, "tilt": {}},
    "processor": {"clock_mhz": 48, "active_power_mw": 100, "idle_power_mw": 20, "write_power_mw": 40, "ram_kib": 2},
    "radio": {"transfer_energy_nj_per_bit": 500},
    "battery": {"capacity_wh": 2},
    "measured": {"rate_hz": 4, "battery_life_h": 8, "power_shares_percent": {"sonar": 74, "rest": 25}},
    "sources": dict.fromkeys(
        ("high_power_sensor", "low_power_sensors", "processor", "radio", "battery", "measured"), "made up"
    ),
}


def battery_content(**changes: Any) -> dict[str, Any]:
    """A fresh battery; `changes` as for `package_content`."""
    return changed(_BATTERY, changes)


def radio_content(**changes: Any) -> dict[str, Any]:
    """A fresh radio; `changes` as for `package_content`."""
    return changed(_RADIO, changes)


def sensor_node_content(**changes: Any) -> dict[str, Any]:
    """A fresh sensor node; `changes` as for `package_content`."""
    return changed(_SENSOR_NODE, changes)


ENVIRONMENT: dict[str, Any] = {
    "schema": "environment/1",
    "slug": "pond",
    "title": "Made up",
    "source": "made up",
    "duration_s": 100,
    "profiles": {
        "power_budget": {"title": "Power", "unit": "mW", "times_s": [0, 10, 40], "values": [500, 2000, 1000]},
        "light": {"title": "Light", "unit": "%", "times_s": [0, 100], "values": [0, 50], "between": "straight"},
    },
    "periods": [{"title": "noon", "start_s": 10, "end_s": 40}],
    "sources": dict.fromkeys(("duration_s", "profiles", "periods"), "made up"),
}


def environment_content(**changes: Any) -> dict[str, Any]:
    """A fresh environment; `changes` as for `package_content`."""
    return changed(ENVIRONMENT, changes)
