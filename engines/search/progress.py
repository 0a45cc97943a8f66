"""Progress of a search as a curve that grows during the run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import HYPERVOLUME, Curve, Series


def progress_curve(name: str, title: str, scored: Sequence[float], scored_title: str, *series: Series) -> Curve:
    """Return a progress curve that pages show next to the hypervolume.

    Args:
        name: name of the result.
        title: title on pages.
        scored: number of evaluations at each point.
        scored_title: title of the horizontal axis.
        series: values at each point.
    """
    x = np.array(scored, dtype=np.float64)
    return Curve(name, title, x, scored_title, "", series, role="progress", belongs_to=HYPERVOLUME)
