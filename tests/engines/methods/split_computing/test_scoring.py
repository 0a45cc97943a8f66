"""What controllers are worth on windows made up, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.split_computing.controllers import ORACLE, PRICED, THRESHOLDS
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.scoring import Bench, bench_of, scored, searched
from engines.running.context import LocalContext
from tests.engines.methods.split_computing.problems import control_problem

PROBLEM = control_problem({"windows": 200})
INSTANCE = instance_of(PROBLEM)
BENCH = bench_of(INSTANCE, LocalContext(PROBLEM))


def never() -> None:
    raise AssertionError("nothing learnt was asked for")


def test_doing_everything_in_the_car_saves_and_risks_nothing() -> None:
    columns = BENCH.columns(np.zeros(200, np.int64))
    assert columns["saved_fraction"] == columns["risky_fraction"] == columns["offloaded_fraction"] == 0.0
    assert np.isnan(columns["quality"])
    assert columns["energy_j"] == pytest.approx(BENCH.windows.energy_j[0].mean())


def test_risk_is_offloading_of_windows_that_are_not_robust() -> None:
    robust = np.arange(200) % 4 == 0
    bench = Bench(INSTANCE, replace(BENCH.windows, robust=robust))
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
    found = scored(BENCH, [decisions[0], {"controller": ORACLE}], never)  # type: ignore[arg-type]
    assert found.decisions == [decisions[0], {"controller": ORACLE}]
    assert found.columns["reward_lost"][1] <= found.columns["reward_lost"][0]
    with pytest.raises(DecisionError, match="controller"):
        scored(BENCH, [{"controller": "dice"}], never)  # type: ignore[arg-type]
