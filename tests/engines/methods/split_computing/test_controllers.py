"""Controllers on drawn windows: Table 5.4, and the exact ones against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.split_computing.controllers import (
    ExactController,
    PricedController,
    ThresholdController,
    controller_of,
    expected_rewards,
    local,
    oracle,
    r_agnostic,
)
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.scenes import RANGES, Scenes
from engines.methods.split_computing.windows import Windows
from engines.running.context import LocalContext
from tests.engines.methods.split_computing.problems import control_problem

# odema-2024 Table 5.4: load of the server -> shares in per cent of R-agnostic and of the oracle.
TABLE_5_4 = {
    0.90: ((11.17, 14.73, 74.10), (53.19, 8.00, 38.82)),
    0.97: ((37.18, 17.17, 45.65), (66.94, 9.17, 23.89)),
    0.99: ((70.34, 9.25, 20.41), (84.37, 5.04, 10.60)),
}


def windows_of(count: int, **params: object) -> Windows:
    problem = control_problem(params)
    return instance_of(problem).windows(LocalContext(problem), count, "test")


def shares(actions: np.ndarray) -> np.ndarray:
    return 100 * np.bincount(actions, minlength=3) / len(actions)


def test_table_5_4_of_r_agnostic_within_half_a_point() -> None:
    errors, oracles = [], []
    for load, (plain, known) in TABLE_5_4.items():
        windows = windows_of(200_000, load=load)
        errors.append(shares(r_agnostic(windows)) - plain)
        oracles.append(shares(oracle(windows)) - known)
    assert np.sqrt(np.mean(np.square(errors))) < 0.5
    assert np.sqrt(np.mean(np.square(oracles))) < 0.5


def test_shares_are_those_of_the_closed_form() -> None:
    # A Rayleigh bandwidth passes x with exp(-x^2 / (2 s^2)); the queue's places are summed one by one.
    windows, places = windows_of(200_000), np.arange(200)
    chance = 0.03 * 0.97**places / (1 - 0.97**4001)
    passes = []
    for count in (2, 3):
        least = np.array([windows.system.least_bits_per_s(count, place * 1e-3) for place in places.tolist()])
        passes.append(float((chance * np.exp(-((least / 8e6) ** 2) / 2)).sum()))
    exact = 100 * np.array([1 - passes[0], passes[0] - passes[1], passes[1]])
    np.testing.assert_allclose(shares(r_agnostic(windows)), exact, atol=0.4)


def test_the_exact_controller_equals_brute_force_over_every_policy() -> None:
    windows = windows_of(6, context_share=0.4)
    worth = expected_rewards(windows, -2.0)
    best = max(sum(worth[action, n] for n, action in enumerate(policy)) for policy in product(range(3), repeat=6))
    exact = ExactController(-2.0)(windows)
    assert worth[exact, np.arange(6)].sum() == pytest.approx(best)


def test_the_priced_controller_equals_brute_force_over_every_policy() -> None:
    windows = windows_of(6, context_share=0.4, bandwidth_mbps=4)
    cost = np.array([
        [
            windows.energy_j[a, n] + 0.2 * bool(a) * (1 - windows.belief[n]) + 0.1 * windows.missed[a, n]
            for n in range(6)
        ]
        for a in range(3)
    ])  # fmt: skip
    least = min(sum(cost[action, n] for n, action in enumerate(policy)) for policy in product(range(3), repeat=6))
    found = PricedController(0.2, 0.1)(windows)
    assert cost[found, np.arange(6)].sum() == pytest.approx(least)


def test_expected_rewards_are_the_means_of_real_ones() -> None:
    windows = windows_of(200_000)
    risky, robust = windows.system.rewards(windows.energy_j, windows.missed, -2.0)
    real = np.where(windows.robust, robust, risky[:, None])
    for actions in (local(windows), r_agnostic(windows), ExactController(-2.0)(windows)):
        each = np.arange(len(windows))
        expected = expected_rewards(windows, -2.0)[actions, each].mean()
        assert real[actions, each].mean() == pytest.approx(expected, abs=0.01)


def test_beliefs_are_calibrated_and_scenes_are_as_published() -> None:
    for threshold, share, mean in ((0.5, 0.683, 0.853), (0.68, 0.527, 0.937), (0.98, 0.366, 0.995)):
        scenes, random = Scenes(threshold, 0.3), np.random.default_rng(1)
        belief = scenes.beliefs(random, 200_000)
        robust = random.random(200_000) < belief
        quality = scenes.quality(random, robust)
        assert scenes.robust_share == pytest.approx(share, abs=1e-9)
        assert ((quality >= threshold) == robust).all()
        assert quality[robust].mean() == pytest.approx(mean, abs=0.003)
        assert quality.mean() == pytest.approx(0.649, abs=0.003)
        assert belief.var() == pytest.approx(0.3 * share * (1 - share), rel=0.02)
    assert sum(part for part, _, _ in RANGES) == pytest.approx(1)


def test_wrong_decisions_are_refused() -> None:
    for decision, field in (
        ({"controller": "best"}, "decision.controller"),
        ({"controller": "priced", "risk_price_j": -1, "miss_price_j": 0}, "decision.risk_price_j"),
        *(
            ({"controller": "thresholds", "bandwidths_mbps": rates, "belief": 0.5}, "decision.bandwidths_mbps")
            for rates in ([7, 4], [4], [4, 7, 9], [4, float("inf")], [4, "7"], [True, 7], "47", (4, 7), None)
        ),
        ({"controller": "thresholds", "bandwidths_mbps": [4, 7], "belief": float("inf")}, "decision.belief"),
    ):
        with pytest.raises(DecisionError) as refused:
            controller_of(decision, 3, -2.0, lambda: local)
        assert refused.value.field == field
        assert not field.endswith("mbps") or "2 bandwidths" in str(refused.value)


def test_thresholds_are_read_in_megabits_per_second() -> None:
    found = controller_of(
        {"controller": "thresholds", "bandwidths_mbps": [2, 5], "belief": 0.5}, 3, -2.0, lambda: local
    )
    assert found == ThresholdController((2e6, 5e6), 0.5)
    rates, beliefs = np.array([1.9e6, 2e6, 4.9e6, 5e6, 9e6]), np.array([0.9, 0.5, 0.9, 0.9, 0.4])
    windows = replace(windows_of(5), bits_per_s=rates, belief=beliefs)
    assert found(windows).tolist() == [0, 1, 1, 2, 0]
    found = controller_of({"controller": "thresholds", "bandwidths_mbps": [0, 5], "belief": 0}, 3, -2.0, lambda: local)
    assert found == ThresholdController((0.0, 5e6), 0.0)
