"""Measures of several fronts, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from webapp.comparisons.measures import measure, shared_objectives, shared_quantities

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
ENERGY = Quantity("energy_j", "Energy", "J", "minimise", "objective")
RATE = Quantity("rate_hz", "Rate", "Hz", "maximise", "metric")


def test_only_quantities_of_one_name_unit_and_sense_are_shared() -> None:
    other = [ENERGY, Quantity("latency_s", "Latency", "ms", "minimise", "objective"), RATE]
    assert shared_quantities([[LATENCY, ENERGY, RATE], other]) == (ENERGY, RATE)
    assert shared_quantities([]) == ()
    metric = Quantity("energy_j", "Energy", "J", "minimise", "metric")
    assert shared_objectives([[LATENCY, ENERGY], [LATENCY, metric]]) == (LATENCY,)


def test_the_measures_of_two_fronts() -> None:
    found = measure([[[1.0, 4.0], [2.0, 2.0]], [[2.0, 3.0], [4.0, 1.0]]], (LATENCY, ENERGY))
    # All designs span 1..4 in both objectives; a tenth beyond the worst is 4.3.
    assert found.reference is not None and found.reference.tolist() == pytest.approx([4.3, 4.3])
    first = (4.3 - 1) * (4.3 - 4) + (4.3 - 2) * (4 - 2)
    second = (4.3 - 2) * (4.3 - 3) + (4.3 - 4) * (3 - 1)
    assert found.hypervolume == pytest.approx((first, second))
    assert found.covers == (0.5, 0.0)  # (2, 2) dominates (2, 3)
    # The best of both: (1, 4), (2, 2), (4, 1). The first lacks (4, 1): twice its energy; the second (1, 4): twice its latency.
    assert found.epsilon == (2.0, 2.0)
    assert np.array_equal(found.coverage, [[np.nan, 0.5], [0.0, np.nan]], equal_nan=True)
    # The first to cover (4, 1) from (2, 2): 2. The second to cover (1, 4) from (2, 3): 2.
    assert np.array_equal(found.factors, [[np.nan, 2.0], [2.0, np.nan]], equal_nan=True)


def test_runs_without_designs_or_common_objectives_have_no_measures() -> None:
    empty = np.empty((0, 2))
    assert measure([empty, empty], (LATENCY, ENERGY)).reference is None
    assert all(np.isnan(value) for value in measure([empty, empty], ()).hypervolume)
    found = measure([[[1.0, 1.0]], empty], (LATENCY, ENERGY))
    assert found.hypervolume[1] == 0.0 and np.isnan(found.covers[0]) and np.isnan(found.epsilon[1])
