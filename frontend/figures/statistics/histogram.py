"""Histograms: the one place where values are counted into bins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Relative; figures that differ by less are equal but for the order in which they were summed.
ROUNDING = 1e-9
_WIDTH_OF_EQUAL = 0.1


def all_equal(values: npt.NDArray[np.float64]) -> bool:
    """Return whether finite `values` (shape `n`) differ by no more than rounding; True for none."""
    if not len(values):
        return True
    largest = float(np.abs(values).max())
    # Divided first: the difference of two large figures may pass what a float holds.
    return largest == 0 or bool(np.ptp(values / largest) <= ROUNDING)


def binned(values: npt.NDArray[np.float64], bins: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the finite values counted into bins of equal width between the least and the largest.

    Values that differ by no more than rounding stand in a single bin around them: between them there is no room for `bins`
    edges, and `numpy.histogram` raises.

    Args:
        values: shape `n`, finite, any magnitude.
        bins: number of bins, at least 1.

    Returns:
        Counts (shape `bins`, or 1 where all values are equal, or 0 where there are none) and edges (one more, or none).
    """
    if not len(values):
        return np.zeros(0, np.int64), np.zeros(0)
    largest = float(np.abs(values).max())
    if all_equal(values):
        half = (largest or 1.0) * _WIDTH_OF_EQUAL / 2
        middle = float(values[0])
        return np.array([len(values)]), np.array([middle - half, middle + half])
    counts, edges = np.histogram(values / largest, bins)
    return counts, edges * largest
