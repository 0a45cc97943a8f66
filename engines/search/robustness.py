"""Which designs stay optimal when another cost model is right, and which one loses least."""

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
    """`n` designs under `m` cost models.

    Attributes:
        models: their names.
        optimal: whether no other of the designs dominates it, shape `m x n`.
        regret: loss in one metric against the best of the designs under that model, as a share of it, shape `m x n`.
        agreement: names of two models -> Kendall's tau of their orders by that metric; None of fewer than three designs.
    """

    models: tuple[str, ...]
    optimal: BoolArray
    regret: FloatArray
    agreement: Mapping[tuple[str, str], float | None]

    @property
    def always(self) -> BoolArray:
        """Return which designs are optimal under every model, shape `n`."""
        return np.asarray(self.optimal.all(axis=0))

    @property
    def sometimes(self) -> BoolArray:
        """Return which designs are optimal under at least one model, shape `n`."""
        return np.asarray(self.optimal.any(axis=0))

    @property
    def largest_regret(self) -> FloatArray:
        """Return the loss of each design under the model that is worst for it, shape `n`."""
        return np.asarray(self.regret.max(axis=0))

    @property
    def least_regret(self) -> int:
        """Return the number of the design that loses least if the worst model for it is right."""
        return int(self.largest_regret.argmin())


def robust_designs(
    objectives: Mapping[str, FloatArray], senses: Sequence[Sense], metric: Mapping[str, FloatArray], sense: Sense
) -> RobustDesigns:
    """Compare designs under several cost models.

    Args:
        objectives: model -> objectives of at least one design, shape `n x objectives`; NaN where it violates a limit.
        senses: senses of the objectives.
        metric: model -> values by which designs are ordered and regret counts, shape `n`; NaN likewise.
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
    """Return the distance from the best value as a share of it, shape of the column; infinite where there is no value."""
    if np.isnan(column).all():
        return np.full(column.shape, np.inf)
    best = np.nanmin(column) if sense == "minimise" else np.nanmax(column)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(column == best, 0.0, np.abs(column - best) / np.abs(best))
    return np.where(np.isnan(column), np.inf, loss)
