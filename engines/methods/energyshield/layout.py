"""Where obstacles stand: along the road as published, or where a user put them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray

_TRIES = 200


@dataclass(frozen=True)
class Layout:
    """Obstacles before anything is drawn.

    Attributes:
        points_m: (along, across) of each.
        spread_m: each moves along the road by up to so much.
        noise_m: standard deviation by which each moves in both directions besides.
        apart_m: least distance of any two, below which positions are drawn again.
    """

    points_m: tuple[tuple[float, float], ...]
    spread_m: float
    noise_m: float
    apart_m: float

    @property
    def fixed(self) -> bool:
        """Whether nothing is drawn."""
        return self.spread_m == 0 and self.noise_m == 0

    def least_apart_m(self) -> float:
        """Return the smallest distance of two obstacles at their given positions; infinite for one obstacle."""
        points = np.array(self.points_m)
        return float(_least_apart(points[None, :, 0], points[None, :, 1])[0])


def drawn_obstacles(layout: Layout, random: np.random.Generator, episodes: int) -> tuple[FloatArray, FloatArray]:
    """Return the positions along and across, both of shape `episodes x obstacles`; obstacles that come too near are drawn again."""
    points = np.array(layout.points_m, np.float64)
    x_m = np.broadcast_to(points[:, 0], (episodes, len(points))).copy()
    y_m = np.broadcast_to(points[:, 1], (episodes, len(points))).copy()
    again = np.arange(0 if layout.fixed else episodes)
    for _ in range(_TRIES):
        if not len(again):
            return x_m, y_m
        shape = (len(again), len(points))
        x_m[again] = (
            points[:, 0] + random.uniform(-layout.spread_m, layout.spread_m, shape)
            + layout.noise_m * random.standard_normal(shape)
        )  # fmt: skip
        y_m[again] = points[:, 1] + layout.noise_m * random.standard_normal(shape)
        again = again[_least_apart(x_m[again], y_m[again]) < layout.apart_m]
    x_m[again], y_m[again] = points[:, 0], points[:, 1]
    return x_m, y_m


def _least_apart(x_m: FloatArray, y_m: FloatArray) -> FloatArray:
    """Return an array of shape `e` of positions of shape `e x o`."""
    apart = np.hypot(x_m[:, :, None] - x_m[:, None, :], y_m[:, :, None] - y_m[:, None, :])
    own = np.eye(x_m.shape[1], dtype=bool)
    return np.asarray(np.where(own, np.inf, apart).min(axis=(1, 2)))
