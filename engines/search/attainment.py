"""Attainment surfaces: what a given share of repeated search runs reaches or surpasses.

Grunert da Fonseca, Fonseca and Hall (2001), "Inferential performance assessment of stochastic optimisers and the attainment
function": a point is attained by a run where some design of the run is at least as good in every objective, and the
k-attainment surface bounds what at least k of n runs attain. Computed by moocore (Fonseca, Guerreiro, Lopez-Ibanez and Paquete
2011), exactly, for two and three objectives.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.fronts.non_dominated import to_costs
from engines.contract.quantities import Sense

OBJECTIVES = (2, 3)
# A share times a count of runs may lie a rounding error above a whole number: 0.07 * 100 runs are 7, not 8.
_ROUNDING = 1e-9


def runs_needed(share: float, count: int) -> int:
    """Return the smallest number of runs that is at least the share `share` (0..1) of `count`; at least 1."""
    return max(1, ceil(share * count - _ROUNDING))


def attainment_surfaces(
    fronts: Sequence[npt.ArrayLike], senses: Sequence[Sense], shares: Sequence[float]
) -> tuple[FloatArray, ...]:
    """Return for each share the corners of the surface that at least this share of the runs attains, shape `k x m` each.

    Args:
        fronts: one matrix `n x m` per run. Dominated and non-finite rows are ignored; a run without designs counts as a run that
            attains nothing.
        senses: `m` of "minimise" or "maximise"; `m` is 2 or 3.
        shares: 0..1; 0.5 is the median surface, 0.25 and 0.75 are the quartiles. 0 means at least one run.

    Returns:
        In the objectives' own units, sorted by the first objective from its best value on; `0 x m` where fewer runs than that
        share have any design.

    Raises:
        ValueError: the number of objectives is not 2 or 3, or a share is outside of 0..1.
    """
    if len(senses) not in OBJECTIVES:
        raise ValueError(f"Attainment surfaces are known for two or three objectives. Got {len(senses)} instead.")
    wrong = [share for share in shares if not 0 <= share <= 1]
    if wrong:
        raise ValueError(f"A share must be within 0..1. Got {wrong[0]} instead.")
    empty = np.empty((0, len(senses)))
    sides = [to_costs(np.asarray(front, dtype=np.float64).reshape(-1, len(senses)), senses) for front in fronts]
    sides = [side[np.isfinite(side).all(axis=1)] for side in sides]
    attaining = [side for side in sides if len(side)]
    if not attaining:
        return (empty,) * len(shares)
    import moocore

    signs = to_costs(np.ones((1, len(senses))), senses)[0]
    sets = np.repeat(np.arange(len(attaining)), [len(side) for side in attaining])
    found = moocore.eaf(np.concatenate(attaining), sets)
    # The last column says in per cent of the runs with designs which surface a row belongs to.
    level = np.rint(found[:, -1] * len(attaining) / 100).astype(np.int64)
    surfaces = []
    for share in shares:
        rows = found[level == runs_needed(share, len(fronts)), :-1]
        surfaces.append(rows[np.lexsort(rows.T[::-1])] * signs if len(rows) else empty)
    return tuple(surfaces)
