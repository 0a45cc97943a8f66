"""The simulation of many devices against a plain loop, hand-worked cases, and the balance of energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.cost.battery import charge_over_time
from engines.simulation.fleet import (
    Fleet,
    GivenSurroundings,
    Modes,
    Policy,
    ProfileSurroundings,
    equal_fleet,
)
from engines.simulation.simulate import Clock, simulate
from hardware.battery.model import EnergyStore
from hardware.environment.loader import builtin_environments, load_environment
from tests.engines.simulation.cases import STORE, TWO_MODES, steady


def _loop(
    fleet: Fleet, modes: Modes, policy: Policy, levels: np.ndarray, step_s: float
) -> tuple[np.ndarray, np.ndarray]:
    """Modes (-1 is off) and charge in J after every step of every device, one step of one device at a time."""
    devices, steps = levels.shape
    found, left = np.full((devices, steps), -1), np.empty((devices, steps))
    for device in range(devices):
        capacity, before = fleet.capacities_j[device], policy.first_mode
        energy = fleet.charge_shares[device] * capacity
        for step in range(steps):
            if energy > fleet.end_share * capacity:
                charge_bin = sum(energy > edge * capacity for edge in policy.charge_edges)
                key = (levels[device, step], charge_bin) + ((before,) if policy.table.ndim == 3 else ())
                now = int(policy.table[key])
                spent = modes.powers_w[now] * fleet.power_factors[device] * step_s
                if modes.switch_j is not None and step:
                    spent += modes.switch_j[before, now]
                energy = max(energy - spent, min(energy, fleet.end_share * capacity))
                found[device, step], before = now, now
            left[device, step] = energy
    return found, left


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    hysteresis=st.booleans(),
    switching=st.booleans(),
    ends=st.booleans(),
    steps=st.integers(1, 60),
)
def test_it_gives_what_a_loop_over_steps_gives(
    seed: int, hysteresis: bool, switching: bool, ends: bool, steps: int
) -> None:
    random = np.random.default_rng(seed)
    count, bins, levels, devices = 3, int(random.integers(1, 4)), 2, 4
    shape = (levels, bins, count) if hysteresis else (levels, bins)
    edges = np.sort(random.choice(np.arange(1, 20) / 20, bins - 1, replace=False))
    policy = Policy(random.integers(0, count, shape), edges, int(random.integers(count)))
    switch_j = random.uniform(0, 20, (count, count)) * (1 - np.eye(count)) if switching else None
    modes = Modes(("a", "b", "c"), random.uniform(0, 60, count), {}, switch_j)
    fleet = Fleet(
        random.uniform(500, 1500, devices), random.uniform(0.1, 1, devices), random.uniform(0.5, 2, devices), 0.2, ends
    )
    values = random.integers(0, levels, (devices, steps))
    outcome = simulate(
        fleet, modes, policy, GivenSurroundings(values, levels), Clock(1.0, steps, kept=7), watched=(0, 3)
    )
    found, left = _loop(fleet, modes, policy, values, 1.0)
    assert outcome.end_charge_shares == pytest.approx(left[:, -1] / fleet.capacities_j, rel=1e-9, abs=1e-12)
    bounds = Clock(1.0, steps, kept=7).bounds
    kept = np.concatenate((fleet.charge_shares[:, None], left[:, bounds[1:] - 1] / fleet.capacities_j[:, None]), axis=1)
    assert outcome.watched_charge_shares == pytest.approx(kept[[0, 3]], rel=1e-9, abs=1e-12)
    whole_s = [[(row == mode).sum() for mode in range(count)] for row in found]
    assert np.all(np.abs(outcome.mode_time_s - whole_s) <= 1.0)
    assert outcome.mode_time_s.sum(axis=1) == pytest.approx(
        np.fmin(np.nan_to_num(outcome.ended_at_s, nan=steps), steps)
    )
    assert outcome.switch_counts.tolist() == [_switches(row) for row in found]
    assert outcome.energy_j == pytest.approx(
        (fleet.charge_shares - outcome.end_charge_shares) * fleet.capacities_j, abs=1e-9
    )


def _switches(row: np.ndarray) -> int:
    working = row[row >= 0]
    return int((np.diff(working) != 0).sum())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 1)), min_size=1, max_size=8))
def test_charge_and_minimum_are_those_of_the_battery_model(stretches: list[tuple[int, int]]) -> None:
    levels = np.concatenate([np.full(steps, level) for steps, level in stretches])[None, :]
    policy = Policy(np.array([[0], [1]]))
    clock = Clock(1.0, levels.shape[1])
    outcome = simulate(equal_fleet(STORE, 1), TWO_MODES, policy, GivenSurroundings(levels, 2), clock)
    trace = charge_over_time(
        STORE, [float(s) for s, _ in stretches], [TWO_MODES.powers_w[level] for _, level in stretches]
    )
    assert outcome.end_charge_shares[0] == pytest.approx(trace.shares[-1], abs=1e-12)
    expected = float("nan") if trace.minimum_reached_at_s is None else trace.minimum_reached_at_s
    assert outcome.minimum_reached_at_s[0] == pytest.approx(expected, nan_ok=True)


def test_an_edge_of_charge_changes_the_mode_at_the_next_step() -> None:
    # 70 J per step: after the eighth step 440 J are left, below half; from then on 7 J per step.
    outcome = steady(20, Policy(np.array([[0, 1]]), np.array([0.5])))
    assert [(s.device, s.time_s, s.before, s.after) for s in outcome.switches] == [(1, 56.0, 1, 0)]
    assert outcome.end_charge_shares == pytest.approx(0.44 - 12 * 0.007)
    assert outcome.switch_counts.tolist() == [1, 1]


def test_the_drone_of_figure_2_keeps_its_budget_by_switching_and_not_without() -> None:
    # minakova-2022 section 4: 12 W in turbulent and 32 W in calm weather; networks of 11.2 W (82 %) and 31.0 W (89 %).
    environment = load_environment(builtin_environments()["uav-two-hour-flight"])
    modes = Modes(("windy", "calm"), np.array([11.2, 31.0]), {"accuracy": np.array([0.82, 0.89])})
    surroundings = ProfileSurroundings(environment.profiles["power_budget"], np.array([31.0]), 1.0)
    store = EnergyStore(55.7 * 3600, minimum_share=0.1)
    clock = Clock(1.0, 7200)
    switching = simulate(equal_fleet(store, 1), modes, Policy(np.array([[0], [1]])), surroundings, clock)
    greedy = simulate(equal_fleet(store, 1), modes, Policy(np.array([[1], [1]])), surroundings, clock)
    assert switching.over_budget_s.tolist() == [0] and greedy.over_budget_s.tolist() == [0.6 * 3600]
    assert np.isnan(switching.minimum_reached_at_s[0]) and greedy.minimum_reached_at_s[0] < 7200
    assert switching.switch_counts.tolist() == [3]
    assert switching.means(modes.figures)["accuracy"] == pytest.approx([(0.82 * 0.6 + 0.89 * 1.4) / 2])
