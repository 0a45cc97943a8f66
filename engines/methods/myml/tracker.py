"""Which classes are the user's, which images are outside of them, and when the user has changed (goyal-2023 section 4.3)."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray


def entropy_bits(probabilities: FloatArray) -> FloatArray:
    """Return H = - sum p log2 p over the last axis; 2.32 for five equal classes."""
    safe = np.where(probabilities > 0, probabilities, 1.0)
    found: FloatArray = -(probabilities * np.log2(safe)).sum(axis=-1)
    return found


def outside(probabilities: FloatArray, below: float, above_bits: float) -> BoolArray:
    """Return the images of no class of the user: the largest probability is below `below` and the entropy above `above_bits`."""
    found: BoolArray = (probabilities.max(axis=-1) < below) & (entropy_bits(probabilities) > above_bits)
    return found


def user_classes(predictions: IntArray, share: float, classes: int) -> tuple[int, ...]:
    """Return the classes that are more than `share` of the predictions, ascending."""
    counts = np.bincount(predictions, minlength=classes)
    return tuple(np.flatnonzero(counts > share * len(predictions)).tolist())


def hits_needed(window: int, share: float) -> int:
    """Return the images of a class that are more than `share` of the window."""
    return math.floor(share * window + 1e-9) + 1


def chance_of_being_found(frequency: float, window: int, share: float) -> float:
    """Return the chance to notice a class of this frequency: a binomial count above the share of the window."""
    needed = hits_needed(window, share)
    terms = (
        math.comb(window, hits) * frequency**hits * (1 - frequency) ** (window - hits)
        for hits in range(needed, window + 1)
    )
    return math.fsum(terms)


class Tracker:
    """Counts images outside among the last `window`; nothing is said before there are so many.

    Attributes:
        share: share of the images outside, in what was seen of the window.
    """

    def __init__(self, window: int, divergence: float) -> None:
        self._last: deque[bool] = deque(maxlen=window)
        self._window, self._divergence = window, divergence
        self.share = 0.0

    def see(self, is_outside: bool) -> bool:
        """Take in an image; whether the user has changed."""
        self._last.append(is_outside)
        self.share = sum(self._last) / len(self._last)
        return len(self._last) == self._window and self.share > self._divergence
