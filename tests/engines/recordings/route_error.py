"""The route error as goyal-2023 defines it, which the run time of every policy is compared with."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.recordings.routes import Route


def route_error(route: Route, updates: FloatArray) -> float:
    """Route error of positions that are only taken now and then (goyal-2023 eq. 3.4, absolute differences).

    Args:
        route: the original.
        updates: which places are taken, n, true or false; the first and the last always are.
    """
    taken = np.asarray(updates, bool).copy()
    taken[[0, -1]] = True
    at = np.flatnonzero(taken)
    chords = np.hypot(np.diff(route.x_m[at]), np.diff(route.y_m[at]))
    total = float(route.way_m[-1])
    return float(np.abs(np.diff(route.way_m[at]) - chords).sum() / total) if total else 0.0
