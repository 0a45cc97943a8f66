"""Rules of leaving by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.search.ends.confidence import calibration_error, confidence, fitted_temperature, leaves_at, probabilities

# One sample at two ends, two classes: odds of 3 to 1, then of 1 to 1.
OUTPUTS = np.array([[[np.log(3.0), 0.0], [0.0, 0.0]]])


def test_the_largest_probability() -> None:
    assert confidence(OUTPUTS, "largest_probability") == pytest.approx(np.array([[0.75, 0.5]]))


def test_the_entropy_is_a_share_of_the_most() -> None:
    entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25)) / np.log(2)
    assert confidence(OUTPUTS, "entropy") == pytest.approx(np.array([[1 - entropy, 0.0]]))


def test_a_temperature_per_end_softens() -> None:
    assert probabilities(OUTPUTS, [2.0, 1.0])[0, 0, 0] == pytest.approx(np.sqrt(3) / (1 + np.sqrt(3)))


@pytest.mark.parametrize("temperature", [0.0, -1.0])
def test_a_temperature_is_positive(temperature: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        confidence(OUTPUTS, "entropy", temperature)


def test_an_input_leaves_at_the_first_chosen_end_that_is_sure_enough() -> None:
    sure = np.array([[0.9, 0.95, 0.2], [0.5, 0.9, 0.2], [0.1, 0.1, 0.1]])
    assert leaves_at(sure, [1, 1, 1], 0.8).tolist() == [0, 1, 2]
    assert leaves_at(sure, [0, 1, 1], 0.8).tolist() == [1, 1, 2]
    assert leaves_at(sure, [1, 1, 0], [0.95, 0.9, 0]).tolist() == [1, 1, 2]


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        leaves_at(np.ones((1, 2)), [1, 1], threshold)


def test_the_temperature_makes_outputs_as_sure_as_they_are_right() -> None:
    # Right three times of four, and each time with odds of 3 to 1, told ten times too surely.
    outputs = np.tile([10 * np.log(3.0), 0.0], (4, 1))
    assert fitted_temperature(outputs, np.array([0, 0, 0, 1])) == pytest.approx(10, rel=0.03)


def test_calibration_error_is_how_far_probabilities_lie_from_what_is_right() -> None:
    outputs = np.log(np.array([[0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.4, 0.6]]))
    # Surest two: half right of 0.9 sure; other two: all right of 0.6 sure.
    assert calibration_error(outputs, np.array([0, 1, 0, 1])) == pytest.approx(0.5 * 0.4 + 0.5 * 0.4)
    assert calibration_error(100 * outputs, np.array([0, 0, 0, 1])) == pytest.approx(0.0, abs=1e-9)
