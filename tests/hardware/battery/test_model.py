from __future__ import annotations

import pytest

from hardware.battery.model import EnergyStore


def test_what_may_be_used_ends_at_the_minimum() -> None:
    assert EnergyStore(2000.0, minimum_share=0.3).usable_j == pytest.approx(1400.0)
    assert EnergyStore(2000.0).usable_j == 2000.0
