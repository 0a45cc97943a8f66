"""Words about a radio."""

from __future__ import annotations

from hardware.radio.loader import builtin_radios, load_radio
from hardware.radio.summary import TECHNOLOGY_TITLES, radio_words


def test_a_radio_is_told_by_its_power_model() -> None:
    words = {slug: radio_words(load_radio(content)) for slug, content in builtin_radios().items()}
    assert words["wifi-smartphone"] == "Wi-Fi: 0.133 W + 283 mW per Mbit/s up, 137 mW per Mbit/s down, round trip 10 ms"
    assert words["bluetooth-low-energy"] == "Bluetooth: 0 W + 500 mW per Mbit/s up, round trip 7.5 ms"
    assert {load_radio(content).technology for content in builtin_radios().values()} == set(TECHNOLOGY_TITLES)
