"""The cost of networks with several ends: prefixes with the heads on the way, and the mean over the inputs that leave at each end.

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
    """Costs at `s` settings.

    Attributes:
        parts: parts of the trunk from the end before (or the input) to each end, shape `n x s`.
        heads: of the head at each end, shape `n x s`.
    """

    parts: FloatArray
    heads: FloatArray

    def prefixes(self, chosen: npt.ArrayLike, setting: npt.ArrayLike) -> FloatArray:
        """Return what an input costs that leaves at each end, shape `k x n`.

        Of ends that are not chosen, what it costs to pass there.

        Args:
            chosen: which ends, shape `k x n`.
            setting: number of the setting of each, shape `k`.
        """
        settings = np.asarray(setting, dtype=np.int64)
        heads = np.where(with_last(chosen), self.heads.T[settings], 0.0)
        return np.cumsum(self.parts.T[settings] + heads, axis=1)

    def static(self) -> FloatArray:
        """Return the network without exits, shape `s`."""
        # One after the other: a sum of one column would be rounded differently from that of many.
        return np.asarray(np.cumsum(self.parts, axis=0)[-1] + self.heads[-1])


def expected_cost(leaving: FloatArray, prefixes: FloatArray) -> FloatArray:
    """Return the mean over all inputs, shape `k`, of what those that leave at each end (shares `k x n`) cost (`k x n`)."""
    return np.asarray((leaving * prefixes).sum(axis=1))
