from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.silicon.loader import load_silicon_costs
from tests.hardware.silicon_for_tests import silicon_content


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"processes": {}}, "processes", {}, "not empty"),
        ({"processes__old__critical_percent": 101}, "processes.old.critical_percent", 101, "at most 100"),
        ({"defects__clustering": 0}, "defects.clustering", 0, "greater than 0"),
        ({"design__chiplet_masks": "none"}, "design.chiplet_masks", "none", "share, one-set, set-each"),
        ({"design__verification_percent": 100}, "design.verification_percent", 100, "less than 100"),
        ({"assembly__price_usd": 1}, "assembly.price_usd", 1, "left out"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_silicon_costs(silicon_content(**changes), "mine.yaml")
    assert (caught.value.key, caught.value.got) == (key, got) and accepted in caught.value.accepted
