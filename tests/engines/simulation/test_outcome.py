from __future__ import annotations

import numpy as np
import pytest

from engines.cost.battery import life_s
from engines.simulation.fleet import Policy
from tests.engines.simulation.cases import STORE, TWO_MODES, steady


def test_life_is_that_of_the_mean_power() -> None:
    outcome = steady(100, Policy(np.array([[1]])))
    assert outcome.minimum_reached_at_s == pytest.approx(life_s(STORE, 10.0))
    assert outcome.ended_at_s == pytest.approx(100.0)
    assert outcome.mode_time_s == pytest.approx(np.array([[0, 100.0]] * 2))
    assert outcome.means(TWO_MODES.figures)["accuracy"] == pytest.approx(0.9)


def test_a_device_can_end_at_its_minimum() -> None:
    outcome = steady(100, Policy(np.array([[1]])), ends_at_minimum=True)
    assert outcome.ended_at_s == pytest.approx(80.0)
    assert outcome.end_charge_shares == pytest.approx(0.2)
