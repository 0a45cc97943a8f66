"""The bicycle model: straight lines, circles, and its differential equation."""

import math

import numpy as np
import pytest

from engines.methods.energyshield.vehicle import Pose, moved, relative, steering_of, wrapped


def test_straight_on_and_once_around() -> None:
    start = Pose(np.array([1.0, 1.0]), np.array([2.0, 2.0]), np.array([0.0, math.pi / 2]))
    ahead = moved(start, np.zeros(2), 10.0, 1.6, 0.5)
    np.testing.assert_allclose([ahead.x_m, ahead.y_m], [[6.0, 1.0], [2.0, 7.0]], atol=1e-12)
    # A circle of radius l_r / sin(beta) = 3.2 m.
    beta = np.full(2, math.pi / 6)
    around = moved(start, beta, 10.0, 1.6, 2 * math.pi * 3.2 / 10.0)
    np.testing.assert_allclose([around.x_m, around.y_m], [start.x_m, start.y_m], atol=1e-12)
    np.testing.assert_allclose(around.heading, start.heading, atol=1e-12)
    half = moved(start, beta, 10.0, 1.6, math.pi * 3.2 / 10.0)
    np.testing.assert_allclose(np.hypot(half.x_m - start.x_m, half.y_m - start.y_m), 6.4)


def test_arcs_are_those_of_the_bicycle_model() -> None:
    pose, beta = Pose(np.array([3.0]), np.array([-1.0]), np.array([0.4])), np.array([0.3])
    r_m, xi = relative(pose, np.array([9.0]), np.array([1.0]))
    step, small = 1e-6, 12.0
    there_r, there_xi = relative(moved(pose, beta, small, 1.6, step), np.array([9.0]), np.array([1.0]))
    assert (there_r - r_m) / step == pytest.approx(small * np.cos(xi - beta), rel=1e-4)
    rate = -small / r_m * np.sin(xi - beta) - small / 1.6 * np.sin(beta)
    assert (there_xi - xi) / step == pytest.approx(rate, rel=1e-4)
    twice = moved(moved(pose, beta, 12.0, 1.6, 0.05), beta, 12.0, 1.6, 0.05)
    once = moved(pose, beta, 12.0, 1.6, 0.1)
    assert (twice.x_m, twice.y_m) == (pytest.approx(once.x_m), pytest.approx(once.y_m))


def test_towards_the_obstacle_is_pi_and_away_is_zero() -> None:
    pose = Pose(np.zeros(2), np.zeros(2), np.array([0.0, math.pi]))
    _, xi = relative(pose, np.full(2, 10.0), np.zeros(2))
    assert np.abs(xi).tolist() == pytest.approx([math.pi, 0.0])


def test_angles_and_steering() -> None:
    np.testing.assert_allclose(wrapped(np.array([0.5, 2 * math.pi + 0.5, -1.5 * math.pi])), [0.5, 0.5, math.pi / 2])
    assert float(steering_of(np.array(math.pi / 4))) == pytest.approx(math.atan(0.5))
