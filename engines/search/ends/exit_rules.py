"""Networks with several ends under rules that can run: who leaves where was measured, and how sure each exit was.

An input leaves at the first chosen exit that is at least as sure as the threshold, else at the last end; whether it is right there
is what was measured. Nothing of this asks which end would have been right, which is what the ideal mapping knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray
from engines.search.ends.confidence import Rule, leaves_at
from engines.search.ends.correctness import with_last


@dataclass(frozen=True, eq=False)
class ExitShares:
    """Where the inputs of `k` choices leave.

    Attributes:
        shares: shares of the inputs that leave at each of `n` ends, shape `k x n`; rows add up to 1.
        accuracy: share of the inputs that is right where it leaves, shape `k`.
    """

    shares: FloatArray
    accuracy: FloatArray

    @staticmethod
    def joined(parts: Sequence[ExitShares]) -> ExitShares:
        """Return all of them, in order."""
        return ExitShares(
            np.concatenate([each.shares for each in parts]), np.concatenate([each.accuracy for each in parts])
        )


@dataclass(frozen=True, eq=False)
class RuledEnds:
    """Measured on samples.

    Attributes:
        right: whether each sample is classified correctly at each end, shape `samples x n`.
        sure: of each rule, how sure each exit is of each sample, from 0 to 1, shape `samples x (n - 1)`.
    """

    right: BoolArray
    sure: Mapping[Rule, FloatArray]

    def leaving(self, chosen: npt.ArrayLike, rule: Rule, thresholds: Sequence[float]) -> ExitShares:
        """Return what one choice of ends does under a rule at each of `k` thresholds.

        Args:
            chosen: which ends, shape `n`.
            rule: what an exit is asked.
            thresholds: each from 0 to 1.

        Raises:
            ValueError: a threshold outside of 0 to 1.
        """
        row, count = with_last(chosen)[0], len(self.right)
        last = np.zeros((count, 1))
        sure = np.concatenate([self.sure[rule], last], axis=1)
        shares, accuracy = np.empty((len(thresholds), len(row))), np.empty(len(thresholds))
        for place, threshold in enumerate(thresholds):
            at = leaves_at(sure, row, threshold)
            shares[place] = np.bincount(at, minlength=len(row)) / count
            accuracy[place] = self.right[np.arange(count), at].mean()
        return ExitShares(shares, accuracy)
