"""What controllers are worth on windows made up, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.split_computing.controllers import ORACLE, PRICED, THRESHOLDS
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.scoring import bench_of, scored, searched
from engines.running.context import LocalContext
from tests.engines.methods.split_computing.problems import control_problem

PROBLEM = control_problem({"windows": 200})
INSTANCE = instance_of(PROBLEM)
BENCH = bench_of(INSTANCE, LocalContext(PROBLEM))


def test_doing_everything_in_the_car_saves_and_risks_nothing() -> None:
    columns = BENCH.columns(np.zeros(200, np.int64))
    assert columns["saved_fraction"] == columns["risky_fraction"] == columns["offloaded_fraction"] == 0.0
    assert np.isnan(columns["quality"])
    assert columns["energy_j"] == pytest.approx(BENCH.windows.energy_j[0].mean())


def test_risk_is_offloading_of_windows_that_are_not_robust() -> None:
    robust = np.arange(200) % 4 == 0
    bench = replace(BENCH, windows=replace(BENCH.windows, robust=robust))
    actions = np.where(np.arange(200) < 100, 1, 0)
    columns = bench.columns(actions)
    assert (columns["offloaded_fraction"], columns["risky_fraction"]) == (0.5, 0.375)
    assert columns["quality"] == pytest.approx(BENCH.windows.quality[:100].mean())


def test_nothing_is_lost_to_the_best_action_that_is_expected() -> None:
    best = BENCH.expected.argmax(axis=0)
    assert BENCH.columns(best)["reward_lost"] == pytest.approx(0.0, abs=1e-12)
    assert BENCH.columns(np.zeros(200, np.int64))["reward_lost"] >= 0
    assert BENCH.columns(BENCH.rewards.argmax(axis=0), knows_more=True)["reward_lost"] < 0  # it sees what others cannot


def test_the_windows_are_the_same_for_everybody() -> None:
    again = bench_of(INSTANCE, LocalContext(PROBLEM))
    np.testing.assert_array_equal(again.windows.bits_per_s, BENCH.windows.bits_per_s)


def test_decisions_are_said_with_four_digits_and_scored_as_they_are_said() -> None:
    decisions = searched(INSTANCE)
    assert {each["controller"] for each in decisions} >= {PRICED, THRESHOLDS}
    prices = [each["risk_price_j"] for each in decisions if each["controller"] == PRICED]
    assert all(float(f"{price:.4g}") == price for price in prices) and len(set(prices)) > 10
    found = scored(BENCH, [decisions[0], {"controller": ORACLE}])
    assert found["reward_lost"][1] <= found["reward_lost"][0]
    with pytest.raises(DecisionError, match="controller"):
        scored(BENCH, [{"controller": "dice"}])
    alone = scored(BENCH, decisions[:1])
    assert alone["energy_j"].tolist() == found["energy_j"][:1].tolist()


def test_what_is_searched_by_hand() -> None:
    # Three of four pipelines that are offloaded save three tails in the car.
    system = INSTANCE.system
    scale = 3 * system.tail_s * system.local_power_w
    exact, *others = searched(INSTANCE)
    assert exact == {"controller": "exact"}
    prices = np.array([[each["risk_price_j"], each["miss_price_j"]] for each in others if each["controller"] == PRICED])
    risk = [0.0, *np.exp(np.linspace(np.log(0.05), np.log(50), 16))]
    expected = [[price, miss] for price in risk for miss in (0, 0.1, 0.25, 0.5, 2)]
    np.testing.assert_allclose(prices, scale * np.array(expected), rtol=1e-3)
    thresholds = [each for each in others if each["controller"] == THRESHOLDS]
    delay_s = INSTANCE.typical_delay_s
    least = np.array([system.least_bits_per_s(count, delay_s) for count in (2, 3)]) / 1e6
    rates = [factor * least for factor in (0.5, 0.75, 1, 1.5, 2) for _ in range(6)]
    np.testing.assert_allclose([each["bandwidths_mbps"] for each in thresholds], rates, rtol=5e-4)
    assert [each["belief"] for each in thresholds] == [0, 0.3, 0.4, 0.5, 0.6, 0.7] * 5


def test_thresholds_go_by_an_idle_server_where_a_count_is_never_in_time() -> None:
    system = INSTANCE.system
    more_ms = 1e3 * (system.deadline_s - 2.5 * system.encoder_s - INSTANCE.typical_delay_s)
    instance = instance_of(control_problem({"round_trip_ms": more_ms}))
    delay_s = instance.typical_delay_s
    assert np.isfinite(system.least_bits_per_s(2, delay_s)) and np.isinf(system.least_bits_per_s(3, delay_s))
    found = next(each for each in searched(instance) if each["controller"] == THRESHOLDS)
    idle = [0.5e-6 * system.least_bits_per_s(count, 0.0) for count in (2, 3)]
    np.testing.assert_allclose(found["bandwidths_mbps"], idle, rtol=5e-4)
