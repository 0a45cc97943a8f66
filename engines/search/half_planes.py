"""Joint lower bounds of two numbers: the part of the plane that stays after half-planes are cut off.

Every half-plane says "per_x x + per_y y is at least this". An objective that rises in both numbers and is quasi-concave (no
point between two is worse than both: products of powers, weighted sums) is least at a corner of what is left, so that the
corners bound it from below.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engines.contract.arrays import FloatArray


class HalfPlanes:
    """The set of all (x, y) above a bound of x, a bound of y, and every added half-plane.

    Args:
        least_x, least_y: bounds of each number by itself.
    """

    def __init__(self, least_x: float, least_y: float) -> None:
        self._least_x = least_x
        # The edge of a half-plane as a line y = rise x + offset; the bound of y is the first of them.
        self._rise, self._offset = np.zeros(1), np.array([least_y])

    def add(self, per_x: float, per_y: float, least: float) -> None:
        """Restrict the set to per_x x + per_y y >= least; weights are not negative, and one is positive."""
        if per_y == 0:
            self._least_x = max(self._least_x, least / per_x)
            return
        self._rise = np.append(self._rise, -per_x / per_y)
        self._offset = np.append(self._offset, least / per_y)

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Return the x and y of points on the lower left edge, with all its corners, shape `n` each."""
        one, other = np.triu_indices(len(self._rise), 1)
        apart = self._rise[one] - self._rise[other]
        crossing = apart != 0
        x = (self._offset[other] - self._offset[one])[crossing] / apart[crossing]
        x = np.append(np.maximum(x, self._least_x), self._least_x)
        return x, (self._rise[:, None] * x + self._offset[:, None]).max(axis=0)

    def lowest(self, value: Callable[[FloatArray, FloatArray], FloatArray]) -> tuple[float, float]:
        """Return the corner (x, y) with the least `value`, a quasi-concave function that rises in both."""
        x, y = self.corners()
        at = int(value(x, y).argmin())
        return float(x[at]), float(y[at])
