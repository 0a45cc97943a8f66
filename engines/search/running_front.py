"""The Pareto front of the designs found so far, updated batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.quantities import Sense


class RunningFront:
    """The non-dominated points so far, in order of arrival.

    Args:
        senses: senses of the `m` objectives.
        distinct: whether to keep only the first of equal points.
        genes: number of genes stored with each point.

    Attributes:
        points: objectives of the front, shape `k x m`.
        genes: genes of these points, shape `k x genes`.
    """

    def __init__(self, senses: Sequence[Sense], distinct: bool = False, genes: int = 0) -> None:
        self.points: FloatArray = np.empty((0, len(senses)))
        self.genes: IntArray = np.empty((0, genes), dtype=np.int64)
        self._senses, self._distinct = senses, distinct

    def __len__(self) -> int:
        return len(self.points)

    def extend(
        self,
        points: FloatArray,
        allowed: BoolArray | None = None,
        genes: IntArray | None = None,
        *,
        once: bool = False,
    ) -> BoolArray:
        """Add points; return a mask of those that are on the front now, shape `n`.

        Args:
            points: objectives, shape `n x m`; a point with NaN or infinity is never on the front.
            allowed: mask of the points that may be on the front, shape `n`; all by default.
            genes: genes of the points if they are stored, shape `n x genes`.
            once: with `distinct`, exclude points that equal an earlier point of the front.
        """
        taken = points if allowed is None else np.where(allowed[:, None], points, np.nan)
        merged, before = np.concatenate([self.points, taken]), len(self.points)
        on_front = non_dominated(merged, self._senses)
        kept = np.flatnonzero(on_front)
        if self._distinct:
            kept = kept[np.sort(np.unique(rounded(merged[kept]), axis=0, return_index=True)[1])]
        self.points = merged[kept]
        if genes is not None:
            self.genes = np.concatenate([self.genes, genes])[kept]
        if once:
            on_front = np.isin(np.arange(len(merged)), kept)
        return on_front[before:]
