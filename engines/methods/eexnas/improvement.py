"""Noisy expected hypervolume improvement: which network widens the front most, trainings being noisy.

S. Daulton, M. Balandat, E. Bakshy, "Parallel Bayesian optimization of multiple noisy objectives with expected hypervolume
improvement" (NeurIPS 2021), eq. 3, for one point at a time: functions are drawn from the processes of the objectives, at what is
known and at the candidates together; the front of what is known is that of the drawn values, not of the noisy measurements; the
improvement of each candidate is exact (hypervolumes by moocore) and its mean over functions is taken. BoTorch's
qLogNEHVI (Ament et al., NeurIPS 2023) is the logarithm of a smoothed mean, whose gradients vanish less. Among given candidates
no gradient is followed, and the mean itself has the same largest place; where it is 0 for all, the weighted sum decides.
"""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from engines.contract.arrays import FloatArray
from engines.methods.eexnas import thompson

FUNCTIONS = 16  # of each objective
_LOOKED_AT = 200  # candidates whose improvement is computed: the first ones, as all are drawn alike


def chosen(
    known: FloatArray, values: FloatArray, candidates: FloatArray, weights: FloatArray, random: np.random.Generator
) -> int:
    """Row of the candidate to train next; arguments as `thompson.chosen` has them, values from 0 to 1."""
    with threadpool_limits(1, user_api="blas"):
        few = candidates[:_LOOKED_AT]
        points = np.concatenate([known, few])
        drawn = np.stack([thompson.sampled(known, each, points, random, FUNCTIONS) for each in values.T], axis=2)
    front, offered = np.split(np.clip(drawn, 0.0, 1.0), [len(known)], axis=1)
    gains = np.mean([improvements(one, other) for one, other in zip(front, offered, strict=True)], axis=0)
    if not gains.any():
        return int(np.argmax((offered.mean(axis=0) * weights).sum(axis=1)))
    return int(np.argmax(gains))


def improvements(known: FloatArray, offered: FloatArray) -> FloatArray:
    """Volume above 0 that each offered point adds to that of the known ones, more being better.

    Args:
        known: shape `n x m`, from 0 on.
        offered: shape `c x m`.

    Returns:
        shape `c`.
    """
    import moocore

    front = known[moocore.is_nondominated(known, maximise=True)]
    found = np.zeros(len(offered))
    for row, point in enumerate(offered):
        if (front >= point).all(axis=1).any():
            continue
        shared = np.minimum(front, point)  # what is known of the box of the point
        inside = shared[(shared > 0).all(axis=1)]
        covered = moocore.hypervolume(inside, ref=np.zeros(point.size), maximise=True) if len(inside) else 0.0
        found[row] = max(0.0, float(np.prod(point)) - float(covered))
    return found
