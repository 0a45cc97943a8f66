"""The simulation of many devices: one day in steps of a second for a thousand of them; processor time of one thread."""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.report import Figure, show
from engines.simulation.fleet import GivenSurroundings, Modes, Policy, ProfileSurroundings, varied_fleet
from engines.simulation.simulate import Clock, simulate
from hardware.battery.model import EnergyStore
from hardware.environment.loader import builtin_environments, load_environment

DEVICES, SECONDS = 1000, 86_400
LONGEST_DAY_S = 5.0
STORE = EnergyStore(capacity_j=55.7 * 3600 * 12, minimum_share=0.1)


def _modes() -> Modes:
    figures = {"accuracy": np.array([0.82, 0.89])}
    return Modes(("windy", "calm"), np.array([11.2, 31.0]), figures, np.array([[0.0, 0.1], [0.1, 0.0]]))


def same_weather() -> float:
    """Return all devices meet one profile; three bins of charge. Seconds."""
    profile = load_environment(builtin_environments()["uav-two-hour-flight"]).profiles["power_budget"]
    policy = Policy(np.array([[0, 0, 0], [0, 1, 1]]), np.array([0.3, 0.6]))
    return _seconds(policy, ProfileSurroundings(profile, np.array([31.0]), 1.0))


def weather_of_its_own() -> float:
    """Every device has levels of its own, second by second. Seconds."""
    levels = (np.random.default_rng(1).random((DEVICES, SECONDS), np.float32) > 0.5).astype(np.int8)
    policy = Policy(np.array([[0, 0, 0], [0, 1, 1]]), np.array([0.3, 0.6]))
    return _seconds(policy, GivenSurroundings(levels, 2))


def mode_before_matters() -> float:
    """Return the seconds of `weather_of_its_own` with a policy that asks for the mode before: a loop over the steps."""
    levels = (np.random.default_rng(1).random((DEVICES, SECONDS), np.float32) > 0.5).astype(np.int8)
    table = np.array([[[0, 0], [0, 0], [0, 0]], [[0, 1], [1, 1], [1, 1]]])
    return _seconds(Policy(table, np.array([0.3, 0.6])), GivenSurroundings(levels, 2))


def _seconds(policy: Policy, surroundings: GivenSurroundings | ProfileSurroundings) -> float:
    fleet = varied_fleet(STORE, DEVICES, np.random.default_rng(0))
    begin = time.process_time()
    outcome = simulate(fleet, _modes(), policy, surroundings, Clock(1.0, SECONDS), watched=(0, 1, 2))
    taken = time.process_time() - begin
    lost = (1 - outcome.end_charge_shares) * fleet.capacities_j
    if not np.allclose(lost, outcome.energy_j, rtol=1e-9):
        raise SystemExit("Energy is not conserved.")
    return taken


def main() -> int:
    """Measure and print."""
    words = f"a day in steps of 1 s, {DEVICES:,} devices"
    return show([
        Figure(f"{words}, one profile of power", same_weather(), "s", LONGEST_DAY_S),
        Figure(f"{words}, levels of their own", weather_of_its_own(), "s", LONGEST_DAY_S),
        Figure(f"{words}, the mode before matters", mode_before_matters(), "s", LONGEST_DAY_S),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
