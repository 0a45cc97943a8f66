"""A radio in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.radio.model import Radio

TECHNOLOGY_TITLES = {"wifi": "Wi-Fi", "umts": "3G", "lte": "LTE", "nr": "5G", "bluetooth": "Bluetooth"}


def radio_words(radio: Radio) -> str:
    """Return technology, power by throughput and round trip: "Wi-Fi: 0.133 W + 283 mW per Mbit/s up, round trip 10 ms"."""
    slopes = (("up", radio.uplink_j_per_bit), ("down", radio.downlink_j_per_bit))
    known = [f"{each * 1e9:.3g} mW per Mbit/s {way}" for way, each in slopes if each is not None]
    delay = "unknown" if radio.round_trip_s is None else f"{1e3 * radio.round_trip_s:.3g} ms"
    return f"{TECHNOLOGY_TITLES[radio.technology]}: {radio.base_power_w:.3g} W + {', '.join(known)}, round trip {delay}"
