"""How long the steering may be held: nu of eq. 6.15 in closed form, and from it the windows an answer may take.

    sqrt(2) L_h |f| nu exp(L_f nu) = h   =>   nu = W(L_f h / (sqrt(2) L_h |f|)) / L_f

with W the Lambert function, L_h = max(1 / rbar^2, sigma / (2 rbar)), L_f = v_max and |f| over r and xi at the highest speed: the
constants with which the published table was made. Eq. 6.14 takes the floor of nu in seconds, which is always 0; samples are meant.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import wrightomega

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.energyshield.barrier import Barrier

TABLE_MARGIN_S = 0.01
TABLE_MOST_S = 0.15
_FAR_MARGIN_M = 2.0
_ROUNDING = 1e-9  # of a window: 0.04 s are two windows of 20 ms


def lipschitz(barrier: Barrier) -> tuple[FloatArray, float]:
    """Return the L_h in 1/m^2 and L_f in 1/s."""
    radius = np.asarray(barrier.radius_m, np.float64)
    return np.maximum(1 / radius**2, np.asarray(barrier.sigma) / (2 * radius)), barrier.v_max_m_per_s


def safety_time_s(barrier: Barrier, r_m: FloatArray, xi: FloatArray, beta: FloatArray) -> FloatArray:
    """Return the nu in seconds: so long h stays above 0 with the steering held; 0 where h is not above 0, shapes as given."""
    of_h, of_f = lipschitz(barrier)
    speed = barrier.v_max_m_per_s
    towards = np.cos(xi - beta)
    turning = np.sin(xi - beta) / np.maximum(r_m, 1e-3) + np.sin(beta) / barrier.axle_m
    rate = speed * np.hypot(towards, turning)
    h = np.maximum(barrier.h(r_m, xi), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = wrightomega(np.log(of_f * h / (math.sqrt(2) * of_h * rate))) / of_f
    return np.where(h > 0, found, 0.0)


def bisected_time_s(barrier: Barrier, r_m: float, xi: float, beta: float) -> float:
    """Return the same by bisection of eq. 6.15 as it is printed, for one state: what the closed form is held against."""
    of_h, of_f = lipschitz(barrier)
    speed = barrier.v_max_m_per_s
    rate = math.hypot(
        speed * math.cos(xi - beta), speed / r_m * math.sin(xi - beta) + speed / barrier.axle_m * math.sin(beta)
    )
    h = float(barrier.h(np.array(r_m), np.array(xi)))
    low, high = 0.0, 10.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        reached = math.sqrt(2) * float(of_h) * rate * middle * math.exp(of_f * middle)
        low, high = (middle, high) if reached < h else (low, middle)
    return low


def held_windows(nu_s: FloatArray, window_s: float, most: FloatArray | int) -> IntArray:
    """Return windows for which the steering is held, from 1 on: the answer may take one less, as the last is left to the device.

    One window is held even where nu is shorter, as nothing is seen before it ends: nu proves nothing then (see `escape`).

    Args:
        nu_s: time for which it is safe.
        window_s: length of a window.
        most: cap.
    """
    windows = np.floor(nu_s / window_s + _ROUNDING)
    return np.clip(windows, 1, most).astype(np.int64)


def monitored_s(
    barrier: Barrier, r_m: FloatArray, xi: FloatArray, beta: FloatArray, *, far: bool = False
) -> FloatArray:
    """Return the nu as the published monitor uses it: 0.01 s less, at most 0.15 s.

    Args:
        barrier: barrier of the vehicles.
        r_m: distances.
        xi: orientations.
        beta: steering that is held.
        far: also the published rule for long range: the time to within 2 m of the barrier at the highest speed.
    """
    found = np.minimum(safety_time_s(barrier, r_m, xi, beta), TABLE_MOST_S) - TABLE_MARGIN_S
    if far:
        reach = (r_m - barrier.widest_m() - _FAR_MARGIN_M) / barrier.v_max_m_per_s
        found = np.maximum(found, np.minimum(reach, TABLE_MOST_S))
    return np.maximum(found, 0.0)
