"""Life and charge of batteries, by hand-worked cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.battery import charge_over_time, life_s
from hardware.battery.loader import builtin_batteries, load_battery
from hardware.battery.model import EnergyStore

# One watt-hour of which a quarter must stay.
STORE = EnergyStore(capacity_j=3600, minimum_share=0.25)


def test_life_is_usable_energy_over_power() -> None:
    assert life_s(STORE, 1.0) == 2700
    assert life_s(STORE, 0.5, charge_share=0.5) == 1800
    assert life_s(STORE, 1.0, charge_share=0.2) == 0
    assert math.isinf(life_s(STORE, 0.0))


def test_the_published_lives_follow_from_the_published_powers() -> None:
    # goyal-2023 eq. 3.3: 5.36 Wh last 2.5 h at 2.144 W.
    camera = load_battery(builtin_batteries()["action-camera-battery"])
    assert life_s(camera, 2.144) / 3600 == pytest.approx(2.5)


def test_charge_falls_by_power_times_time() -> None:
    trace = charge_over_time(STORE, [900, 600, 300], [1.0, 0.0, 6.0])
    assert trace.times_s.tolist() == [0, 900, 1500, 1800]
    assert trace.shares == pytest.approx([1, 0.75, 0.75, 0.25])
    assert trace.minimum_reached_at_s == 1800


def test_the_minimum_is_reached_within_a_stretch_and_charge_ends_at_zero() -> None:
    trace = charge_over_time(STORE, [3600, 3600], [1.0, 1.0], charge_share=0.75)
    assert trace.minimum_reached_at_s == pytest.approx(1800)
    assert trace.shares == pytest.approx([0.75, 0, 0])


def test_a_battery_that_starts_below_its_minimum_is_there_at_once() -> None:
    assert charge_over_time(STORE, [10], [1.0], charge_share=0.2).minimum_reached_at_s == 0
    assert charge_over_time(STORE, [], [], charge_share=0.5).minimum_reached_at_s is None


def test_the_drone_of_the_example_keeps_its_minimum() -> None:
    # minakova-2022 section 4: 11.2 W in wind (0 to 0.1 h, 1.0 to 1.5 h), 31 W otherwise, for two hours.
    store = load_battery(builtin_batteries()["uav-example-battery"])
    trace = charge_over_time(store, [360, 3240, 1800, 1800], [11.2, 31.0, 11.2, 31.0])
    assert trace.minimum_reached_at_s is None
    assert trace.shares[-1] == pytest.approx(0.1, abs=0.001)


@given(st.lists(st.tuples(st.floats(0.01, 1e3), st.floats(0, 10)), max_size=30), st.floats(0, 1))
def test_charge_never_rises_and_agrees_with_the_life_at_the_mean_power(
    stretches: list[tuple[float, float]], charge_share: float
) -> None:
    durations, powers = [s[0] for s in stretches], [s[1] for s in stretches]
    trace = charge_over_time(STORE, durations, powers, charge_share)
    assert np.all(np.diff(trace.shares) <= 0) and np.all(trace.shares >= 0)
    total_s = sum(durations)
    if stretches and charge_share > STORE.minimum_share:
        mean_w = sum(d * p for d, p in stretches) / total_s
        margin = life_s(STORE, mean_w, charge_share) - total_s
        if abs(margin) > 1e-6 * total_s:
            assert (trace.minimum_reached_at_s is None) == (margin > 0)


@pytest.mark.parametrize(
    ("durations", "powers", "share", "field"),
    [
        ([1], [1, 2], 1, "powers_w"),
        ([1, -1], [1, 1], 1, "durations_s.1"),
        ([1], [float("nan")], 1, "powers_w.0"),
        ([1], [1], 1.5, "charge_share"),
    ],
)
def test_what_cannot_be_is_refused(durations: list[float], powers: list[float], share: float, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        charge_over_time(STORE, durations, powers, share)
    assert caught.value.field == field


def test_a_negative_power_is_refused() -> None:
    with pytest.raises(ProblemError, match="mean_power_w"):
        life_s(STORE, -1)
