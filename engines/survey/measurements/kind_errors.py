"""Kinds of operators that a fit estimates badly, found in its errors on whole networks.

For each kind, the measured time of a network over its prediction has a factor of the kind, weighted by its share of the predicted
time, and one of everything else. A kind is told if its factor stays on one side of 1 and of the other factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

LEAST_NETWORKS = 8
# A kind is told from this many networks on in which it has this share, and from this factor on.
_LEAST_HOLDERS, _LEAST_SHARE, _LEAST_FACTOR = 4, 0.08, 1.15
_INTERVAL = 2.576
# What people call the kinds of work of `engines.survey.measurements.work`.
OPERATORS: Mapping[str, tuple[str, ...]] = {
    "convolutions": ("convolution", "grouped convolution", "activations of convolutions"),
    "depthwise layers": ("depthwise", "activations of depthwise"),
    "matrix products": ("matrix product",),
    "attention": ("product of activations", "softmax"),
    "activation functions": ("activation function", "smooth activation function"),
    "normalisations": ("norm", "separate normalisation"),
    "element-wise operators": ("element-wise",),
    "resizing": ("resize",),
    "pooling": ("pooling", "operators on one pixel"),
    "changes of layout": ("layout",),
    "loading weights": ("weights", "weights beyond the context"),
    "tensors beyond the on-chip buffer": ("beyond the buffer",),
    "launches": ("operators", "inference"),
}


@dataclass(frozen=True)
class KindError:
    """A kind whose layers are slower or faster than predicted.

    Attributes:
        kind: kind of work.
        factor: measured over predicted time of its layers; below 1 where they are faster.
        low, high: ends of the 99 % interval, by leaving out each network.
        networks: networks with a considerable share of it.
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
        networks: networks of each row; rows of one are left out together.
    """
    names, codes = np.unique(np.asarray(networks), return_inverse=True)
    if len(names) < LEAST_NETWORKS:
        return ()
    totals = times.sum(axis=1)
    ratios, weights = measured / totals, 1 / np.sqrt(np.bincount(codes)[codes])  # every network weighs the same
    found = (_kind_error(kind, times[:, place] / totals, ratios, weights, codes) for place, kind in enumerate(kinds))
    return tuple(sorted((each for each in found if each is not None), key=lambda each: -abs(np.log(each.factor))))


def _kind_error(
    kind: str, shares: FloatArray, ratios: FloatArray, weights: FloatArray, codes: IntArray
) -> KindError | None:
    """Return the error of a kind by its share of each row; None where it cannot be told from 1 or from that of the rest."""
    holders, count = len(np.unique(codes[shares >= _LEAST_SHARE])), int(codes.max()) + 1
    if holders < _LEAST_HOLDERS:
        return None
    factor, rest = _factors(shares, ratios, weights)
    left_out = np.array([_factors(*(each[codes != one] for each in (shares, ratios, weights))) for one in range(count)])
    # Columns: the factor, and its difference from that of the rest.
    both = np.column_stack([left_out[:, 0], left_out[:, 0] - left_out[:, 1]])
    width, apart = _INTERVAL * np.sqrt((count - 1) / count * ((both - both.mean(axis=0)) ** 2).sum(axis=0))
    told = factor - width > 1 if factor > 1 else 0 < factor - width < factor + width < 1
    apart_from_rest = abs(factor - rest) > apart and (factor > rest) == (factor > 1)
    if not told or not apart_from_rest or 1 / _LEAST_FACTOR < factor < _LEAST_FACTOR:
        return None
    return KindError(kind, float(factor), float(factor - width), float(factor + width), holders)


def _factors(shares: FloatArray, ratios: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the factors of a kind and of the rest that bring relative errors nearest to 0."""
    table = np.column_stack([shares, 1 - shares]) * (weights / ratios)[:, None]
    return np.asarray(np.linalg.lstsq(table, weights, rcond=None)[0])
