"""The designs found so far, and the packages whose bounds their front excludes."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray

_ROUNDING = 1e-9  # bounds and scores add up in another order


def rules_out(front: FloatArray, bound: FloatArray, least_gain: float = 0.0) -> bool:
    """Return whether something found is as good as every point of a bound; both of shape `n x objectives`.

    What is no better than one of those points then adds nothing to the front but, at best, an equal point, or one that is better
    by less than `least_gain` (of one) in every objective.
    """
    as_good = np.all(front[None, :, :] <= bound[:, None, :] * (1 + _ROUNDING + least_gain), axis=2)
    return bool(np.all(np.any(as_good, axis=1)))
