"""How long a steering may be held so that a way out stays open, which makes `predicted` safe at any window.

Eq. 6.3 holds at the moment at which the steering is chosen, and nu of eq. 6.15 often ends before the window does. The way out is
full steering to one side until the vehicle heads away from the obstacle (|xi| <= pi / 2), then straight on, on which r and
cos(xi / 2), and so h, only grow. A steering is held only for windows that keep the barrier, and at the end of which a way out keeps
it too, by the bounds of `window_bounds`; else the vehicle takes the way out that was open before. By induction the barrier is kept
from a state with a way out on, for one obstacle at a time, as in the publication.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.vehicle import Pose, moved, relative
from engines.methods.energyshield.window_bounds import WINDOW_PART_M, State, bounds_on_arcs

_TURN_PARTS_M = 0.6, 0.1


@dataclass(frozen=True, eq=False)
class Escape:
    """Vehicles in front of static obstacles.

    Attributes:
        barrier: barrier of `n` vehicles.
        obstacles: metres along and across, both of shape `n x o`.
    """

    barrier: Barrier
    obstacles: State

    def windows(self, pose: Pose, beta: FloatArray, way_m: float, most: IntArray) -> IntArray:
        """Return for how many windows the steering keeps the barrier with a way out at the end of each, from 0 to `most`.

        Args:
            pose: at the beginning of the first window, shape `n`.
            beta: steering that is held, radians, shape `n`.
            way_m: way in metres of a window.
            most: windows that are wanted, shape `n`.
        """
        near, _ = self._near(pose, way_m * float(most.max(initial=0)) + self._across_m)
        rows = np.flatnonzero(near.any(axis=1))
        held = most.copy()
        held[rows] = 0
        for window in range(1, int(most.max(initial=0)) + 1):
            rows = rows[most[rows] >= window]
            if not len(rows):
                break
            part, at, steering = self._part(rows), pose.part(rows), beta[rows]
            start = moved(at, steering, 1.0, self.barrier.axle_m, way_m * (window - 1))
            end = moved(at, steering, 1.0, self.barrier.axle_m, way_m * window)
            rows = rows[part._keep(start, steering, way_m) & ~np.isnan(part.steering(end))]
            held[rows] = window
        return held

    def steering(self, pose: Pose) -> FloatArray:
        """Return the steering with which the way out begins: full, 0 where the vehicle heads away, NaN where there is none."""
        near, xi = self._near(pose, self._across_m)
        ahead = near & (np.abs(xi) > np.pi / 2)
        side = np.where(np.where(ahead, xi, 0.0).sum(axis=1) >= 0, 1.0, -1.0)
        found = np.zeros(len(side))
        for full in (side, -side):
            rows = np.flatnonzero(ahead.any(axis=1) & (found == 0))
            if not len(rows):
                break
            beta = full[rows] * self.barrier.beta_max
            found[rows] = np.where(self._part(rows)._turn_out(pose.part(rows), beta, ahead[rows]), beta, 0.0)
        return np.where(ahead.any(axis=1) & (found == 0), np.nan, found)

    def _part(self, rows: IntArray) -> Escape:
        return Escape(self.barrier.part(rows), (self.obstacles[0][rows], self.obstacles[1][rows]))

    @property
    def _across_m(self) -> float:
        """Diameter of the circle with full steering, beyond which no turn goes."""
        return 2 * self.barrier.axle_m / math.sin(self.barrier.beta_max)

    def _near(self, pose: Pose, way_m: float) -> tuple[BoolArray, FloatArray]:
        """Return a mask of the obstacles that a path comes near, and xi; shape `n x o`."""
        column = Pose(pose.x_m[:, None], pose.y_m[:, None], pose.heading[:, None])
        r_m, xi = relative(column, *self.obstacles)
        reach = np.broadcast_to(self.barrier.widest_m(), pose.x_m.shape) + way_m
        return r_m < reach[:, None], xi

    def _keep(self, pose: Pose, beta: FloatArray, way_m: float) -> BoolArray:
        """Return whether h stays at least 0 on the arcs of a window, shape `n`."""
        near, _ = self._near(pose, way_m)
        return self._hold(pose, beta, near, way_m, (way_m, WINDOW_PART_M), turn=False)

    def _turn_out(self, pose: Pose, beta: FloatArray, ahead: BoolArray) -> BoolArray:
        """Return whether h of all obstacles ahead stays at least 0 until the vehicle heads away, within half a circle."""
        return self._hold(pose, beta, ahead, 0.5 * math.pi * self._across_m, _TURN_PARTS_M, turn=True)

    def _hold(
        self, pose: Pose, beta: FloatArray, among: BoolArray, way_m: float, parts_m: tuple[float, ...], *, turn: bool
    ) -> BoolArray:
        """Return whether bounds of h, in ever shorter parts where the longer do not tell, are at least 0 for obstacles `among`."""
        rows, columns = np.nonzero(among)
        for part_m in parts_m:
            if not len(rows):
                break
            obstacles = self.obstacles[0][rows, columns], self.obstacles[1][rows, columns]
            h, _, xi = bounds_on_arcs(self.barrier.part(rows), pose.part(rows), beta[rows], obstacles, way_m, part_m)
            if turn:
                away = np.abs(xi) <= np.pi / 2
                until = np.where(away.any(axis=1), away.argmax(axis=1), h.shape[1] + 1)
                h = np.where(np.arange(h.shape[1]) < until[:, None], h, np.inf)
                h[until > h.shape[1], 0] = -np.inf  # it never heads away
            left = np.flatnonzero(h.min(axis=1) < 0)
            rows, columns = rows[left], columns[left]
        kept = np.ones(len(beta), bool)
        kept[rows] = False
        return kept
