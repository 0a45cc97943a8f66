"""Simulated scenes: the quality of detections in a window, and its correlation with the window before.

The data set of odema-2024 chapter 5 is not at hand, but what its tables say of it is. Share of windows above a threshold of
mAP: for 0.68 how much less the oracle offloads than R-agnostic (Table 5.4), for 0.98 what of R-agnostic's actions is not risky
(Table 5.5), for 0.5 the mean mAP that the oracle leaves in the car (Table 5.3). Means above thresholds: what the oracle
offloads (Table 5.3). Here mAP is uniform within four ranges of these shares and means.

The context (features of the window before) is a belief p that a window is robust. It is calibrated: among windows of belief p a
share p is robust. p has a Beta distribution whose mean is the share of robust windows pi and whose variance is a share r of
pi (1 - pi): r = 0 tells nothing, r = 1 all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray

# Share of windows, least and greatest mAP. Shares above 0.5, 0.68 and 0.98 are 0.683, 0.527 and 0.366, means above them
# 0.853, 0.937 and 0.995; all windows have 0.649.
RANGES = ((0.317, 0.0, 0.418), (0.156, 0.5, 0.64), (0.161, 0.68, 0.928), (0.366, 0.99, 1.0))


@dataclass(frozen=True)
class Scenes:
    """Scenes as a threshold parts them.

    Attributes:
        threshold: mAP from which a window is robust.
        context_share: r, from 0 to 1.
    """

    threshold: float
    context_share: float

    @property
    def robust_share(self) -> float:
        """Share of windows whose mAP reaches the threshold."""
        return float(sum(share * _above(low, high, self.threshold) for share, low, high in RANGES))

    def beliefs(self, random: np.random.Generator, count: int) -> FloatArray:
        """Return the beliefs that windows are robust, shape `n`."""
        share, told = self.robust_share, self.context_share
        if told == 0 or share in (0.0, 1.0):
            return np.full(count, share)
        if told == 1:
            return (random.random(count) < share).astype(np.float64)
        pieces = 1 / told - 1
        return random.beta(share * pieces, (1 - share) * pieces, count)

    def quality(self, random: np.random.Generator, robust: BoolArray) -> FloatArray:
        """Return the MAP of windows that are robust or not, shape `n`."""
        drawn, place, found = random.random(len(robust)), random.random(len(robust)), np.empty(len(robust))
        for side in (True, False):
            rows = np.flatnonzero(robust == side)
            parts = [part for part in self._parts(side) if part[0] > 0]
            if not parts:
                continue
            edges = np.cumsum([share for share, _, _ in parts])
            which = np.minimum(np.searchsorted(edges, drawn[rows] * edges[-1], side="right"), len(parts) - 1)
            low, high = (np.array([part[end] for part in parts])[which] for end in (1, 2))
            found[rows] = low + (high - low) * place[rows]
        return found

    def _parts(self, robust: bool) -> list[tuple[float, float, float]]:
        """Return share, least and greatest mAP of what the threshold leaves of each range on one side."""
        found = []
        for share, low, high in RANGES:
            at, above = min(max(self.threshold, low), high), _above(low, high, self.threshold)
            found.append((share * above, at, high) if robust else (share * (1 - above), low, at))
        return found


def _above(low: float, high: float, threshold: float) -> float:
    return min(max((high - threshold) / (high - low), 0.0), 1.0)
