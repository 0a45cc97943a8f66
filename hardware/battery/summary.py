"""A battery in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.battery.loader import SECONDS_PER_HOUR
from hardware.battery.model import Battery


def battery_words(battery: Battery) -> str:
    """Return capacity, voltage and minimum level: "0.37 Wh, 3.7 V, to 10 %"."""
    parts = [f"{battery.capacity_j / SECONDS_PER_HOUR:.4g} Wh"]
    if battery.nominal_voltage_v:
        parts.append(f"{battery.nominal_voltage_v:g} V")
    if battery.minimum_share:
        parts.append(f"to {battery.minimum_share * 100:g} %")
    return ", ".join(parts)
