from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.radio.loader import load_radio
from tests.hardware.small_devices_for_tests import radio_content


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"technology": "5g"}, "technology", "5g", "wifi, umts, lte, nr, bluetooth"),
        ({"transfer_power": None}, "transfer_power", None, "a mapping"),
        ({"transfer_power__base_mw": -1}, "transfer_power.base_mw", -1, "at least 0"),
        ({"transfer_power": {"base_mw": 1}}, "transfer_power.uplink_mw_per_mbps", None, "downlink_mw_per_mbps"),
        ({"typical_throughput__uplink_mbps": 0}, "typical_throughput.uplink_mbps", 0, "greater than 0"),
        ({"states__tail__power_mw": None}, "states.tail.power_mw", None, "a number in mW"),
        ({"states__tail__energy_mj": 1}, "states.tail.energy_mj", 1, "left out"),
        ({"sources__states": None}, "sources.states.tail.power_mw", None, "here or for a key around it"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_radio(radio_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key, error.got) == ("mine.yaml", key, got)
    assert accepted in error.accepted
