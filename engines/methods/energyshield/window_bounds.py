"""Lower bounds of barrier and distance between the ends of a window, while speed and steering are held.

On an arc h has no least value in closed form. A function whose second derivative is at most U is at least its chord less
U t (T - t) / 2, so that its values at both ends bound it. With a = xi - beta, k = sin(beta) / l_r, r' = v cos a,
xi' = -v (sin a / r + k), and r at least rho,

    r'' <= v^2 (1 / rho + |k|)
    h'' <= v^2 (sigma / (2 rbar) (1 / rho^2 + |k| / rho) + 1 / rho^3 + |k| / rho^2 + sigma / (4 rbar) (1 / rho + |k|)^2)

Eq. 6.6 has |cos(xi / 2)|, with a kink where the vehicle heads towards the obstacle (xi = +-pi). There h is the larger of two smooth
functions, and at least every weighted mean of them; the mean with equal ends gives the highest bound.
"""

from __future__ import annotations

import math

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.energyshield.barrier import LEAST_DISTANCE_M, Barrier
from engines.methods.energyshield.vehicle import Pose, moved, relative

State = tuple[FloatArray, FloatArray]
WINDOW_PART_M = 0.01  # with which the bound of h is off by some 1e-6 1/m


def chord_bound(first: FloatArray, last: FloatArray, bend: FloatArray) -> FloatArray:
    """Return the least value of chord - bend s (1 - s) / 2 for s from 0 to 1; `bend` is U T^2, all of one shape."""
    change = last - first
    with np.errstate(divide="ignore", invalid="ignore"):
        dip = 0.5 * (first + last) - bend / 8 - change**2 / (2 * bend)
    return np.where(2 * np.abs(change) < bend, dip, np.minimum(first, last))


def bounds_between(
    barrier: Barrier, first: State, last: State, beta: FloatArray, way_m: float
) -> tuple[FloatArray, FloatArray]:
    """Return lower bounds of h in 1/m and r in metres on an arc.

    Args:
        barrier: whose shape broadcasts with the states.
        first: r and xi at the beginning of the arc.
        last: r and xi at its end.
        beta: steering that is held, radians.
        way_m: length of the arc.
    """
    (r_0, xi_0), (r_1, xi_1) = first, last
    turn = np.abs(np.sin(beta)) / barrier.axle_m
    least_r = np.maximum(0.5 * (r_0 + r_1 - way_m), LEAST_DISTANCE_M)
    near = 1 / least_r
    r_m = np.maximum(chord_bound(r_0, r_1, way_m**2 * (near + turn)), least_r)
    wide = barrier.sigma / np.asarray(barrier.radius_m)
    bend = wide * (0.5 * near * (near + turn) + 0.25 * (near + turn) ** 2) + near**2 * (near + turn)
    through = np.abs(xi_1 - xi_0) > np.pi  # the orientation passes +-pi
    side_0, side_1 = wide * np.cos(xi_0 / 2), wide * np.cos(xi_1 / 2)
    h_0, h_1 = barrier.h(r_0, xi_0), barrier.h(r_1, xi_1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.clip(((h_1 - side_1) - (h_0 - side_0)) / (side_0 + side_1), -1.0, 1.0)
    weight = np.where(side_0 + side_1 > 0, weight, 0.0)
    h_0 = np.where(through, h_0 - (1 - weight) * side_0, h_0)
    h_1 = np.where(through, h_1 - (1 + weight) * side_1, h_1)
    # Where it may turn by half a circle, nothing tells whether the orientation passed +-pi: what holds at any orientation is left.
    anyhow = barrier.least_h(r_m)
    known = way_m * (near + turn) < np.pi
    return np.where(known, np.maximum(chord_bound(h_0, h_1, way_m**2 * bend), anyhow), anyhow), r_m


def bounds_on_arcs(
    barrier: Barrier, pose: Pose, beta: FloatArray, obstacles: State, way_m: float, part_m: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return lower bounds of h in 1/m and r in metres, shape `n x p`, on the parts of arcs, and xi between them, `n x (p + 1)`.

    Args:
        barrier: barrier of the vehicles, shape `n`.
        pose: at the beginning of the arcs, shape `n`.
        beta: steering that is held, radians, shape `n`.
        obstacles: metres along and across of one for each vehicle, shape `n`.
        way_m: length of the arcs.
        part_m: length of a part at most; the shorter, the closer the bounds.
    """
    parts = max(1, math.ceil(way_m / part_m))
    start = Pose(pose.x_m[:, None], pose.y_m[:, None], pose.heading[:, None])
    there = moved(start, beta[:, None], 1.0, barrier.axle_m, way_m * np.arange(parts + 1) / parts)
    r_m, xi = relative(there, obstacles[0][:, None], obstacles[1][:, None])
    first, last = (r_m[:, :-1], xi[:, :-1]), (r_m[:, 1:], xi[:, 1:])
    return *bounds_between(barrier.beside(), first, last, beta[:, None], way_m / parts), xi


def least_on_arcs(
    barrier: Barrier, pose: Pose, beta: FloatArray, obstacles: State, way_m: float, part_m: float = WINDOW_PART_M
) -> tuple[FloatArray, FloatArray]:
    """Return the least of `bounds_on_arcs`, both of shape `n`."""
    h, r_m, _ = bounds_on_arcs(barrier, pose, beta, obstacles, way_m, part_m)
    return h.min(axis=1), r_m.min(axis=1)
