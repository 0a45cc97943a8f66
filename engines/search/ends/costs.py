"""The cost of networks with early exits: the cost up to each end, heads included, and its mean over the inputs.

`n` ends; a part of the trunk stands before each of them and a head at each (the trunk's own end has one too, or a head of 0). An
input that leaves at an end has passed the trunk up to there and every chosen head up to and with that one. Costs are in any unit
that adds up: seconds, joules, multiply-accumulates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.search.ends.correctness import with_last


@dataclass(frozen=True, eq=False)
class EndCosts:
    """The costs of the trunk and the heads of `n` ends at `s` DVFS settings.

    Attributes:
        parts: cost of the trunk from the previous end (or the input) to each end, shape `n x s`.
        heads: cost of the head at each end, shape `n x s`.
    """

    parts: FloatArray
    heads: FloatArray

    def prefixes(self, chosen: npt.ArrayLike, setting: npt.ArrayLike) -> FloatArray:
        """Return the cost of an input that leaves at each end, shape `k x n`.

        For an end that is not chosen, it is the cost of passing there.

        Args:
            chosen: mask of the ends in use, shape `k x n`.
            setting: index of the setting of each choice, shape `k`.
        """
        settings = np.asarray(setting, dtype=np.int64)
        heads = np.where(with_last(chosen), self.heads.T[settings], 0.0)
        return np.cumsum(self.parts.T[settings] + heads, axis=1)

    def static(self) -> FloatArray:
        """Return the cost of the network without early exits at each setting, shape `s`."""
        # One after the other: a sum of one column would be rounded differently from that of many.
        return np.asarray(np.cumsum(self.parts, axis=0)[-1] + self.heads[-1])


def expected_cost(leaving: FloatArray, prefixes: FloatArray) -> FloatArray:
    """Return the mean cost over all inputs, shape `k`, from shares that leave at each end and their costs (both `k x n`)."""
    return np.asarray((leaving * prefixes).sum(axis=1))
