"""Scalarised Thompson sampling (odema-2024 section B.4.1, eq. B.1).

A Gaussian process with an RBF kernel stands for each objective. One function is drawn from each, and the network with the largest
weighted sum of them is the next. The publication had Dragonfly look through the space; here it is the best of candidates that are
drawn anew for each step.
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

_NOISE = 1e-2  # variance of a training's luck, of objectives scaled to variance 1; assumed
_JITTER = 1e-6


def chosen(
    known: FloatArray, values: FloatArray, candidates: FloatArray, weights: FloatArray, random: np.random.Generator
) -> int:
    """Row of the candidate to train next.

    Args:
        known: networks that were trained, in the unit cube, shape `n x g` with n from 2 on.
        values: their objectives, more being better, shape `n x m`.
        candidates: shape `c x g`.
        weights: of the objectives, shape `m`.
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
    """Functions drawn from the process of an objective, at the candidates, shape `functions x c`."""
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
