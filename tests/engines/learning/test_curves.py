"""Curves of a training."""

from __future__ import annotations

import numpy as np

from engines.learning.curves import loss_curve


def test_each_phase_has_its_own_epochs() -> None:
    curve = loss_curve([3.0, 2.0, 9.0], {"First": (0, 2), "Second": (2, 4)})
    first, second = (each.y for each in curve.series)
    assert np.array_equal(first, [3.0, 2.0, np.nan], equal_nan=True)
    assert np.array_equal(second, [np.nan, np.nan, 9.0], equal_nan=True)
    assert curve.role == "progress"
