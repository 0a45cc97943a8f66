import numpy as np
import pytest

from engines.methods.mapformer.estimator.classes import (
    calibration_error,
    class_names,
    class_of,
    confusion,
    edges_of,
    exact_share,
    near_share,
)


def test_classes_have_equal_population() -> None:
    values = np.random.default_rng(0).exponential(size=1600)
    assert np.bincount(class_of(values, edges_of(values))).tolist() == [100] * 16


def test_what_lies_beyond_the_ends_counts_to_the_outer_classes() -> None:
    assert class_of(np.array([-5.0, 0.0, 99.0]), np.linspace(0.0, 16.0, 17)).tolist() == [0, 0, 15]


def test_names_of_classes() -> None:
    names = class_names(np.linspace(0.0, 16.0, 17), "W")
    assert len(names) == 16 and names[0] == "under 1 W" and names[1] == "1 to 2 W" and names[-1] == "over 15 W"


def test_shares_and_confusion() -> None:
    told, true = np.array([0, 1, 2, 5]), np.array([0, 2, 2, 9])
    assert exact_share(told, true) == 0.5 and near_share(told, true) == 0.75
    found = confusion(told, true)
    assert found[2, 1] == 1 and found.sum() == 4
    assert exact_share(told[:0], true[:0]) == near_share(told[:0], true[:0]) == 0.0


def test_sureness_that_is_kept_has_no_error() -> None:
    probabilities = np.array([[0.75, 0.25]] * 4)
    assert calibration_error(probabilities, np.array([0, 0, 0, 1])) == pytest.approx(0.0)
    assert calibration_error(probabilities, np.array([0, 0, 1, 1])) == pytest.approx(0.25)
