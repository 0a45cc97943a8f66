"""Exit rules: at run time an input leaves at the first end whose confidence reaches a threshold.

Outputs before the softmax have shape `samples x n x classes`; confidence goes from 0 (all classes equally likely) to 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray

Rule = Literal["entropy", "largest_probability"]
RULES: tuple[Rule, ...] = ("largest_probability", "entropy")

_TEMPERATURES = np.geomspace(0.05, 20.0, 241)


def probabilities(outputs: FloatArray, temperature: npt.ArrayLike = 1.0) -> FloatArray:
    """Return the softmax over the last axis of outputs divided by a temperature (one, or one per end)."""
    scaled = outputs / np.asarray(temperature, dtype=np.float64).reshape(-1, 1)
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def confidence(outputs: FloatArray, rule: Rule, temperature: npt.ArrayLike = 1.0) -> FloatArray:
    """Return the confidence of each end for each sample, shape `samples x n`.

    By `rule` it is the largest probability, or 1 - H / ln(classes) with the entropy H of the probabilities.

    Raises:
        ValueError: a temperature is not positive.
    """
    if (np.asarray(temperature) <= 0).any():
        raise ValueError(f"A temperature must be above 0. Got {temperature!r} instead.")
    share = probabilities(outputs, temperature)
    if rule == "largest_probability":
        return np.asarray(share.max(axis=-1))
    entropy = -(share * np.log(np.maximum(share, np.finfo(float).tiny))).sum(axis=-1)
    return np.asarray(1.0 - entropy / np.log(outputs.shape[-1]))


def leaves_at(sure: FloatArray, chosen: npt.ArrayLike, thresholds: npt.ArrayLike) -> IntArray:
    """Return the end at which each sample leaves, shape `samples`: the first chosen one with enough confidence, else the last.

    Args:
        sure: `confidence`, shape `samples x n`.
        chosen: mask of the ends in use, shape `n`.
        thresholds: least confidence to leave, one for all ends or shape `n`, each from 0 to 1.

    Raises:
        ValueError: a threshold outside of 0 to 1.
    """
    least = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), sure.shape[1:])
    if not ((least >= 0) & (least <= 1)).all():
        raise ValueError(f"A threshold must be from 0 to 1. Got {thresholds!r} instead.")
    leaving = (sure >= least) & np.asarray(chosen, dtype=bool)
    leaving[:, -1] = True
    return np.asarray(leaving.argmax(axis=1))


def fitted_temperature(outputs: FloatArray, labels: IntArray) -> float:
    """Return the temperature that minimises the negative log-likelihood of the labels for one end's outputs (`samples x classes`).

    It lies between 0.05 and 20, in steps of 2.5 %, because outputs that are always right have no best temperature.
    """
    own = np.arange(len(labels))
    losses = [
        -np.log(np.maximum(probabilities(outputs, value)[own, labels], np.finfo(float).tiny)).mean()
        for value in _TEMPERATURES
    ]
    return float(_TEMPERATURES[int(np.argmin(losses))])


def calibration_error(outputs: FloatArray, labels: IntArray, temperature: float = 1.0, bins: int = 15) -> float:
    """Return the expected calibration error of one end's outputs (`samples x classes`), from 0 to 1.

    It is the mean, over bins of equal width by largest probability, of |accuracy - mean probability|, weighted by the samples in
    the bin.
    """
    share = probabilities(outputs, temperature)
    sure, right = share.max(axis=1), share.argmax(axis=1) == labels
    place = np.minimum((sure * bins).astype(np.int64), bins - 1)
    gaps = np.bincount(place, weights=right - sure, minlength=bins)
    return float(np.abs(gaps).sum() / len(labels))
