"""A radio in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.radio.model import Radio

TECHNOLOGY_TITLES = {"wifi": "Wi-Fi", "umts": "3G", "lte": "LTE", "nr": "5G", "bluetooth": "Bluetooth"}


def radio_words(radio: Radio) -> str:
    """Technology, base power, and what throughput adds: "Wi-Fi: 0.133 W + 283 mW per Mbit/s up, ..."."""
    slopes = (("up", radio.uplink_j_per_bit), ("down", radio.downlink_j_per_bit))
    known = [f"{each * 1e9:.3g} mW per Mbit/s {way}" for way, each in slopes if each is not None]
    return f"{TECHNOLOGY_TITLES[radio.technology]}: {radio.base_power_w:.3g} W + {', '.join(known)}"
