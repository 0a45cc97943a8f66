"""The noise is Laplace noise of scale 2 B / epsilon, and nothing that leaves is beyond the bound."""

import numpy as np
import pytest
from scipy.stats import kstest, laplace

from engines.methods.privynas.mechanism import budget_of, noise, scale_of


@pytest.mark.parametrize(("bound", "epsilon"), [(0.84, 2.8), (0.175, 0.7), (3.0, 12.0)])
def test_noise_has_the_scale_of_the_mechanism(bound: float, epsilon: float) -> None:
    scale = 2 * bound / epsilon
    assert scale_of(bound, epsilon) == pytest.approx(scale) and budget_of(bound, scale) == pytest.approx(epsilon)
    drawn = scale_of(bound, epsilon) * noise(np.random.default_rng(7), (50, 40, 30, 2))
    assert kstest(drawn.ravel(), laplace(0, scale).cdf).pvalue > 0.01
    assert kstest(drawn.ravel(), laplace(0, 1.05 * scale).cdf).pvalue < 0.01  # the test would see five per cent
    one_place = 2 * noise(np.random.default_rng(8), (1000, 2, 2))
    assert abs(np.corrcoef(one_place[:, 0, 0], one_place[:, 1, 1])[0, 1]) < 0.1


def test_probabilities_of_an_element_differ_by_the_budget_at_most() -> None:
    bound, epsilon = 1.5, 0.8
    density = laplace(0, scale_of(bound, epsilon)).logpdf
    sent = np.linspace(-20, 20, 401)
    assert np.abs(density(sent - bound) - density(sent + bound)).max() == pytest.approx(epsilon)
