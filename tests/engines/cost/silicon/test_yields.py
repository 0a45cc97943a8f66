"""Yield of dies, and how many of them a wafer has."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.cost.silicon.yields import dies_per_wafer, powers, yield_of


@pytest.mark.parametrize(("area_mm2", "expected"), [(256, 0.6691), (4, 0.9928), (4.4, 0.9921), (8, 0.9858)])
def test_published_dies(area_mm2: float, expected: float) -> None:
    assert float(yield_of(area_mm2, 0.002, 0.9, 1.5)) == pytest.approx(expected, abs=5e-5)


@given(
    st.floats(0.1, 900), st.floats(1e-5, 0.1), st.floats(0.01, 1), st.sampled_from([0.5, 1.0, 1.5, 2.0, 2.3, 3.5, 40.0])
)
def test_the_formula(area_mm2: float, density: float, critical: float, alpha: float) -> None:
    by_hand = (1 + density * area_mm2 * critical / alpha) ** -alpha
    assert float(yield_of(area_mm2, density, critical, alpha)) == pytest.approx(by_hand, rel=1e-12)


def test_evenly_spread_defects_are_the_exponential_yield() -> None:
    assert float(yield_of(100.0, 0.01, 1.0, 1e6)) == pytest.approx(math.exp(-1), rel=1e-5)


def test_dies_of_a_wafer_by_hand() -> None:
    # pi 100^2 / 100 - pi 200 / sqrt(200) = 314.159 - 44.429
    assert dies_per_wafer(np.array([100.0]), 200.0) == pytest.approx([269.7304], abs=1e-4)
    assert dies_per_wafer(np.array([1e6]), 200.0) == [0.0]


def test_powers_of_a_share() -> None:
    assert powers(0.5, 3).tolist() == [1, 0.5, 0.25, 0.125]
