"""The kinematic bicycle model at constant speed, exactly, in the plane and relative to a point.

Source: odema-2024 eq. 6.1. With speed and steering held, a vehicle moves on a circle, so that a window needs no integration in
steps. In the plane its state is x, y and heading; relative to a point, the distance r and the orientation xi: 0 where it heads away
from the point, +-pi where it heads towards it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class Pose:
    """Where `b` vehicles are: metres and radians, each of shape `b`."""

    x_m: FloatArray
    y_m: FloatArray
    heading: FloatArray

    def part(self, rows: IntArray) -> Pose:
        """Return the poses of the vehicles at the given indices."""
        return Pose(self.x_m[rows], self.y_m[rows], self.heading[rows])


def wrapped(angle: FloatArray) -> FloatArray:
    """Return the angles wrapped to -pi..pi."""
    return angle - _TURN * np.round(angle / _TURN)


def moved(pose: Pose, beta: FloatArray, speed_m_per_s: float, axle_m: float, seconds: float | FloatArray) -> Pose:
    """Return the poses after a time with speed and steering held; shapes broadcast.

    Args:
        pose: at the start, shape `b`.
        beta: steering variable of eq. 6.1, radians, shape `b`.
        speed_m_per_s: speed of all vehicles.
        axle_m: from the centre of mass to the rear axle.
        seconds: duration.
    """
    way = speed_m_per_s * seconds
    half_turn = (0.5 * way / axle_m) * np.sin(beta)
    chord = way * np.sinc(half_turn / np.pi)
    course = pose.heading + beta + half_turn
    return Pose(
        pose.x_m + chord * np.cos(course), pose.y_m + chord * np.sin(course), wrapped(pose.heading + 2 * half_turn)
    )


def relative(pose: Pose, x_m: FloatArray, y_m: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distance r in metres and orientation xi in radians to points; shapes broadcast."""
    across, along = pose.y_m - y_m, pose.x_m - x_m
    return np.hypot(along, across), wrapped(np.arctan2(across, along) - pose.heading)


def steering_of(wheel: FloatArray) -> FloatArray:
    """Return the steering variable beta of a front-wheel angle, with both axles as far from the centre of mass (eq. 6.1)."""
    return np.arctan(0.5 * np.tan(wheel))
