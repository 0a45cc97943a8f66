"""The barrier, and the steering that is safe."""

import numpy as np
import pytest

from engines.methods.energyshield.barrier import Barrier, safe_steering
from engines.methods.energyshield.validity import worst_angle
from engines.methods.energyshield.vehicle import steering_of

BETA_MAX = float(steering_of(np.array(1.1854)))
PUBLISHED = Barrier(0.28, 4.0, 1.6, BETA_MAX, 12.0)
SECOND = Barrier(0.48, 4.0, 2.0, float(steering_of(np.array(np.pi / 4))), 20.0)


def condition(barrier: Barrier, r_m: np.ndarray, xi: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """grad h . f + K v_max h of eq. 6.3 at the highest speed, from the formulas of 6.1, 6.6 and 6.7."""
    sigma, radius, v = float(barrier.sigma), float(barrier.radius_m), barrier.v_max_m_per_s
    r_rate = v * np.cos(xi - beta)
    xi_rate = -v / r_m * np.sin(xi - beta) - v / barrier.axle_m * np.sin(beta)
    gain = max(1, 1 / radius) * (sigma / (2 * radius) + 3)
    return r_rate / r_m**2 - sigma * np.sin(xi / 2) / (2 * radius) * xi_rate + gain * v * barrier.h(r_m, xi)


def test_the_zero_level_is_where_h_is_zero_and_widest_towards_the_obstacle() -> None:
    xi = np.linspace(-np.pi, np.pi, 101)
    assert np.allclose(PUBLISHED.h(PUBLISHED.r_min(xi), xi), 0.0, atol=1e-15)
    assert PUBLISHED.r_min(xi).max() == pytest.approx(4 / 0.72)
    assert float(PUBLISHED.gain) == pytest.approx(3.035)
    assert float(SECOND.gain) == pytest.approx(3.06)


def test_safe_steering_is_the_nearest_that_keeps_the_condition() -> None:
    random = np.random.default_rng(1)
    xi = random.uniform(-np.pi, np.pi, 400)
    r_m = PUBLISHED.r_min(xi) + random.uniform(0, 0.6, 400)
    beta = random.uniform(-BETA_MAX, BETA_MAX, 400)
    found = safe_steering(PUBLISHED, r_m, xi, beta)
    assert (np.abs(found) <= BETA_MAX).all()
    assert (condition(PUBLISHED, r_m, xi, found) >= -1e-9).all()
    every = np.linspace(-BETA_MAX, BETA_MAX, 2001)
    allowed = condition(PUBLISHED, r_m[:, None], xi[:, None], every[None, :]) >= 0
    nearest = np.where(allowed, np.abs(every[None, :] - beta[:, None]), np.inf).min(axis=1)
    assert np.abs(np.abs(found - beta) - nearest).max() < 1.5e-3


@pytest.mark.parametrize(
    ("barrier", "least", "free_m"), [(PUBLISHED, 0.0176, 0.5), (SECOND, 0.036, 1.0)], ids=["0.28", "0.48"]
)
def test_some_steering_keeps_the_published_barriers_and_none_is_restricted_further_out(
    barrier: Barrier, least: float, free_m: float
) -> None:
    xi = np.linspace(-np.pi, np.pi, 721)
    assert worst_angle(barrier)[1] * barrier.v_max_m_per_s == pytest.approx(least, rel=0.01)
    beta = np.linspace(-barrier.beta_max, barrier.beta_max, 61)[None, :]
    far = (barrier.r_min(xi) + free_m)[:, None]
    assert (condition(barrier, far, xi[:, None], beta) >= 0).all()
