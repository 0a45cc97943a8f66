"""Correction of predictions by measurements of other designs: a Gaussian process over ln(measured / predicted).

Source of the equations: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), eqs. 2.23 to 2.26. The mean is that
of what was measured (so that one measurement scales all predictions alike), the kernel a squared exponential of one length over
standardised figures; its size is the scatter of what was measured, of which a tenth is left to what figures do not tell. Nothing
else is fitted: measurements are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order

# Deviations of log ratios. Below the least one measurements agree; before there are two, it is not known how far designs differ.
_LEAST_DEVIATION, _DEVIATION_OF_ONE = 0.02, 0.2
# Share of the scatter that figures do not tell: two designs with the same may differ, and near ones are no slope to go on along.
_UNTOLD = 0.1
_LEAST_MEASURED_LEFT_OUT = 3


@dataclass(frozen=True, eq=False)
class Scaling:
    """A scaling that makes metrics of different units comparable and limits outliers: arcsinh((x - centre) / spread).

    Attributes:
        centre, spread: centre and spread of each metric, shape `d`; `spread` is above 0.
    """

    centre: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, figures: FloatArray) -> Self:
        """Return the scaling by median and standard deviation of the finite values of `figures`, shape `n x d`."""
        finite = np.where(np.isfinite(figures), figures, np.nan)
        known = np.isfinite(finite).any(axis=0)
        centre, spread = np.zeros(figures.shape[1]), np.ones(figures.shape[1])
        if known.any():
            centre[known] = np.nanmedian(finite[:, known], axis=0)
            found = np.nanstd(finite[:, known], axis=0)
            spread[known] = np.where(found > 0, found, 1.0)
        return cls(centre, spread)

    def scaled(self, figures: FloatArray) -> FloatArray:
        """Return `figures` scaled, shape `n x d`; values that are not finite become 0."""
        known = np.where(np.isfinite(figures), figures, self.centre)
        return np.asarray(np.arcsinh((known - self.centre) / self.spread), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RatioFit:
    """The fit of measured / predicted to the metrics of measured designs.

    Attributes:
        places: scaled metrics of the measured designs, shape `n x d`, `n` at least 1.
        log_ratio: ln(measured / predicted), shape `n`.
        noise: standard deviation of each log ratio, shape `n`.
    """

    places: FloatArray
    log_ratio: FloatArray
    noise: FloatArray

    @property
    def deviation(self) -> float:
        """Standard deviation of the log ratios over designs; `_DEVIATION_OF_ONE` for a single design."""
        if len(self.log_ratio) < 2:
            return _DEVIATION_OF_ONE
        return max(float(np.std(self.log_ratio, ddof=1)), _LEAST_DEVIATION)

    def factors(self, places: FloatArray) -> FloatArray:
        """Return the factors that correct predictions of designs at `places` (`k x d`), shape `k`; eq. 2.25."""
        mean = float(self.log_ratio.mean())
        size = self.deviation**2
        inside = size * _alike(self.places, self.places) + np.diag(self.noise**2 + _UNTOLD * size)
        weights = np.linalg.solve(inside, self.log_ratio - mean)
        return np.asarray(
            np.exp(mean + size * product_in_order(_alike(places, self.places), weights)), dtype=np.float64
        )

    def left_out(self) -> FloatArray:
        """Return the leave-one-out factor of each measured design, shape `n`; NaN with fewer than two other designs."""
        count = len(self.log_ratio)
        found = np.full(count, np.nan)
        if count < _LEAST_MEASURED_LEFT_OUT:
            return found
        for row in range(count):
            others = np.arange(count) != row
            fit = RatioFit(self.places[others], self.log_ratio[others], self.noise[others])
            found[row] = fit.factors(self.places[row : row + 1])[0]
        return found


def least_certain(candidates: FloatArray, measured: FloatArray, count: int) -> IntArray:
    """Return the designs to measure next: one by one the least certain, as if those before were measured (eq. 2.26).

    Args:
        candidates: scaled metrics, shape `k x d`; without measurements the middle row is chosen first.
        measured: scaled metrics of measured designs, shape `n x d`.
        count: largest number of rows.

    Returns:
        Indices of rows of `candidates`, at most `count`, the least certain first; of equal ones the first.
    """
    chosen: list[int] = []
    for _ in range(min(count, len(candidates))):
        known = np.concatenate([measured, candidates[chosen]])
        if not len(known):
            chosen.append(len(candidates) // 2)
            continue
        inside = _alike(known, known) + _UNTOLD * np.eye(len(known))
        across = _alike(candidates, known)
        variance = 1.0 - (across * np.linalg.solve(inside, across.T).T).sum(axis=1)
        variance[chosen] = -np.inf
        # Rounded, so that which of two alike comes first does not hang on the last digit of a solver.
        chosen.append(int(np.argmax(np.round(variance, 9))))
    return np.array(chosen, dtype=np.int64)


def _alike(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the squared exponential kernel (eq. 2.31), shape `k x n`; its length is the root of the number of figures."""
    # Spelt out: a table of all differences would take hundreds of megabytes, and a product of matrices sums in an order of its own.
    across = product_in_order(first, second.T)
    apart = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)[None, :] - 2.0 * across
    return np.asarray(np.exp(-np.maximum(apart, 0.0) / (2.0 * max(1, first.shape[1]))), dtype=np.float64)
