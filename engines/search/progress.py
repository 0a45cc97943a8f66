"""How far a search came, as a curve that grows while it runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import HYPERVOLUME, Curve, Series


def progress_curve(name: str, title: str, scored: Sequence[float], scored_title: str, *series: Series) -> Curve:
    """Return a curve next to that of the hypervolume.

    Args:
        name: name of the result.
        title: for people.
        scored: evaluations at each point.
        scored_title: what these are.
        series: values at each of them.
    """
    x = np.array(scored, dtype=np.float64)
    return Curve(name, title, x, scored_title, "", series, role="progress", belongs_to=HYPERVOLUME)
