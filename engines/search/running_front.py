"""The front of what a search has found so far, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.quantities import Sense


class RunningFront:
    """Points that no other dominates, in the order in which they came.

    Args:
        senses: senses of the `m` objectives.
        distinct: keep only the first of equal points.
        genes: how many genes of each point are kept next to it.

    Attributes:
        points: shape `k x m`.
        genes: shape `k x genes`.
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
        """Take in points; which of them are on the front now, shape `n`.

        Args:
            points: shape `n x m`; one with NaN or infinity is never on the front.
            allowed: which of them may be on it, shape `n`; all by default.
            genes: of each where genes are kept, shape `n x genes`.
            once: where only distinct points are kept, say so of no equals of those that were kept before them.
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
