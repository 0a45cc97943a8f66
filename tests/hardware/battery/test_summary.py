"""Words about a battery."""

from __future__ import annotations

from hardware.battery.loader import builtin_batteries, load_battery
from hardware.battery.summary import battery_words


def test_a_battery_is_told_by_what_is_known_of_it() -> None:
    words = {slug: battery_words(load_battery(content)) for slug, content in builtin_batteries().items()}
    assert words["action-camera-battery"] == "5.36 Wh"
    assert words["fitness-tracker-battery"] == "0.37 Wh, 3.7 V"
    assert words["uav-example-battery"] == "55.7 Wh, to 10 %"
