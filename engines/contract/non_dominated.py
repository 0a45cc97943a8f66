"""Which rows of a matrix of objectives no other dominates: the arithmetic under every front.

A `matrix` has the shape `n x m` (designs x objectives); `senses` are `m` of "minimise" or "maximise". A row with NaN or
infinity is never non-dominated and dominates nothing.

Fronts compare values as `rounded` gives them: sums of the same numbers in another order differ in their last digits, and no
design is better by that. Rounding looks at one value at a time, so that a front depends neither on the order of its designs nor
on which others were there before. A comparison of differences with a tolerance would: it is not transitive.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.quantities import Sense

TOLERANCE = 1e-9
_SORTED_AT_ONCE, _LOOKED_AT = 20_000, 2_000
_DROPPED_BITS = 22  # of 52: steps of 4.7e-10 to 9.3e-10 of a value


def non_dominated(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> BoolArray:
    """Which designs no other design dominates within `TOLERANCE`, shape `n`; designs with equal `rounded` values all stay."""
    costs = rounded(to_costs(matrix, senses))
    finite = np.logical_and.reduce([np.isfinite(column) for column in costs.T])
    if len(costs) and finite.all():
        return non_dominated_costs(costs)
    keep = np.zeros(len(costs), dtype=bool)
    if finite.any():
        keep[finite] = non_dominated_costs(costs[finite])
    return keep


def rounded(values: FloatArray) -> FloatArray:
    """Return values as fronts compare them, same shape: each rounded to the nearest step of less than `TOLERANCE` of its size.

    Values further apart than `TOLERANCE` of their size stay different. Closer ones become equal unless the edge of a step lies
    between them, which is so for one pair in a million that differs in its last digits.
    """
    half = 1 << (_DROPPED_BITS - 1)
    steps = values.view(np.int64) + half
    steps &= -2 * half
    return steps.view(np.float64)


def to_costs(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> FloatArray:
    """`matrix` with every objective turned so that less is better.

    Raises:
        ValueError: the shape does not fit the senses, or a sense is neither "minimise" nor "maximise".
    """
    values = np.asarray(matrix, dtype=np.float64)
    signs = signs_of(senses)
    if values.ndim != 2 or values.shape[1] != len(signs):
        raise ValueError(
            f"The matrix must have shape n x {len(signs)} (one column per sense). Got {values.shape} instead."
        )
    return values * signs


def signs_of(senses: Sequence[Sense]) -> FloatArray:
    """1.0 for what is minimised and -1.0 for what is maximised, shape `m`.

    Raises:
        ValueError: a sense is neither, or there is none.
    """
    unknown = [sense for sense in senses if sense not in ("minimise", "maximise")]
    if unknown or not len(senses):
        raise ValueError(
            f"Every sense must be 'minimise' or 'maximise', and there must be one. Got {list(senses)} instead."
        )
    return np.array([1.0 if sense == "minimise" else -1.0 for sense in senses])


def non_dominated_costs(costs: FloatArray) -> BoolArray:
    """Which of finite `costs`, shape `n x m` with `n` > 0, all minimised, no other dominates, digit for digit."""
    if costs.shape[1] == 1:
        return np.asarray(costs[:, 0] == costs[:, 0].min())
    if costs.shape[1] == 2:
        return _non_dominated_pairs(costs)
    import moocore  # on use: one objective and two do without it, and it takes 0.1 s

    return np.asarray(moocore.is_nondominated(costs, keep_weakly=True), dtype=bool)


def _non_dominated_pairs(costs: FloatArray) -> BoolArray:
    """Of many, those that a part of them dominates need not be sorted: of a million that leaves some thousand."""
    if len(costs) < _SORTED_AT_ONCE:
        return _sorted_pairs(costs)
    part = costs[:: max(1, len(costs) // _LOOKED_AT)]
    part = part[_sorted_pairs(part)]
    part = part[np.argsort(part[:, 0], kind="stable")]
    # The least second objective of the part among those whose first is no larger.
    before = np.searchsorted(part[:, 0], costs[:, 0], side="right")
    least = np.concatenate([[np.inf], np.minimum.accumulate(part[:, 1])])[before]
    keep = costs[:, 1] <= least
    keep[keep] = _sorted_pairs(costs[keep])
    return keep


def _sorted_pairs(costs: FloatArray) -> BoolArray:
    """Sorted by the first objective, then the second: a design stays if its second is below all that came before."""
    order = np.lexsort((costs[:, 1], costs[:, 0]))
    ordered = costs[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    second = ordered[new, 1]
    least_before = np.concatenate([[np.inf], np.minimum.accumulate(second)[:-1]])
    keep = np.empty(len(order), dtype=bool)
    keep[order] = (second < least_before)[np.cumsum(new) - 1]
    return keep
