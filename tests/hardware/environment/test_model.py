from __future__ import annotations

import numpy as np
import pytest

from hardware.environment.loader import load_environment
from tests.hardware.small_devices_for_tests import environment_content


def test_values_are_converted_once_and_known_at_any_time() -> None:
    environment = load_environment(environment_content())
    budget, light = environment.profiles["power_budget"], environment.profiles["light"]
    assert (budget.unit, light.unit) == ("W", "share")
    assert budget.at([0, 9.9, 10, 39, 40, 1000]).tolist() == [0.5, 0.5, 2, 2, 1, 1]
    assert light.at(np.array([[0, 50], [100, 200]])) == pytest.approx(np.array([[0, 0.25], [0.5, 0.5]]))
    assert budget.mean(100) == pytest.approx((0.5 * 10 + 2 * 30 + 1 * 60) / 100)
    assert light.mean(50) == pytest.approx(0.125)
    assert environment.sources["profiles.light"] == "made up"
    assert [(period.start_s, period.end_s, period.title) for period in environment.periods] == [(10, 40, "noon")]
