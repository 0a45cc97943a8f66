"""Networks with early exits under exit rules that a device can run, from measured confidence and correctness.

An input leaves at the first chosen exit whose confidence reaches the threshold, otherwise at the last end. Unlike the ideal exit
policy, a rule does not know which end would have been right.
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
    """The ends at which inputs leave, and the accuracy there, for `k` choices.

    Attributes:
        shares: shares of the inputs that leave at each of `n` ends, shape `k x n`; rows add up to 1.
        accuracy: share of the inputs that are classified correctly at their end, shape `k`.
    """

    shares: FloatArray
    accuracy: FloatArray

    @staticmethod
    def joined(parts: Sequence[ExitShares]) -> ExitShares:
        """Return the shares of all parts as one set of choices, in order."""
        return ExitShares(
            np.concatenate([each.shares for each in parts]), np.concatenate([each.accuracy for each in parts])
        )


@dataclass(frozen=True, eq=False)
class RuledEnds:
    """The measured correctness and confidence of `n` ends on samples.

    Attributes:
        right: whether each sample is classified correctly at each end, shape `samples x n`.
        sure: rule -> confidence of each exit for each sample, from 0 to 1, shape `samples x (n - 1)`.
    """

    right: BoolArray
    sure: Mapping[Rule, FloatArray]

    def leaving(self, chosen: npt.ArrayLike, rule: Rule, thresholds: Sequence[float]) -> ExitShares:
        """Return shares and accuracy of one choice of ends under a rule, at each of `k` thresholds.

        Args:
            chosen: mask of the ends in use, shape `n`.
            rule: rule that computes the confidence.
            thresholds: each from 0 to 1.

        Raises:
            ValueError: a threshold is outside of 0 to 1.
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
