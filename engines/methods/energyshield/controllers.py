"""Steering controllers: their steering commands before the safety shield."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.energyshield.vehicle import Pose, steering_of

Controller = Literal["path", "pursuit", "poor"]
_LOOK_AHEAD_M = 8.0
_OFFSET_GAIN_PER_S = 2.5
_SWAY_M, _SWAY_LENGTH_M = 3.0, 25.0
_MOST_WHEEL = 0.6  # radians, of the wheel: what a controller asks for in ordinary driving


def path_follower(pose: Pose, noise: FloatArray, speed_m_per_s: float, axle_m: float) -> FloatArray:
    """Return the heading and offset from the middle of the lane (the controller of Stanley, Hoffmann et al. 2007)."""
    wheel = -pose.heading - np.arctan(_OFFSET_GAIN_PER_S * pose.y_m / speed_m_per_s)
    return steering_of(np.clip(wheel, -_MOST_WHEEL, _MOST_WHEEL))


def pure_pursuit(pose: Pose, noise: FloatArray, speed_m_per_s: float, axle_m: float) -> FloatArray:
    """Return a circle to a point of the middle of the lane 8 m ahead (Coulter 1992)."""
    along = np.sqrt(np.maximum(_LOOK_AHEAD_M**2 - pose.y_m**2, 1.0))
    angle = np.arctan2(-pose.y_m, along) - pose.heading
    wheel = np.arctan(4 * axle_m * np.sin(angle) / _LOOK_AHEAD_M)
    return steering_of(np.clip(wheel, -_MOST_WHEEL, _MOST_WHEEL))


def poor(pose: Pose, noise: FloatArray, speed_m_per_s: float, axle_m: float) -> FloatArray:
    """Sway across the road, with noise on the steering."""
    aim = _SWAY_M * np.sin(2 * np.pi * pose.x_m / _SWAY_LENGTH_M)
    wheel = -pose.heading - np.arctan(_OFFSET_GAIN_PER_S * (pose.y_m - aim) / speed_m_per_s) + 0.3 * noise
    return steering_of(np.clip(wheel, -1.0, 1.0))


CONTROLLERS: Mapping[Controller, Callable[[Pose, FloatArray, float, float], FloatArray]] = {
    "path": path_follower,
    "pursuit": pure_pursuit,
    "poor": poor,
}
