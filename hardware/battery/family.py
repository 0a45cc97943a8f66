"""Batteries as a family of documents."""

from __future__ import annotations

from hardware.battery.loader import builtin_batteries, load_battery
from hardware.battery.schema import BatteryDocument
from hardware.battery.summary import battery_words
from hardware.family import DocumentFamily

BATTERY = DocumentFamily(
    "battery", "hardware", "Battery", "Batteries", load_battery, battery_words, BatteryDocument, builtin_batteries
)
