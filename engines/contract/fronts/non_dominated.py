"""The non-dominated rows of a matrix of objectives, from which every front is computed.

A `matrix` has the shape `n x m` (designs x objectives); `senses` are `m` of "minimise" or "maximise". A row with NaN or
infinity is never non-dominated and dominates nothing.

Fronts compare values after `rounded`, because sums of the same numbers in another order differ in their last digits. Rounding
treats each value alone, so a front does not depend on the order or history of its designs. A comparison with a tolerance would,
because it is not transitive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.quantities import Sense

TOLERANCE = 1e-9
_SORTED_AT_ONCE, _LOOKED_AT = 20_000, 2_000
_ODD = 0x9E3779B97F4A7C1  # any odd number spreads bits
_DROPPED_BITS = 22  # of 52: steps of 4.7e-10 to 9.3e-10 of a value


def non_dominated(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> BoolArray:
    """Return a mask of the designs that no other design dominates, shape `n`.

    Dominance compares `rounded` values, and exact values if all rounded ones are equal. Equal designs all stay.
    """
    costs = to_costs(matrix, senses)
    finite = np.logical_and.reduce([np.isfinite(column) for column in costs.T])
    if len(costs) and finite.all():
        return _non_dominated_rounded(costs)
    keep = np.zeros(len(costs), dtype=bool)
    if finite.any():
        keep[finite] = _non_dominated_rounded(costs[finite])
    return keep


def _non_dominated_rounded(costs: FloatArray) -> BoolArray:
    if costs.shape[1] == 2:
        return _non_dominated_pairs(costs, _of_steps)
    steps = rounded(costs)
    keep = non_dominated_costs(steps)
    # One number for all objectives of a design: should two happen to have the same, more is compared than needed.
    bits = steps.view(np.int64)[keep]
    points = np.sort(sum(bits[:, at] * (_ODD + 2 * at) for at in range(bits.shape[1])))
    if (points[1:] == points[:-1]).any():
        keep[keep] = non_dominated_costs(costs[keep])
    return keep


def rounded(values: FloatArray) -> FloatArray:
    """Return values as fronts compare them, same shape: each rounded to a step smaller than `TOLERANCE` of its size.

    Values further apart than `TOLERANCE` of their size stay different. Closer values become equal unless the edge of a step lies
    between them, as for one in a million pairs that differ in their last digits.
    """
    half = 1 << (_DROPPED_BITS - 1)
    steps = values.view(np.int64) + half
    steps &= -2 * half
    return steps.view(np.float64)


def to_costs(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> FloatArray:
    """Return `matrix` with the maximised objectives negated, so that smaller is better in all of them.

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
    """Return the sign of each objective, shape `m`: 1.0 if it is minimised, -1.0 if it is maximised.

    Raises:
        ValueError: a sense is neither "minimise" nor "maximise", or there is no sense.
    """
    unknown = [sense for sense in senses if sense not in ("minimise", "maximise")]
    if unknown or not len(senses):
        raise ValueError(
            f"Every sense must be 'minimise' or 'maximise', and there must be one. Got {list(senses)} instead."
        )
    return np.array([1.0 if sense == "minimise" else -1.0 for sense in senses])


def non_dominated_costs(costs: FloatArray) -> BoolArray:
    """Return a mask of the non-dominated rows of finite, minimised `costs`, `n x m` with `n` > 0; values are compared exactly."""
    if costs.shape[1] == 1:
        return np.asarray(costs[:, 0] == costs[:, 0].min())
    if costs.shape[1] == 2:
        return _non_dominated_pairs(costs)
    import moocore  # on use: one objective and two do without it, and it takes 0.1 s

    return np.asarray(moocore.is_nondominated(costs, keep_weakly=True), dtype=bool)


def _all_of(first: FloatArray, _second: FloatArray) -> BoolArray:
    return np.ones(len(first), dtype=bool)


def _of_steps(first: FloatArray, second: FloatArray) -> BoolArray:
    """Return a mask of the designs of a front (first objective rises, second falls) that stay after `rounded`, shape `k`."""
    first, second = rounded(first), rounded(second)
    # Of equal seconds the first one has the least first; of equal firsts the last one has the least second.
    begins = np.append(True, second[1:] != second[:-1])
    ends = np.append(first[1:] != first[:-1], True)
    keep: BoolArray = first == first[begins][np.cumsum(begins) - 1]
    keep &= second == second[ends][np.cumsum(ends) - ends]
    return keep


def _non_dominated_pairs(
    costs: FloatArray, which: Callable[[FloatArray, FloatArray], BoolArray] = _all_of
) -> BoolArray:
    """Return `_sorted_pairs` of many rows, after a sample removed most dominated ones (all but some thousand of a million)."""
    if len(costs) < _SORTED_AT_ONCE:
        return _sorted_pairs(costs, which)
    part = costs[:: max(1, len(costs) // _LOOKED_AT)]
    part = part[_sorted_pairs(part)]
    part = part[np.argsort(part[:, 0], kind="stable")]
    # The least second objective of the part among those whose first is no larger.
    before = np.searchsorted(part[:, 0], costs[:, 0], side="right")
    least = np.concatenate([[np.inf], np.minimum.accumulate(part[:, 1])])[before]
    keep = costs[:, 1] <= least
    keep[keep] = _sorted_pairs(costs[keep], which)
    return keep


def _sorted_pairs(costs: FloatArray, which: Callable[[FloatArray, FloatArray], BoolArray] = _all_of) -> BoolArray:
    """Return a mask of non-dominated rows. In order of the first objective, a row stays if its second one is below all before it.

    `which` then selects among the distinct rows that stay, given in this order.
    """
    order = np.lexsort((costs[:, 1], costs[:, 0]))
    first, second = costs[order, 0], costs[order, 1]
    new = np.append(True, (first[1:] != first[:-1]) | (second[1:] != second[:-1]))
    first, second = first[new], second[new]
    stays = second < np.append(np.inf, np.minimum.accumulate(second)[:-1])
    stays[stays] = which(first[stays], second[stays])
    keep = np.empty(len(order), dtype=bool)
    keep[order] = stays[np.cumsum(new) - 1]
    return keep
