"""Kinds of operators that a fit estimates badly, found in its errors on whole networks.

The measured time of a network over its prediction is the mean of one factor per kind, weighted by the kind's share of the predicted
time. The factors are least squares drawn to 1. One is told if it stays on one side of 1 whichever network is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray

LEAST_NETWORKS = 8
# A kind is told from this many networks on in which it has this share, and from this factor on.
_LEAST_HOLDERS, _LEAST_SHARE, _LEAST_FACTOR = 4, 0.08, 1.15
_TIE = 0.05  # how strongly factors are drawn to 1: as strongly as so many networks of the kind alone
_INTERVAL = 2.576


@dataclass(frozen=True)
class KindError:
    """A kind whose layers are slower or faster than predicted.

    Attributes:
        kind: of work.
        factor: measured over predicted time of its layers; below 1 where they are faster.
        low, high: ends of the 99 % interval, by leaving out each network.
        networks: that have a considerable share of it.
    """

    kind: str
    factor: float
    low: float
    high: float
    networks: int

    @property
    def sentence(self) -> str:
        """The error in words; faster kinds are told by the inverse, so that it exceeds 1."""
        slow = self.factor > 1
        low, high = (self.low, self.high) if slow else (1 / self.high, 1 / self.low)
        factor = self.factor if slow else 1 / self.factor
        words = (
            f"{self.kind[:1].upper()}{self.kind[1:]}: {factor:.1f} × {'slower' if slow else 'faster'} than predicted"
        )
        return f"{words} (99 % interval {low:.1f} to {high:.1f}, {self.networks} networks)."


def kind_errors(
    kinds: Sequence[str], times: FloatArray, measured: FloatArray, networks: Sequence[str]
) -> tuple[KindError, ...]:
    """Return the kinds that are off, the largest factor first; none of fewer than `LEAST_NETWORKS` networks.

    Args:
        kinds: names of the columns of `times`.
        times: predicted time by kind of each row, shape `rows x kinds`.
        measured: times of the rows, in the same unit.
        networks: of each row; rows of one are left out together.
    """
    names, codes = np.unique(np.asarray(networks), return_inverse=True)
    if len(names) < LEAST_NETWORKS:
        return ()
    totals = times.sum(axis=1)
    shares, ratios = times / totals[:, None], measured / totals
    weights = 1 / np.sqrt(np.bincount(codes)[codes])  # every network weighs the same
    found = _factors(shares, ratios, weights)
    left_out = np.array(
        [_factors(*(each[codes != one] for each in (shares, ratios, weights))) for one in range(len(names))]
    )
    count = len(names)
    spread = _INTERVAL * np.sqrt((count - 1) / count * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    held = np.array([len(np.unique(codes[shares[:, place] >= _LEAST_SHARE])) for place in range(len(kinds))])
    errors = [
        KindError(kind, float(factor), max(float(factor - width), 0.01), float(factor + width), int(holders))
        for kind, factor, width, holders in zip(kinds, found, spread, held, strict=True)
    ]
    told = [
        each
        for each in errors
        if each.networks >= _LEAST_HOLDERS
        and not 1 / _LEAST_FACTOR < each.factor < _LEAST_FACTOR
        and (each.low > 1 or each.high < 1)
    ]
    return tuple(sorted(told, key=lambda each: -abs(np.log(each.factor))))


def _factors(shares: FloatArray, ratios: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the factor of each kind, positive."""
    # Relative errors: a network that takes half of its prediction weighs as much as one that takes twice.
    table = shares * (weights / ratios)[:, None]
    columns = shares.shape[1]
    rows = np.vstack([table, np.sqrt(_TIE) * np.eye(columns)])
    values = np.concatenate([weights, np.full(columns, np.sqrt(_TIE))])
    return np.asarray(np.maximum(np.linalg.lstsq(rows, values, rcond=None)[0], 0.01))
