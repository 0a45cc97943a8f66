"""Orders of designs by a user's preferences: weighted ranks, and distance to aspiration levels.

Every function takes a `matrix` of shape `n x m` (designs x objectives) and `senses`, `m` of "minimise" or "maximise". A row with
NaN or infinity comes last.

Sources:
- Minakova et al. (2022), "Scenario Based Run-time Switching for Adaptive CNN-based Applications at the Edge", eqs. 4 and 5.
- Wierzbicki (1980), "The use of reference objectives in multiobjective optimization": achievement scalarising function; the
  augmented weighted form is that of Miettinen (1999), "Nonlinear Multiobjective Optimization", section 3.5.7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.fronts.non_dominated import to_costs
from engines.contract.numeric.ordered_sums import product_in_order
from engines.contract.quantities import Sense

AUGMENTATION = 1e-3


def ranks(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> IntArray:
    """Return the rank of every design by every objective, `n x m`: 1 is best, equal values share the better rank ("1, 2, 2, 4")."""
    costs = _last_where_missing(to_costs(matrix, senses))
    found = np.empty(costs.shape, np.int64)
    for at in range(costs.shape[1]):
        found[:, at] = 1 + np.searchsorted(np.sort(costs[:, at]), costs[:, at], side="left")
    return found


def weighted_ranks(matrix: npt.ArrayLike, senses: Sequence[Sense], weights: Sequence[float]) -> FloatArray:
    """Return the weighted sum of the ranks of each design, shape `n`; the lowest is best (Minakova et al. 2022, eqs. 4 and 5).

    Args:
        matrix: objectives, `n x m`.
        senses: sense of each objective, `m`.
        weights: weight of each objective, `m`, at least 0 and not all 0; scaled to the sum 1 as in the paper.

    Raises:
        ValueError: the weights are not `m`, one is negative, or all are 0.
    """
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (len(senses),) or not np.isfinite(given).all() or given.min(initial=0.0) < 0 or given.sum() <= 0:
        raise ValueError(f"Weights must be {len(senses)} numbers from 0 on, not all 0. Got {list(weights)} instead.")
    return product_in_order(ranks(matrix, senses), given / given.sum())


def achievement(
    matrix: npt.ArrayLike,
    senses: Sequence[Sense],
    good_enough: Sequence[float | None],
    augmentation: float = AUGMENTATION,
) -> FloatArray:
    """Return the achievement score of each design relative to aspiration levels, shape `n`.

    The lowest score is best; below 0 every objective reaches its level.

    It is the largest shortfall over the objectives, each as a share of its range over the designs, plus `augmentation` times the
    sum of all shortfalls. The sum decides between designs with an equal largest shortfall, so no weakly dominated design wins.

    Args:
        matrix: objectives, `n x m`.
        senses: sense of each objective, `m`.
        good_enough: `m` aspiration levels in the units of the objectives; None stands for the best value of all designs.
        augmentation: small positive factor.

    Raises:
        ValueError: `good_enough` does not have `m` entries.
    """
    costs = to_costs(matrix, senses)
    if len(good_enough) != costs.shape[1]:
        raise ValueError(f"One value per objective is needed, {costs.shape[1]}. Got {len(good_enough)} instead.")
    finite = np.isfinite(costs).all(axis=1)
    scores = np.full(len(costs), np.inf)
    if not finite.any():
        return scores
    own = costs[finite]
    best = own.min(axis=0)
    span = np.where(np.ptp(own, axis=0) > 0, np.ptp(own, axis=0), 1.0)
    signs = [1.0 if sense == "minimise" else -1.0 for sense in senses]
    aspired = np.array(
        [least if value is None else value * sign for value, sign, least in zip(good_enough, signs, best, strict=True)]
    )
    shortfall = (own - aspired) / span
    scores[finite] = shortfall.max(axis=1) + augmentation * shortfall.sum(axis=1)
    return scores


def ordered(scores: npt.ArrayLike) -> IntArray:
    """Return the indices of the rows by ascending score; the order of equal ones is kept."""
    return np.asarray(np.argsort(np.asarray(scores, dtype=np.float64), kind="stable"), dtype=np.int64)


def _last_where_missing(costs: FloatArray) -> FloatArray:
    complete = np.asarray(np.isfinite(costs).all(axis=1), dtype=bool)
    return np.where(complete[:, None], costs, np.inf)
