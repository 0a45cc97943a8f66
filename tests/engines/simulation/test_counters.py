from __future__ import annotations

import numpy as np
import pytest

from engines.simulation.fleet import GivenSurroundings, Policy, varied_fleet
from engines.simulation.simulate import Clock, simulate
from tests.engines.simulation.cases import STORE, TWO_MODES


def test_bands_hold_the_devices_and_the_first_is_exact() -> None:
    fleet = varied_fleet(STORE, 200, np.random.default_rng(3))
    surroundings = GivenSurroundings(np.zeros((1, 50), np.int8), 1)
    outcome = simulate(fleet, TWO_MODES, Policy(np.array([[1]])), surroundings, Clock(1.0, 50))
    assert np.all(np.diff(outcome.charge_quantiles, axis=0) >= 0)
    assert outcome.watched_charge_shares[0, -1] == pytest.approx(0.5)
    assert outcome.charge_quantiles[0, -1] < 0.5 < outcome.charge_quantiles[-1, -1]
