"""In which order packages are scheduled."""

from __future__ import annotations

import numpy as np

from engines.methods.package_search.search.exhaustive import _turns


def test_the_best_by_each_objective_take_turns_within_a_layer() -> None:
    layer = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    best = np.array([[1.0, 9.0], [2.0, 8.0], [3.0, 7.0], [9.0, 1.0], [4.0, 9.0], [5.0, 8.0]])
    # Both ends of the first layer come first, then their neighbours; equal values share a place.
    assert _turns(layer, best).tolist() == [0, 1, 1, 0, 0, 0]
    assert _turns(np.zeros(3), np.array([[1.0], [1.0], [2.0]])).tolist() == [0, 0, 1]
