"""Quality indicators of a set of designs: hypervolume, coverage, epsilon factor and knee point.

Every function takes a `matrix` of shape `n x m` (designs x objectives) and `senses`, `m` of "minimise" or "maximise".
A row with NaN or infinity is never non-dominated and dominates nothing. Values are exactly independent of the order of rows and
of repeated rows. Hypervolume for three and more objectives:
moocore's implementation of Fonseca, Paquete, Lopez-Ibanez (2006), "An improved dimension-sweep algorithm for the
hypervolume indicator". For `APPROXIMATED_FROM` and more, where the exact value takes time that grows with the power of the
objectives, moocore's deterministic approximation (Rphi-FWE+, Lopez-Ibanez 2026).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated, non_dominated_costs, rounded, signs_of, to_costs
from engines.contract.quantities import Sense

REFERENCE_MARGIN = 0.1
APPROXIMATED_FROM = 5
_DIRECTIONS = 2**16


def distinct_count(matrix: npt.ArrayLike) -> int:
    """Return the number of rows of an `n x m` matrix that fronts distinguish (trade-offs); a search may find one many times."""
    return len(distinct_points(rounded(np.asarray(matrix, dtype=np.float64))))


def distinct_points(matrix: npt.ArrayLike) -> FloatArray:
    """Return the distinct rows of an `n x m` matrix, sorted by the first column, then by the second and so on."""
    rows = np.asarray(matrix, dtype=np.float64) + 0.0  # -0.0 is 0.0
    if not rows.size:
        return rows[:1]
    ordered = rows[np.lexsort(rows.T[::-1])]
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[new]


def hypervolume(matrix: npt.ArrayLike, senses: Sequence[Sense], reference: npt.ArrayLike) -> float:
    """Return the volume between the front of `matrix` and `reference`, in the product of the objectives' units.

    Args:
        matrix: `n x m`; dominated designs add nothing, and neither do designs that are not better than the reference in
            every objective. 0.0 for no designs. With `APPROXIMATED_FROM` and more objectives the value is approximate.
        senses: `m` of "minimise" or "maximise".
        reference: point of shape `m` in the objectives' own units and senses.
    """
    costs = to_costs(matrix, senses)
    corner = to_costs(np.asarray(reference, dtype=np.float64).reshape(1, -1), senses)[0]
    inside = costs[np.isfinite(costs).all(axis=1) & (costs < corner).all(axis=1)]
    if not len(inside):
        return 0.0
    if inside.shape[1] == 1:
        return float(corner[0] - inside.min())
    front = distinct_points(inside[non_dominated_costs(inside)])
    if front.shape[1] == 2:
        return _area(front, corner)
    if front.shape[1] >= APPROXIMATED_FROM:
        # Scaled to 1 in every objective: the directions are even on the unit sphere, units would tilt them.
        extent = corner - front.min(axis=0)
        scaled, zero = (corner - front) / extent, np.zeros(front.shape[1])
        share = _moocore().hv_approx(scaled, ref=zero, maximise=True, nsamples=_DIRECTIONS, method="Rphi-FWE+")
        return float(share * extent.prod())
    return float(_moocore().hypervolume(front, ref=corner))


def coverage(matrix: npt.ArrayLike, other: npt.ArrayLike, senses: Sequence[Sense]) -> float:
    """Return the share of the points of `other` that some point of `matrix` dominates, 0..1; NaN where `other` has no finite one.

    Zitzler and Thiele (1998), with strict dominance: equal designs do not cover each other. Also called ratio of dominance.
    Values are compared as fronts do.
    """
    # A search may find a front's few points ten thousand times each; that makes them no more points.
    ours, theirs = (distinct_points(rounded(_finite_costs(side, senses))) for side in (matrix, other))
    if not len(theirs):
        return float("nan")
    covered = np.zeros(len(theirs), dtype=bool)
    columns = np.ascontiguousarray(theirs.T)  # one objective after the other: fronts have thousands of designs
    for row in ours[non_dominated_costs(ours)] if len(ours) else ours:
        no_better = np.logical_and.reduce([value <= column for value, column in zip(row, columns, strict=True)])
        no_better[no_better] = (row < theirs[no_better]).any(axis=1)
        covered |= no_better
    return float(covered.mean())


def epsilon_factor(matrix: npt.ArrayLike, reference: npt.ArrayLike, senses: Sequence[Sense]) -> float:
    """Return the smallest factor by which `matrix` must improve to cover every design of `reference`.

    This is the multiplicative epsilon indicator of Zitzler et al. (2003); 1 if every design of `reference` is matched. NaN if
    either matrix has no finite design or a value is not positive.
    """
    sides = [np.asarray(side, dtype=np.float64).reshape(-1, len(senses)) for side in (matrix, reference)]
    ours, theirs = (distinct_points(side[np.isfinite(side).all(axis=1)]) for side in sides)
    if not len(ours) or not len(theirs) or min(ours.min(), theirs.min()) <= 0:
        return float("nan")
    maximise = [sense == "maximise" for sense in senses]
    return float(_moocore().epsilon_mult(ours, ref=theirs, maximise=maximise))


def reference_point(matrix: npt.ArrayLike, senses: Sequence[Sense], margin: float = REFERENCE_MARGIN) -> FloatArray:
    """Return a reference for `hypervolume`, shape `m`: the worst finite value of each objective and `margin` of its span beyond.

    Raises:
        ValueError: no row is finite.
    """
    costs = to_costs(matrix, senses)
    costs = costs[np.isfinite(costs).all(axis=1)]
    if not len(costs):
        raise ValueError("A reference point needs at least one design with finite objectives. Got none.")
    worst, span = costs.max(axis=0), np.ptp(costs, axis=0)
    span = np.where(span > 0, span, np.where(worst != 0, np.abs(worst), 1.0))
    reference: FloatArray = (worst + margin * span) * signs_of(senses)
    return reference


class OnlineFront:
    """The front and hypervolume of designs that arrive in batches; queries take time by the size of the front, not by all designs.

    Args:
        senses: `m` of "minimise" or "maximise".
        reference: reference point of the hypervolume, shape `m`; by default `reference_point` of the first batch, fixed from then
            on so that hypervolumes of later steps are comparable.
    """

    def __init__(self, senses: Sequence[Sense], reference: npt.ArrayLike | None = None) -> None:
        self._senses = tuple(senses)
        signs_of(self._senses)
        self._reference = None if reference is None else np.asarray(reference, dtype=np.float64)
        self._front = np.empty((0, len(self._senses)))
        self._numbers = np.empty(0, dtype=np.int64)
        self._count = self._before = 0
        self._hypervolume = 0.0

    def add(self, matrix: npt.ArrayLike) -> bool:
        """Add designs, `n x m`, numbered after those before; return whether the front changed."""
        rows = np.asarray(matrix, dtype=np.float64).reshape(-1, len(self._senses))
        self._before = self._count
        numbers = self._count + np.arange(len(rows))
        self._count += len(rows)
        finite = np.isfinite(rows).all(axis=1)
        rows, numbers = rows[finite], numbers[finite]
        if not len(rows):
            return False
        if self._reference is None:
            self._reference = reference_point(rows, self._senses)
        together = np.concatenate([self._front, rows])
        keep = non_dominated(together, self._senses)
        changed = bool(keep[len(self._front) :].any())
        if changed:
            self._front = together[keep]
            self._numbers = np.concatenate([self._numbers, numbers])[keep]
            volume = hypervolume(self._front, self._senses, self._reference)
            # More designs never dominate less; an approximation may say so by its error.
            self._hypervolume = max(self._hypervolume, volume)
        return changed

    @property
    def hypervolume(self) -> float:
        """Hypervolume of everything added so far."""
        return self._hypervolume

    @property
    def reference(self) -> FloatArray | None:
        """The reference point, None before the first finite design."""
        return None if self._reference is None else self._reference.copy()

    @property
    def front(self) -> FloatArray:
        """Objectives of the non-dominated designs, `k x m`, in the order of being added."""
        return self._front.copy()

    @property
    def newest(self) -> FloatArray:
        """Objectives of the designs of the front that the last `add` added, `k x m`."""
        return self._front[self._numbers >= self._before]

    @property
    def numbers(self) -> IntArray:
        """Numbers (from 0) of the non-dominated designs, shape `k`."""
        return self._numbers.copy()

    def __len__(self) -> int:
        return len(self._front)


def _finite_costs(matrix: npt.ArrayLike, senses: Sequence[Sense]) -> FloatArray:
    costs = to_costs(np.asarray(matrix, dtype=np.float64).reshape(-1, len(senses)), senses)
    return costs[np.isfinite(costs).all(axis=1)]


def _area(front: FloatArray, corner: FloatArray) -> float:
    """Return the area between distinct non-dominated pairs, sorted by the first, and `corner`: one rectangle per design."""
    right = np.concatenate([front[1:, 0], corner[:1]])
    return float(((right - front[:, 0]) * (corner[1] - front[:, 1])).sum())


def _moocore() -> Any:
    """Import and return moocore on first use; it takes 0.1 s, and two objectives do not need it."""
    import moocore

    return moocore
