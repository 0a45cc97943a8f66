import numpy as np
import pytest

from engines.methods.duet.training.scores import area_under_roc, scores_of


def test_by_hand() -> None:
    found = scores_of(np.array([0.9, 0.6, 0.4, 0.2]), np.array([1, 0, 1, 0]))
    assert found.accuracy_percent == 50 and found.auc == pytest.approx(3 / 4)
    assert found.log_loss == pytest.approx(-np.log([0.9, 0.4, 0.4, 0.8]).mean())


def test_equal_probabilities_count_half_and_one_class_alone_has_no_area() -> None:
    assert area_under_roc(np.full(4, 0.3), np.array([1, 0, 0, 1])) == 0.5
    assert np.isnan(area_under_roc(np.array([0.1, 0.2]), np.array([1, 1])))
