"""nu: its formula, the published monitor, and a vehicle that steers as badly as it can."""

import math

import numpy as np
import pytest

from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.monitor import (
    bisected_time_s,
    held_windows,
    lipschitz,
    monitored_s,
    safety_time_s,
)
from engines.methods.energyshield.vehicle import Pose, moved, relative
from tests.engines.methods.energyshield.test_barrier import PUBLISHED, SECOND


def test_the_closed_form_solves_the_equation() -> None:
    random = np.random.default_rng(2)
    for barrier in (PUBLISHED, SECOND):
        xi = random.uniform(-np.pi, np.pi, 200)
        r_m = barrier.r_min(xi) + random.uniform(0.01, 30, 200)
        beta = random.uniform(-barrier.beta_max, barrier.beta_max, 200)
        nu = safety_time_s(barrier, r_m, xi, beta)
        by_hand = [
            bisected_time_s(barrier, *state) for state in zip(r_m.tolist(), xi.tolist(), beta.tolist(), strict=True)
        ]
        assert np.abs(nu - by_hand).max() < 2e-7


def test_the_constants_are_those_of_the_published_table() -> None:
    # A random vehicle never finds a wrong L_f: the constants themselves are looked at.
    of_h, of_f = lipschitz(SECOND)
    assert (float(of_h), of_f) == (0.0625, 20.0)
    state = (9.0, 2.4, 0.1)
    rate = 20 * math.hypot(math.cos(2.3), math.sin(2.3) / 9 + math.sin(0.1) / 2)
    nu = float(safety_time_s(SECOND, *(np.array(value) for value in state)))
    h = (0.48 * math.cos(1.2) + 0.52) / 4 - 1 / 9
    assert math.sqrt(2) * 0.0625 * rate * nu * math.exp(20 * nu) == pytest.approx(h, rel=1e-12)


def test_no_steering_held_for_nu_leaves_the_safe_side() -> None:
    random = np.random.default_rng(3)
    count = 2000
    xi = random.uniform(-np.pi, np.pi, count)
    r_m = PUBLISHED.r_min(xi) + random.uniform(0.0, 12, count)
    # The steering that lowers h most, of many: random ones find nothing.
    every = np.linspace(-PUBLISHED.beta_max, PUBLISHED.beta_max, 41)
    x, y, heading = r_m, np.zeros(count), -xi
    least = np.full(count, np.inf)
    for beta in every.tolist():
        steering = np.full(count, beta)
        nu = safety_time_s(PUBLISHED, r_m, xi, steering)
        for share in (0.5, 1.0):
            there = moved(Pose(x, y, heading), steering, 1.0, 1.6, 0.0)
            length = 12.0 * np.minimum(nu, 1.0) * share
            half = 0.5 * length / 1.6 * np.sin(steering)
            chord, course = length * np.sinc(half / np.pi), heading + steering + half
            there = Pose(x + chord * np.cos(course), chord * np.sin(course), heading + 2 * half)
            least = np.minimum(least, PUBLISHED.h(*relative(there, np.zeros(count), np.zeros(count))))
    assert least.min() >= 0


def test_nothing_is_held_inside_the_barrier_and_windows_are_whole() -> None:
    xi = np.array([np.pi, np.pi, 2.4])
    r_m = np.array([5.0, 25.0, 25.0])
    held = held_windows(monitored_s(PUBLISHED, r_m, xi, np.zeros(3)), 0.02, 10)
    assert held.tolist() == [1, 2, 3]  # r > 20 m: 2 windows straight on, 3 at xi = 2.4
    assert held_windows(np.array([0.04, 0.0399999]), 0.02, 10).tolist() == [2, 1]
    assert held_windows(np.array([0.5]), 0.02, 4).tolist() == [4]


def test_the_rule_for_long_range_allows_more_only_far_away() -> None:
    one = Barrier(0.28, 4.0, 1.6, PUBLISHED.beta_max, 12.0)
    r_m, xi, beta = np.array([7.0, 25.0]), np.full(2, np.pi), np.zeros(2)
    near, far = monitored_s(one, r_m, xi, beta, far=True)
    assert near == monitored_s(one, r_m, xi, beta)[0]
    assert far == pytest.approx(0.15)
