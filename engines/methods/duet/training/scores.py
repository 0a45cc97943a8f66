"""How good predicted probabilities of clicks are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

_SMALLEST = 1e-7


@dataclass(frozen=True)
class Scores:
    """Accuracy at one half in per cent, area under the ROC curve, mean logarithmic loss in nats."""

    accuracy_percent: float
    auc: float
    log_loss: float


def scores_of(probabilities: FloatArray, labels: IntArray) -> Scores:
    """Return the scores of probabilities and labels, both of shape `n`; the AUC is NaN where only one class occurs."""
    right = (probabilities >= 0.5) == (labels == 1)
    kept = np.clip(probabilities, _SMALLEST, 1 - _SMALLEST)
    loss = -np.where(labels == 1, np.log(kept), np.log(1 - kept))
    return Scores(100 * float(right.mean()), area_under_roc(probabilities, labels), float(loss.mean()))


def area_under_roc(probabilities: FloatArray, labels: IntArray) -> float:
    """Return the area under the ROC curve: the probability that a clicked candidate scores above another one, ties counted half."""
    values, place, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    clicked = int((labels == 1).sum())
    others = len(labels) - clicked
    if not clicked or not others or not len(values):
        return float("nan")
    return float((ranks[labels == 1].sum() - clicked * (clicked + 1) / 2) / (clicked * others))
