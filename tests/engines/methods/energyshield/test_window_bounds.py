"""Bounds within a window against the same arcs in very short steps, by other formulas."""

import numpy as np
import pytest

from engines.contract.arrays import FloatArray
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.vehicle import Pose
from engines.methods.energyshield.window_bounds import WINDOW_PART_M, chord_bound, least_on_arcs

AXLE_M, SIGMA, RADIUS_M = 1.6, 0.28, 4.0


def dense_least(pose: Pose, beta: FloatArray, way_m: float, steps: int = 2001) -> tuple[FloatArray, FloatArray]:
    """Least h and r about an obstacle in the origin: the bicycle model integrated in complex numbers."""
    way = np.linspace(0, way_m, steps)
    turn = np.sin(beta)[:, None] / AXLE_M
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.where(np.abs(turn) > 1e-9, np.expm1(1j * turn * way) / (1j * turn), way)
    place = (pose.x_m + 1j * pose.y_m)[:, None] + np.exp(1j * (pose.heading + beta))[:, None] * along
    xi = np.angle(place * np.exp(-1j * (pose.heading[:, None] + turn * way)))
    r_m = np.abs(place)
    h = (SIGMA * np.cos(xi / 2) + 1 - SIGMA) / RADIUS_M - 1 / r_m
    return h.min(axis=1), r_m.min(axis=1)


@pytest.mark.parametrize("way_m", [0.22, 0.66, 3.0])
def test_bounds_lie_below_the_least_of_dense_arcs_and_close_to_it(way_m: float) -> None:
    random = np.random.default_rng(5)
    count = 600
    bearing, r_m = random.uniform(-np.pi, np.pi, count), random.uniform(2.0 + way_m, 12.0, count)
    # Half of them head straight towards the obstacle, where h has a kink.
    off = np.where(np.arange(count) % 2, random.normal(0, 0.05, count), random.uniform(-np.pi, np.pi, count))
    pose = Pose(r_m * np.cos(bearing), r_m * np.sin(bearing), bearing + np.pi + off)
    beta = np.where(np.arange(count) % 7, random.uniform(-0.89, 0.89, count), 0.0)
    barrier = Barrier(np.full(count, SIGMA), np.full(count, RADIUS_M), AXLE_M, 0.89, 12.0)
    origin = np.zeros(count), np.zeros(count)
    dense_h, dense_r = dense_least(pose, beta, way_m)
    for part_m, error in ((way_m, np.inf), (WINDOW_PART_M, 2e-5)):
        h, least_r = least_on_arcs(barrier, pose, beta, origin, way_m, part_m)
        assert (h <= dense_h + 1e-9).all() and (least_r <= dense_r + 1e-9).all()
        assert (dense_h - h).max() < error and (dense_r - least_r).max() < error


def test_over_an_obstacle_the_bound_is_finite_and_below_zero() -> None:
    one = Barrier(np.full(1, SIGMA), np.full(1, RADIUS_M), AXLE_M, 0.89, 12.0)
    pose = Pose(np.array([-0.1]), np.zeros(1), np.zeros(1))
    h, r_m = least_on_arcs(one, pose, np.zeros(1), (np.zeros(1), np.zeros(1)), 0.2)
    assert -1001 < h[0] < -1 and 0 < r_m[0] < 0.01


def test_a_parabola_is_its_own_bound() -> None:
    # (s - 0.3)^2 has its least value, 0, within, and second derivative 2; without bending the lower end is the least.
    assert chord_bound(np.array([0.09]), np.array([0.49]), np.array([2.0])) == pytest.approx(0.0, abs=1e-12)
    assert chord_bound(np.array([0.09]), np.array([0.49]), np.array([0.0])) == pytest.approx(0.09)
