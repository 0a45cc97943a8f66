"""Improvements of hypervolume by hand, and which candidate they choose."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.eexnas.improvement import chosen, improvements


def test_volumes_by_hand() -> None:
    known = np.array([[0.5, 0.5], [0.2, 0.8], [0.1, 0.1]])
    offered = np.array([[0.6, 0.6], [0.4, 0.4], [1.0, 0.1], [0.3, 0.9], [0.0, 1.0]])
    # 0.36 less 0.25 and the strip of the second point above it; dominated; 0.1 x 0.5; and so on.
    assert improvements(known, offered) == pytest.approx(
        [0.36 - 0.25 - 0.2 * 0.1, 0.0, 0.05, 0.27 - 0.15 - 0.2 * 0.3, 0.0]
    )


def test_the_improvement_in_four_dimensions_is_the_difference_of_volumes() -> None:
    import moocore

    random = np.random.default_rng(3)
    known, offered = random.random((12, 4)), random.random((6, 4))
    zero = np.zeros(4)
    before = moocore.hypervolume(known, ref=zero, maximise=True)
    expected = [moocore.hypervolume(np.vstack([known, each]), ref=zero, maximise=True) - before for each in offered]
    assert improvements(known, offered) == pytest.approx(expected, abs=1e-12)


def test_a_place_that_widens_the_front_is_chosen() -> None:
    random = np.random.default_rng(1)
    known, candidates = random.random((30, 1)), np.linspace(0, 1, 21)[:, None]
    known = known[np.abs(known[:, 0] - 0.5) > 0.15]

    def values(x: np.ndarray) -> np.ndarray:
        return np.column_stack([np.exp(-20 * (x[:, 0] - 0.5) ** 2), np.full(len(x), 0.5)])

    row = chosen(known, values(known), candidates, np.array([0.5, 0.5]), random)
    assert abs(candidates[row, 0] - 0.5) < 0.2
