"""Curves of a training that grow as a run continues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract.results import Curve, Series


def loss_curve(losses: Sequence[float], phases: Mapping[str, tuple[int, int]], title: str = "Training loss") -> Curve:
    """Return the mean loss of each epoch.

    Args:
        losses: one per epoch.
        phases: title of a series -> first epoch and the one behind its last, from 0 on.
        title: title of the curve.
    """
    epochs, values = np.arange(1, len(losses) + 1, dtype=np.float64), np.array(losses, dtype=np.float64)
    series = tuple(
        Series(name, np.where((epochs > first) & (epochs <= end), values, np.nan), "")
        for name, (first, end) in phases.items()
    )
    return Curve("loss", title, epochs, "Epoch", "", series, role="progress")
