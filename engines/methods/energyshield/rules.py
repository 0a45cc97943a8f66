"""Three ways to use the shield one window after the state was seen.

The device needs a window for what it sees, so that the steering of a window rests on the state at the beginning of the one before.

- printed: eq. 6.12. With the old state its sign rule turns the wheel to and fro at xi = +-pi, and the vehicle drives on straight.
- hysteresis: with the old state, too, but the side on which the vehicle passes changes only once the orientation is well off +-pi.
- predicted: the state is first moved one window ahead with the steering that is known to be held; the side as above. Within the
  margin, too, it takes the nearest safe steering, with a low gain: full steering there, and K of the published design outside,
  turn the wheel to and fro along the edge of the margin. A steering is held only for windows that keep the barrier and leave a way
  out (`escape`), as nu may end before the window does; the proof needs neither the gain nor the margin.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.energyshield.barrier import Barrier, safe_steering

Rule = Literal["predicted", "hysteresis", "printed"]
RULES: tuple[Rule, ...] = ("predicted", "hysteresis", "printed")
HYSTERESIS = 0.3  # radians around xi = +-pi
# The gain is the inverse of the distance in which h comes back to the margin: lengths below a window's make it overshoot.
_LEAST_LENGTH_M = 1.0


def side_of(xi: FloatArray, before: FloatArray) -> FloatArray:
    """Return +1 or -1: the side of which a vehicle passes; within `HYSTERESIS` of +-pi, that of before."""
    now = np.where(xi >= 0, 1.0, -1.0)
    return np.where((np.abs(xi) > np.pi - HYSTERESIS) & (before != 0), before, now)


def printed_steering(
    barrier: Barrier, margin_m: FloatArray | float, r_m: FloatArray, xi: FloatArray, beta: FloatArray
) -> FloatArray:
    """Return the value of eq. 6.12."""
    inside = r_m - margin_m < barrier.r_min(xi)
    full = np.where(xi >= 0, barrier.beta_max, -barrier.beta_max)
    return np.where(inside, full, safe_steering(barrier, r_m - margin_m, xi, beta))


def sided_steering(
    barrier: Barrier, margin_m: FloatArray | float, r_m: FloatArray, xi: FloatArray, beta: FloatArray, side: FloatArray
) -> FloatArray:
    """Return the value of eq.

    6.12 with the side kept: within the margin full steering to that side, outside of it the safe steering on that side.
    """
    inside = r_m - margin_m < barrier.r_min(xi)
    ahead = np.abs(xi) > np.pi / 2
    full = np.where(ahead, side, np.where(xi >= 0, 1.0, -1.0)) * barrier.beta_max
    return np.where(inside, full, safe_steering(barrier, r_m - margin_m, xi, beta, side))


def gentle_steering(
    barrier: Barrier,
    margin_m: FloatArray | float,
    r_m: FloatArray,
    xi: FloatArray,
    beta: FloatArray,
    side: FloatArray,
    way_m: float,
) -> FloatArray:
    """Return the safe steering on the side that is kept, within the margin too; h reaches the edge of the margin without overshoot.

    `way_m` is the distance of a window in metres.
    """
    return safe_steering(barrier, r_m - margin_m, xi, beta, side, 1.0 / max(_LEAST_LENGTH_M, way_m))
