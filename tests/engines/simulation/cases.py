from __future__ import annotations

import numpy as np

from engines.simulation.fleet import GivenSurroundings, Modes, Policy, equal_fleet
from engines.simulation.outcome import Outcome
from engines.simulation.simulate import Clock, simulate
from hardware.battery.model import EnergyStore

STORE = EnergyStore(capacity_j=1000.0, minimum_share=0.2)


TWO_MODES = Modes(("low", "high"), np.array([1.0, 10.0]), {"accuracy": np.array([0.5, 0.9])})


def steady(steps: int, policy: Policy, **fleet: bool) -> Outcome:
    surroundings = GivenSurroundings(np.zeros((1, steps), np.int8), 1)
    return simulate(equal_fleet(STORE, 2, **fleet), TWO_MODES, policy, surroundings, Clock(7.0, steps), watched=(1,))
