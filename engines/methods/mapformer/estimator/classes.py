"""Classes of equal population, and the accuracy of their prediction (karatzas-2024 section 4.2)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

CLASSES = 16
HEADS = ("throughput", "power")


def edges_of(values: FloatArray, classes: int = CLASSES) -> FloatArray:
    """Return the ends of classes of equal population: the least value, what parts them, the largest value, shape `classes + 1`."""
    return np.asarray(np.quantile(values, np.linspace(0.0, 1.0, classes + 1)))


def class_of(values: FloatArray, edges: FloatArray) -> IntArray:
    """Return the class of each value, from 0; what lies beyond the ends counts to the outer classes."""
    return np.asarray(np.searchsorted(edges[1:-1], values, side="right"))


def class_names(edges: FloatArray, unit: str) -> tuple[str, ...]:
    """Return the names of the classes: their ranges with units."""
    words = [f"{value:.3g}" for value in edges]
    middle = [f"{low} to {high} {unit}" for low, high in pairwise(words[1:-1])]
    return (f"under {words[1]} {unit}", *middle, f"over {words[-2]} {unit}")


def confusion(told: IntArray, true: IntArray, classes: int = CLASSES) -> FloatArray:
    """Return the confusion matrix: true class (row) and predicted class (column), shape `classes x classes`."""
    found = np.zeros((classes, classes))
    np.add.at(found, (true, told), 1.0)
    return found


def exact_share(told: IntArray, true: IntArray) -> float:
    """Return the share of correct predictions; 0 of none."""
    return float((told == true).mean()) if len(true) else 0.0


def near_share(told: IntArray, true: IntArray) -> float:
    """Return the share of those at most one class off; 0 of none."""
    return float((np.abs(told - true) <= 1).mean()) if len(true) else 0.0


def reliability(probabilities: FloatArray, true: IntArray, bins: int = 10) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the reliability curve: accuracy of the predicted class over the confidence of the estimator.

    Args:
        probabilities: shape `b x classes`.
        true: shape `b`.
        bins: number of bins of equal width between 0 and 1.

    Returns:
        Of each bin mean sureness, share that was right, and how many there are; not a number where a bin is empty.
    """
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == true
    place = np.minimum((sure * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins).astype(np.float64)
    with np.errstate(invalid="ignore"):
        means = [np.bincount(place, weights=each, minlength=bins) / count for each in (sure, right.astype(np.float64))]
    return means[0], means[1], count


def calibration_error(probabilities: FloatArray, true: IntArray, bins: int = 10) -> float:
    """Return the expected calibration error: mean gap between sureness and share that is right, weighted by how many (Guo et al.

    2017).
    """
    sure, right, count = reliability(probabilities, true, bins)
    gaps = np.where(count > 0, np.abs(np.nan_to_num(sure) - np.nan_to_num(right)), 0.0)
    return float((gaps * count).sum() / count.sum())
