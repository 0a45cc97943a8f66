"""Which network is trained next: scalarised Thompson sampling, or noisy expected hypervolume improvement.

Thompson sampling (odema-2024 section B.4.1, eq. B.1): a Gaussian process with an RBF kernel represents each objective. One function
is drawn from each, and the network with the largest weighted sum of them is the next. The publication had Dragonfly look through
the space; here it is the best of candidates that are drawn anew for each step.

Improvement: S. Daulton, M. Balandat, E. Bakshy, "Parallel Bayesian optimization of multiple noisy objectives with expected
hypervolume improvement" (NeurIPS 2021), eq. 3, for one point at a time: functions are drawn from the processes of the objectives,
at what is known and at the candidates together; the front of what is known is that of the drawn values, not of the noisy
measurements; the improvement of each candidate is exact (hypervolumes by moocore) and its mean over functions is taken. BoTorch's
qLogNEHVI (Ament et al., NeurIPS 2023) is the logarithm of a smoothed mean, whose gradients vanish less. Among given candidates no
gradient is followed, and the mean itself has the same largest place; where it is 0 for all, the weighted sum decides.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from threadpoolctl import threadpool_limits

from engines.contract.arrays import FloatArray
from engines.contract.numeric.ordered_sums import product_in_order

FUNCTIONS = 16  # of each objective, for improvements
_LOOKED_AT = 200  # candidates whose improvement is computed: the first ones, as all are drawn alike
_NOISE = 1e-2  # variance of a training's luck, of objectives scaled to variance 1; assumed
_JITTER = 1e-6


def thompson(
    known: FloatArray, values: FloatArray, candidates: FloatArray, weights: FloatArray, random: np.random.Generator
) -> int:
    """Return the row of the candidate to train next.

    Args:
        known: networks that were trained, in the unit cube, shape `n x g` with n from 2 on.
        values: their objectives, more being better, shape `n x m`.
        candidates: shape `c x g`.
        weights: weights of the objectives, shape `m`.
        random: draws the functions.
    """
    total = np.zeros(len(candidates))
    # As a run's process has: where cores are shared, threads of such small matrices wait for each other.
    with threadpool_limits(1, user_api="blas"):
        for weight, objective in zip(weights, values.T, strict=True):
            total += weight * sampled(known, objective, candidates, random)[0]
    return int(np.argmax(total))


def sampled(
    known: FloatArray, objective: FloatArray, candidates: FloatArray, random: np.random.Generator, functions: int = 1
) -> FloatArray:
    """Return the functions drawn from the process of an objective, at the candidates, shape `functions x c`."""
    kernel = ConstantKernel(1.0, (1e-2, 1e2)) * RBF(1.0, (0.1, 10.0))
    process = GaussianProcessRegressor(kernel, alpha=_NOISE, normalize_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a length at the end of its range will do
        process.fit(known, objective)
    mean, covariance = process.predict(candidates, return_cov=True)
    scale = max(float(np.diag(covariance).max()), _JITTER)
    root = np.linalg.cholesky(covariance + _JITTER * scale * np.eye(len(mean)))
    drawn = product_in_order(root, random.standard_normal((len(mean), functions))).T
    return np.asarray(mean + drawn)


def improvement(
    known: FloatArray, values: FloatArray, candidates: FloatArray, weights: FloatArray, random: np.random.Generator
) -> int:
    """Return the row of the candidate to train next; arguments as `thompson` has them, values from 0 to 1."""
    with threadpool_limits(1, user_api="blas"):
        few = candidates[:_LOOKED_AT]
        points = np.concatenate([known, few])
        drawn = np.stack([sampled(known, each, points, random, FUNCTIONS) for each in values.T], axis=2)
    front, offered = np.split(np.clip(drawn, 0.0, 1.0), [len(known)], axis=1)
    gains = np.mean([improvements(one, other) for one, other in zip(front, offered, strict=True)], axis=0)
    if not gains.any():
        return int(np.argmax((offered.mean(axis=0) * weights).sum(axis=1)))
    return int(np.argmax(gains))


def improvements(known: FloatArray, offered: FloatArray) -> FloatArray:
    """Return the volume above 0 that each offered point adds to that of the known ones, more being better.

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
