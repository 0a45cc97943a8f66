"""Correct answers at each end of a network with early exits: nested, correlated, or measured.

Under the ideal mapping an input leaves at the first end that classifies it correctly; what no end gets right leaves at the last
one. `n` ends stand in the order in which inputs reach them. The last is always there: an input that has not left before leaves
there. A choice of ends is a row of a mask `k x n`; its value for the last end is ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray

# The trapezoidal rule over what makes inputs hard is exact to 1e-9 for these correlations.
_HARDNESS = np.linspace(-8.0, 8.0, 161)
MOST_CORRELATED = 0.99


class Correctness(Protocol):
    """The interface to correct answers at each of `n` ends."""

    @property
    def accuracy(self) -> FloatArray:
        """Share of all inputs that each end by itself classifies correctly (N_i of odema-2024 eq. 2.6), shape `n`."""

    def staying(self, chosen: npt.ArrayLike) -> FloatArray:
        """Return the share of inputs that no chosen end up to and including each end classifies correctly, shape `k x n`."""


@dataclass(frozen=True, eq=False)
class NestedCorrectness:
    """Nested correctness: an input that is right at one end is right at all later ones, so the best accuracy so far counts.

    Attributes:
        accuracy: accuracy of each end by itself, shape `n`; or of each of `k` networks, shape `k x n`, for as many choices of ends.
    """

    accuracy: FloatArray

    def staying(self, chosen: npt.ArrayLike) -> FloatArray:
        """Return shares like `Correctness.staying`, shape `k x n`."""
        return 1.0 - np.maximum.accumulate(np.where(with_last(chosen), self.accuracy, 0.0), axis=1)


@dataclass(frozen=True, eq=False)
class CorrelatedCorrectness:
    """Ends that are right together more often than by chance: a Gaussian copula with one factor.

    An end is right where sqrt(r) g + sqrt(1 - r) e < t: g is how hard the input is, the same for all ends, e is each end's own,
    both standard normal, and t gives the end's accuracy. r = 0 is independent; towards 1 ends become nested.

    Attributes:
        accuracy: accuracy of each end by itself, shape `n`, from 0 to 1.
        correlation: r, from 0 to 0.99.
    """

    accuracy: FloatArray
    correlation: float

    @cached_property
    def _wrong(self) -> tuple[FloatArray, FloatArray]:
        """Chance that each end is wrong at each node of the quadrature, shape `n x q`, and the nodes' weights."""
        from scipy.special import ndtr, ndtri  # on use: it takes its time to load

        weights = np.exp(-(_HARDNESS**2) / 2)
        threshold = ndtri(np.clip(self.accuracy, 0.0, 1.0))[:, None]
        right = ndtr((threshold - np.sqrt(self.correlation) * _HARDNESS) / np.sqrt(1.0 - self.correlation))
        return 1.0 - right, weights / weights.sum()

    def staying(self, chosen: npt.ArrayLike) -> FloatArray:
        """Return shares like `Correctness.staying`, shape `k x n`."""
        wrong, weights = self._wrong
        each = np.where(with_last(chosen)[:, :, None], wrong, 1.0)
        return np.asarray(
            (np.cumprod(each, axis=1) * weights).sum(axis=-1)
        )  # a row is rounded alike among few and many


@dataclass(frozen=True, eq=False)
class MeasuredCorrectness:
    """Correctness measured on samples.

    Attributes:
        right: whether each sample is classified correctly at each end, shape `samples x n`.
    """

    right: BoolArray

    @cached_property
    def accuracy(self) -> FloatArray:
        """Return accuracies like `Correctness.accuracy`, shape `n`."""
        return np.asarray(self.right.mean(axis=0))

    def staying(self, chosen: npt.ArrayLike) -> FloatArray:
        """Return shares like `Correctness.staying`, shape `k x n`."""
        rows = with_last(chosen)
        shares = np.empty(rows.shape)
        for number, row in enumerate(rows):
            shares[number] = 1.0 - np.logical_or.accumulate(self.right & row, axis=1).mean(axis=0)
        return shares


def nested_bound(correctness: Correctness) -> NestedCorrectness:
    """Return nested correctness that bounds every choice: the share of inputs that any end up to each one classifies correctly.

    With it, at least as many inputs leave before each end as with any choice of ends, so mean costs are lower bounds.
    """
    every = np.ones((1, len(correctness.accuracy)), bool)
    return NestedCorrectness(1.0 - correctness.staying(every)[0])


def with_last(chosen: npt.ArrayLike) -> BoolArray:
    """Return the choices as a matrix `k x n`, the last end chosen in all of them."""
    rows = np.array(chosen, dtype=bool, ndmin=2)
    rows[:, -1] = True
    return rows


def shares_leaving(correctness: Correctness, chosen: npt.ArrayLike) -> FloatArray:
    """Return the share of the inputs that leave at each end under the ideal mapping, shape `k x n`; rows add up to 1."""
    staying = correctness.staying(chosen)
    staying[:, -1] = 0.0  # what no end gets right leaves at the last one
    return -np.diff(staying, axis=1, prepend=1.0)


def union_accuracy(correctness: Correctness, chosen: npt.ArrayLike) -> FloatArray:
    """Return the share of inputs that any chosen end classifies correctly, shape `k`: the accuracy of the ideal exit policy."""
    return 1.0 - correctness.staying(chosen)[:, -1]


def dissimilarity(accuracy: FloatArray, chosen: npt.ArrayLike) -> FloatArray:
    """Return 1 minus the best accuracy among the chosen ends before each end (odema-2024 eq. 2.7, N_0 = 0), shape `k x n`."""
    best = np.maximum.accumulate(np.where(with_last(chosen), accuracy, 0.0), axis=1)
    return 1.0 - np.concatenate([np.zeros((len(best), 1)), best[:, :-1]], axis=1)


def correlation_for(accuracy: FloatArray, union: float, *, tolerance: float = 1e-6) -> float:
    """Return the correlation, found by bisection, at which all ends together classify the share `union` of inputs correctly.

    Args:
        accuracy: accuracy of each end by itself, shape `n`.
        union: share between the best accuracy and that of independent ends; outside of this range the result is 0 or 0.99.
        tolerance: tolerance of the correlation.
    """
    every = np.ones((1, len(accuracy)), bool)
    low, high = 0.0, MOST_CORRELATED
    while high - low > tolerance:
        middle = (low + high) / 2
        if float(union_accuracy(CorrelatedCorrectness(accuracy, middle), every)[0]) > union:
            low = middle  # too many are right somewhere: they go together more
        else:
            high = middle
    return (low + high) / 2
