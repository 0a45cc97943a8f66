"""Whether a barrier can be kept: on its zero level some steering has to satisfy eq. 6.3 at every orientation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engines.contract.errors import ProblemError
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.episodes import DrivingConditions

_ANGLES = 721
_STEP = 0.01  # of sigma, in the search for the nearest that works


def worst_angle(barrier: Barrier) -> tuple[float, float]:
    """Return the orientation at which the best steering leaves least on the zero level, in radians, and what it leaves in 1/m^2."""
    xi = np.linspace(-np.pi, np.pi, _ANGLES)
    margin = barrier.best_margin(barrier.r_min(xi), xi)
    place = int(margin.argmin())
    return float(xi[place]), float(margin[place])


def require_valid(world: DrivingConditions, sigmas: Sequence[float], radii_m: Sequence[float]) -> None:
    """Refuse a safety barrier that no steering can maintain.

    Raises:
        ProblemError: names sigma, rbar, the orientation, by how much it fails, and the nearest sigma that works.
    """
    for sigma in sigmas:
        for radius in radii_m:
            angle, left = worst_angle(_barrier(world, sigma, radius))
            if left >= 0:
                continue
            near = _nearest(world, sigma, radius)
            remedy = f"Use the nearest possible sigma, {near:g}." if near else "Use a larger rbar or wheel angle."
            accepted = "a sigma for which some steering maintains the barrier"
            reason = (
                f"With rbar {radius:g} m and xi = {math.degrees(angle):.0f}°, the best steering reduces h by "
                f"{-left * world.v_max_m_per_s:.3g} 1/(m s)."
            )
            raise ProblemError("params.sigmas", sigma, accepted, reason=reason, remedies=[remedy])


def _nearest(world: DrivingConditions, sigma: float, radius_m: float) -> float | None:
    tried = sorted((step * _STEP for step in range(1, round(1 / _STEP))), key=lambda value: abs(value - sigma))
    return next((round(value, 2) for value in tried if worst_angle(_barrier(world, value, radius_m))[1] >= 0), None)


def _barrier(world: DrivingConditions, sigma: float, radius_m: float) -> Barrier:
    return Barrier(sigma, radius_m, world.axle_m, world.beta_max, world.v_max_m_per_s)
