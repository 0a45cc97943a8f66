"""Accuracy of backbones and exits that were not trained here.

A backbone of the AttentiveNAS space has the accuracy of CIFAR-100 that lies on a straight line over the logarithm of its
multiply-accumulates, through the smallest and the largest network of the fine-tuned supernet of the authors' repository
(HalimaBouzidi/HADAS). An exit that a share p of the network's work leads to has

    N = accuracy (1 - exp(-k p)).

Both are assumptions: the publication prints no accuracy of single exits. Where ends need not be nested, their correlation is that
at which all exits of a0 together get as many images right as Table 2.2 of odema-2024 prints.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engines.contract.arrays import FloatArray
from engines.search.ends.correctness import correlation_for

# (millions of multiply-accumulates, top-1 in %) of the fine-tuned supernet's smallest and largest network on CIFAR-100
SMALLEST, LARGEST = (201.0, 86.28), (1937.0, 88.43)
A0_STATIC_PERCENT, A0_UNION_PERCENT = 86.33, 89.95  # Table 2.2


def backbone_percent(macs: float) -> float:
    """Return the accuracy of a backbone with so many multiply-accumulates, in %."""
    (small, low), (large, high) = SMALLEST, LARGEST
    return float(low + (high - low) * (np.log(macs / 1e6) - np.log(small)) / (np.log(large) - np.log(small)))


def exit_accuracies(backbone: float, work: FloatArray, steepness: float) -> FloatArray:
    """Return the accuracies of ends as shares, shape `n`; the last end has that of the backbone.

    Args:
        backbone: accuracy of the backbone as a share.
        work: share of the backbone's multiply-accumulates up to each end, shape `n`.
        steepness: k.
    """
    found = backbone * (1 - np.exp(-steepness * work))
    found[-1] = backbone
    return np.asarray(found)


@cache
def published_correlation(work: tuple[float, ...], steepness: float) -> float:
    """Return the correlation at which the ends of a0 together reach the published accuracy."""
    accuracies = exit_accuracies(A0_STATIC_PERCENT / 100, np.array(work), steepness)
    return correlation_for(accuracies, A0_UNION_PERCENT / 100)
