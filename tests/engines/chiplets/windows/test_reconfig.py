from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chiplets.windows.reconfig import (
    assign_windows,
    expected_layer_edp_js,
    expected_layer_energy_j,
    expected_layer_latency_s,
    pack_layers,
    window_boundaries_s,
)
from tests.engines.chiplets.cases import tables


def test_expected_latency_by_hand() -> None:
    # Columns N S N: two thirds NVDLA. 2/3 x 3 + 1/3 x 6 = 4; 2/3 x 6 + 1/3 x 3 = 5; times a batch of 2.
    built = tables({"a": [[3, 6], [6, 3]]}, batch=2)
    np.testing.assert_allclose(expected_layer_latency_s(built, built.models[0]), [8, 10])
    np.testing.assert_allclose(expected_layer_energy_j(built, built.models[0]), [8, 10])
    # (2/3 x 3 x 3 + 1/3 x 6 x 6) x 2 x 2 = 72; (2/3 x 36 + 1/3 x 9) x 4 = 108.
    np.testing.assert_allclose(expected_layer_edp_js(built, built.models[0]), [72, 108])


def test_boundaries_are_equally_spaced_and_the_last_window_is_open() -> None:
    np.testing.assert_allclose(window_boundaries_s(10.0, 4), [2, 4, 6, 8])
    assert len(window_boundaries_s(10.0, 0)) == 0


def test_algorithm_1_by_hand() -> None:
    # Boundaries 4, 8. 3 fits (1 left); 2 does not: deferred, starts at 4; 2 fits up to 8; 1 deferred to the open window.
    assert pack_layers([3, 2, 2, 1, 9], [4, 8]) == [[0], [1, 2], [3, 4]]


def test_a_layer_longer_than_a_window_skips_windows() -> None:
    assert pack_layers([1, 9, 1], [4, 8]) == [[0], [], [1, 2]]


def test_a_layer_that_ends_on_the_boundary_fits() -> None:
    assert pack_layers([2, 2, 1], [4]) == [[0, 1], [2]]


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=40), st.integers(0, 8))
def test_windows_partition_the_layers_in_order(latencies: list[float], n_splits: int) -> None:
    windows = pack_layers(latencies, window_boundaries_s(sum(latencies), n_splits).tolist())
    assert len(windows) == n_splits + 1
    assert [layer for window in windows for layer in window] == list(range(len(latencies)))


@given(
    st.lists(st.lists(st.floats(0.1, 10), min_size=1, max_size=12), min_size=1, max_size=4),
    st.integers(0, 8),
)
def test_every_model_is_covered_and_no_window_is_empty(models: list[list[float]], n_splits: int) -> None:
    built = tables({f"m{i}": [seconds, seconds] for i, seconds in enumerate(models)})
    reached = [0] * len(models)
    for window in assign_windows(built, n_splits):
        assert window
        for ranges in window:
            assert ranges.first == reached[ranges.model] < ranges.end
            reached[ranges.model] = ranges.end
    assert reached == [len(seconds) for seconds in models]


def test_the_horizon_is_the_slowest_model() -> None:
    built = tables({"slow": [[4] * 4, [4] * 4], "quick": [[1] * 4, [1] * 4]})
    windows = assign_windows(built, 3)  # boundaries at 4, 8, 12
    assert [[(r.model, r.first, r.end) for r in window] for window in windows] == [
        [(0, 0, 1), (1, 0, 4)], [(0, 1, 2)], [(0, 2, 3)], [(0, 3, 4)],
    ]  # fmt: skip


def test_one_window_without_boundaries() -> None:
    built = tables({"a": [[1, 2], [1, 2]]})
    assert len(assign_windows(built, 0)) == 1


@pytest.mark.parametrize("n_splits", [0, 1, 8])
def test_no_more_windows_than_asked_for(n_splits: int) -> None:
    built = tables({"a": [[1] * 30, [1] * 30]})
    assert len(assign_windows(built, n_splits)) <= n_splits + 1
