from __future__ import annotations

import numpy as np
import pytest

from engines.search.robustness import robust_designs

SENSES = ("minimise", "minimise")


def test_designs_are_compared_by_hand() -> None:
    first = np.array([[1.0, 4.0], [2.0, 2.0], [4.0, 1.0], [4.0, 4.0]])
    second = np.array([[1.0, 4.0], [2.0, 5.0], [4.0, 1.0], [4.0, 4.0]])
    metric = {"one": np.array([4.0, 5.0, 6.0, 16.0]), "other": np.array([4.0, 10.0, 2.0, 16.0])}
    found = robust_designs({"one": first, "other": second}, SENSES, metric, "minimise")
    assert found.always.tolist() == [True, False, True, False]
    assert found.sometimes.tolist() == [True, True, True, False]
    np.testing.assert_allclose(found.regret, [[0.0, 0.25, 0.5, 3.0], [1.0, 4.0, 0.0, 7.0]])
    assert found.least_regret == 2 and found.largest_regret[2] == 0.5
    # Pairs in the same order: 5 of 6 under the first, of which (0, 2) and (1, 2) turn around.
    assert found.agreement == {("one", "other"): pytest.approx((4 - 2) / 6)}


def test_a_design_beyond_a_limit_is_never_optimal_and_its_loss_has_no_bound() -> None:
    values = np.array([[1.0, 1.0], [2.0, 2.0]])
    broken = np.where([[True], [False]], np.nan, values)
    metric = {"one": values[:, 0], "other": broken[:, 0]}
    found = robust_designs({"one": values, "other": broken}, SENSES, metric, "minimise")
    assert found.optimal.tolist() == [[True, False], [False, True]]
    assert found.largest_regret.tolist() == [np.inf, 1.0] and found.least_regret == 1
    nothing = {"one": np.full(2, np.nan)}
    assert robust_designs({"one": np.full((2, 2), np.nan)}, SENSES, nothing, "minimise").regret.min() == np.inf


def test_more_is_better_where_a_metric_is_maximised() -> None:
    matrix = np.array([[4.0], [2.0]])
    found = robust_designs({"one": matrix}, ("maximise",), {"one": matrix[:, 0]}, "maximise")
    assert found.regret.tolist() == [[0.0, 0.5]] and found.agreement == {}
