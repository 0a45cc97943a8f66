"""Robustness of designs against the choice of the cost model: which stay optimal, and which has the least regret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.quantities import Sense
from engines.search.rank_agreement import rank_agreement


@dataclass(frozen=True)
class RobustDesigns:
    """The optimality and regret of `n` designs under `m` cost models.

    Attributes:
        models: names of the cost models.
        optimal: whether no other design dominates it under the model, shape `m x n`.
        regret: loss in one metric relative to the best design under the model, as a share, shape `m x n`.
        agreement: names of two models -> Kendall's tau of their rankings by this metric; None for fewer than three designs.
    """

    models: tuple[str, ...]
    optimal: BoolArray
    regret: FloatArray
    agreement: Mapping[tuple[str, str], float | None]

    @property
    def always(self) -> BoolArray:
        """Return a mask of the designs that are optimal under every model, shape `n`."""
        return np.asarray(self.optimal.all(axis=0))

    @property
    def sometimes(self) -> BoolArray:
        """Return a mask of the designs that are optimal under at least one model, shape `n`."""
        return np.asarray(self.optimal.any(axis=0))

    @property
    def largest_regret(self) -> FloatArray:
        """Return the largest regret of each design over the models, as a share, shape `n`."""
        return np.asarray(self.regret.max(axis=0))

    @property
    def least_regret(self) -> int:
        """Return the index of the design with the smallest `largest_regret` (minimax regret)."""
        return int(self.largest_regret.argmin())


def robust_designs(
    objectives: Mapping[str, FloatArray], senses: Sequence[Sense], metric: Mapping[str, FloatArray], sense: Sense
) -> RobustDesigns:
    """Return the optimality and regret of designs under several cost models.

    Args:
        objectives: model -> objectives of at least one design, shape `n x objectives`; NaN where it violates a limit.
        senses: senses of the objectives.
        metric: model -> metric that defines ranking and regret, shape `n`; NaN where it violates a limit.
        sense: sense of the metric.
    """
    models = tuple(objectives)
    optimal = np.array([non_dominated(matrix, senses) for matrix in objectives.values()])
    regret = np.array([_loss(metric[name], sense) for name in models])
    agreement = {
        (one, other): rank_agreement(metric[one].tolist(), metric[other].tolist())
        for one, other in combinations(models, 2)
    }
    return RobustDesigns(models, optimal, regret, agreement)


def _loss(column: FloatArray, sense: Sense) -> FloatArray:
    """Return the distance of each value to the best one as a share of it, same shape; infinity for NaN."""
    if np.isnan(column).all():
        return np.full(column.shape, np.inf)
    best = np.nanmin(column) if sense == "minimise" else np.nanmax(column)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(column == best, 0.0, np.abs(column - best) / np.abs(best))
    return np.where(np.isnan(column), np.inf, loss)
