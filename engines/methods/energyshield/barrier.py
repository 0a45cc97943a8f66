"""The barrier around an obstacle, and the steering that keeps a vehicle outside of it.

Source: odema-2024 eq. 6.2 to 6.8. The publication's shield is a network that was fitted to this set; here it is exact. With the
speed at its highest, the condition grad h . f + K v_max h >= 0 reads, divided by the speed,

    A(beta) + K h >= 0,    A(beta) = cos(xi - beta) / r^2 + c (sin(xi - beta) / r + sin(beta) / l_r),
    c = sigma sin(xi / 2) / (2 rbar)

and A is a sine wave in beta, M cos(beta - phi): the steering that is not safe is one interval around phi + pi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.energyshield.vehicle import wrapped

LEAST_DISTANCE_M = 1e-3


@dataclass(frozen=True, eq=False)
class Barrier:
    """Barriers of `b` vehicles, or one for all.

    Attributes:
        sigma: how much more room is kept in front than behind, above 0 and below 1; a number or shape `b`.
        radius_m: rbar, which no vehicle may come nearer than; a number or shape `b`.
        axle_m: l_r = l_f, from the centre of mass to an axle.
        beta_max: largest steering variable, radians.
        v_max_m_per_s: highest speed.
    """

    sigma: FloatArray | float
    radius_m: FloatArray | float
    axle_m: float
    beta_max: float
    v_max_m_per_s: float

    @property
    def gain(self) -> FloatArray:
        """K of eq. 6.7, of the published design."""
        radius = np.asarray(self.radius_m, np.float64)
        return np.maximum(1.0, 1 / radius) * (np.asarray(self.sigma) / (2 * radius) + 3)

    def h(self, r_m: FloatArray, xi: FloatArray) -> FloatArray:
        """Return the value of eq. 6.6 in 1/m: at least 0 where it is safe."""
        wide = self.sigma * np.cos(xi / 2) + 1 - self.sigma
        return np.asarray(wide / self.radius_m - 1 / np.maximum(r_m, LEAST_DISTANCE_M))

    def least_h(self, r_m: FloatArray) -> FloatArray:
        """Return the least h in 1/m at a distance, over all orientations."""
        return np.asarray((1 - np.asarray(self.sigma)) / self.radius_m - 1 / np.maximum(r_m, LEAST_DISTANCE_M))

    def r_min(self, xi: FloatArray) -> FloatArray:
        """Return the value of eq.

        6.8 in metres: where h is 0; largest, rbar / (1 - sigma), for a vehicle that heads towards the obstacle.
        """
        return np.asarray(self.radius_m / (self.sigma * np.cos(xi / 2) + 1 - self.sigma))

    def widest_m(self) -> FloatArray:
        """Return `r_min` at xi = pi."""
        return np.asarray(self.radius_m / (1 - np.asarray(self.sigma)))

    def wave(self, r_m: FloatArray, xi: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the M and phi of A(beta) = M cos(beta - phi)."""
        near = 1 / np.maximum(r_m, LEAST_DISTANCE_M)
        turn = self.sigma * np.sin(xi / 2) / (2 * np.asarray(self.radius_m))
        cos, sin = np.cos(xi), np.sin(xi)
        straight = near * (cos * near + turn * sin)
        sideways = near * (sin * near - turn * cos) + turn / self.axle_m
        return np.hypot(straight, sideways), np.arctan2(sideways, straight)

    def best_margin(self, r_m: FloatArray, xi: FloatArray) -> FloatArray:
        """Return the maximum of A(beta) + K h over all steering angles, in 1/m^2: below 0 where none is safe."""
        size, phase = self.wave(r_m, xi)
        off = np.maximum(np.abs(wrapped(phase)) - self.beta_max, 0.0)
        return np.asarray(size * np.cos(off) + self.gain * self.h(r_m, xi))

    def beside(self) -> Barrier:
        """Return the same for several obstacles of each vehicle: shape `b x 1`."""
        sigma, radius = np.asarray(self.sigma, np.float64), np.asarray(self.radius_m, np.float64)
        return Barrier(sigma[..., None], radius[..., None], self.axle_m, self.beta_max, self.v_max_m_per_s)

    def part(self, rows: IntArray) -> Barrier:
        """Return the barriers of some of the vehicles."""
        return Barrier(
            _taken(self.sigma, rows), _taken(self.radius_m, rows), self.axle_m, self.beta_max, self.v_max_m_per_s
        )


def _taken(values: FloatArray | float, rows: IntArray) -> FloatArray | float:
    return values[rows] if isinstance(values, np.ndarray) else values


def safe_steering(
    barrier: Barrier,
    r_m: FloatArray,
    xi: FloatArray,
    beta: FloatArray,
    side: FloatArray | None = None,
    gain_per_m: float | None = None,
) -> FloatArray:
    """Return the steering that is safe and nearest to what was asked for (eq. 6.5), shape `b`.

    Where no steering is safe it is the one with the largest A.

    Args:
        barrier: barrier of the vehicles.
        r_m: distances; smaller ones than the true ones keep a margin.
        xi: orientations.
        beta: asked for.
        side: +1 or -1: where the vehicle may pass on either side, this one is taken, not the nearer; None: the nearer.
        gain_per_m: K of the condition; None: that of the published design.
    """
    most, gain = barrier.beta_max, barrier.gain if gain_per_m is None else gain_per_m
    asked = np.clip(beta, -most, most)
    size, phase = barrier.wave(r_m, xi)
    with np.errstate(divide="ignore", invalid="ignore"):
        level = np.clip(-gain * barrier.h(r_m, xi) / size, -1.0, 1.0)
    unsafe = np.pi - np.arccos(level)  # half the width of the unsafe interval
    centre = asked - wrapped(asked - phase - np.pi)
    upper, lower = centre + unsafe, centre - unsafe
    up, down = upper <= most, lower >= -most
    higher = (upper - asked <= asked - lower) if side is None else (side > 0)
    chosen = np.where(up & (higher | ~down), upper, lower)
    none = np.where(np.abs(wrapped(phase)) <= most, wrapped(phase), np.sign(wrapped(phase)) * most)
    chosen = np.where(up | down, chosen, none)
    return np.where(np.abs(asked - centre) >= unsafe, asked, np.clip(chosen, -most, most))
