"""Corrections of predictions by what was measured: what they give between and far from measurements, and what is asked next."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.search.measured_ratio import RatioFit, Scaling, least_certain


def fit(places: list[float], ratios: list[float], noise: float = 0.0) -> RatioFit:
    return RatioFit(np.array(places)[:, None], np.log(ratios), np.full(len(places), noise))


def test_one_measurement_scales_all_predictions_alike() -> None:
    np.testing.assert_allclose(fit([0.0], [2.5]).factors(np.array([[0.0], [3.0], [-9.0]])), 2.5)


def test_measured_places_have_what_was_measured_and_far_ones_the_mean() -> None:
    """Worked: two ratios 1 and 4, whose mean on the logarithmic scale is 2; ten elevenths of ln 2 are told by the place."""
    found = fit([-3.0, 3.0], [1.0, 4.0]).factors(np.array([[-3.0], [3.0], [0.0], [50.0]]))
    np.testing.assert_allclose(found, [2.0 ** (1 / 11), 2.0 ** (21 / 11), 2.0, 2.0], rtol=1e-6)


def test_a_noisy_measurement_counts_for_less() -> None:
    sure, unsure = (fit([-1.0, 1.0], [1.0, 4.0], noise).factors(np.array([[1.0]]))[0] for noise in (0.0, 2.0))
    assert 2.0 < unsure < 3.0 < sure <= 4.0


def test_left_out_a_design_is_told_by_the_others_alone() -> None:
    assert np.isnan(fit([0.0, 1.0], [1.0, 2.0]).left_out()).all()
    found = fit([0.0, 0.1, 0.2], [2.0, 2.0, 9.0]).left_out()
    assert found[2] == pytest.approx(2.0) and found[0] > 2.0


@given(st.lists(st.floats(0.1, 10.0), min_size=1, max_size=8), st.integers(0, 99))
def test_factors_stay_between_what_was_measured_up_to_its_scatter(ratios: list[float], seed: int) -> None:
    places = np.random.default_rng(seed).normal(size=(len(ratios), 3))
    found = RatioFit(places, np.log(ratios), np.zeros(len(ratios))).factors(places)
    assert np.isfinite(found).all() and (found > 0).all()


def test_what_is_asked_next_lies_furthest_from_what_is_known() -> None:
    places = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    assert least_certain(places, np.empty((0, 1)), 3).tolist() == [2, 0, 4]
    assert least_certain(places, np.array([[4.0]]), 1).tolist() == [0]
    assert least_certain(places[:2], np.empty((0, 1)), 5).tolist() == [1, 0]


def test_figures_that_are_not_defined_lie_at_the_centre() -> None:
    figures = np.array([[1.0, np.nan, 5.0], [3.0, np.nan, 5.0], [np.inf, 2.0, 5.0]])
    scaling = Scaling.of(figures)
    assert scaling.centre.tolist() == [2.0, 2.0, 5.0] and (scaling.spread > 0).all()
    scaled = scaling.scaled(figures)
    assert np.isfinite(scaled).all() and scaled[2].tolist() == [0.0, 0.0, 0.0] and scaled[0, 0] < 0 < scaled[1, 0]
    assert Scaling.of(np.full((2, 1), np.nan)).scaled(np.array([[7.0]]))[0, 0] == pytest.approx(np.arcsinh(7.0))
