"""Gaps and impossible fixes, on tracks that can be worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.recordings.pieces import impossible_fixes, pieces


@pytest.mark.parametrize(
    ("times", "right"),
    [
        ([], ([], 0, 0)),
        ([0, 1, 2], ([slice(0, 3)], 0, 0)),
        ([0, 30, 60], ([slice(0, 3)], 0, 0)),
        ([0, 1, 40, 41, 100], ([slice(0, 2), slice(2, 4)], 2, 1)),
        ([0], ([], 0, 1)),
    ],
)
def test_times_are_cut_at_gaps(times: list[float], right: tuple[list[slice], int, int]) -> None:
    assert pieces(np.array(times, float), 30.0, 2) == right


def wrong_of(*places: tuple[float, float], step_s: float = 1.0) -> list[int]:
    """Numbers of the impossible fixes of places (latitude, longitude) at equal steps of time."""
    latitude, longitude = np.array(places, float).T
    return np.flatnonzero(
        impossible_fixes(np.arange(len(places), dtype=np.float64) * step_s, latitude, longitude)
    ).tolist()


HERE, NEXT, FAR = (47.0, 8.0), (47.0001, 8.0), (47.1, 8.0)  # steps of 11 m and of 11 km


@pytest.mark.parametrize("where", [0, 3, 6])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("place", [(0.0, 0.0), (-0.0, 0.0), FAR, (47.0, -172.0)])
def test_a_jump_and_its_way_back_are_left_out(place: tuple[float, float], count: int, where: int) -> None:
    track = [HERE, NEXT] * 3
    track[where:where] = [place] * count
    assert wrong_of(*track) == list(range(where, where + count))


def test_zero_is_a_place_only_near_other_fixes() -> None:
    assert wrong_of((0, 0), (0.001, 0), (0.002, 0)) == []
    assert wrong_of((0, 359.999), (0, 0), (0, 0.001)) == []
    assert wrong_of((0, 0), (0, 0)) == []
    # After a night anything is within reach of 400 m/s.
    assert wrong_of(HERE, NEXT, (0, 0), NEXT, step_s=40_000) == [2]


def test_fast_and_scattered_fixes_are_kept() -> None:
    airliner = [(50.0 + 0.0033 * second, 8.0) for second in range(9)]  # 367 m/s
    assert wrong_of(*airliner) == []
    assert wrong_of(HERE, (47.0008, 8.0), HERE, step_s=0.01) == []  # 89 m beside, a hundredth of a second later
    assert wrong_of((0.5, 179.9999), (0.5, -179.9999), (0.5, 180.0001)) == []
    rocket = [(50.0 + 0.009 * second, 8.0) for second in range(4)]  # 1 km/s
    assert len(wrong_of(*rocket)) == 3


def test_the_smaller_part_goes_where_a_track_does_not_come_back() -> None:
    assert wrong_of(FAR, FAR, HERE, NEXT, HERE) == [0, 1]
    assert wrong_of(HERE, NEXT, HERE, FAR, FAR) == [3, 4]
    assert impossible_fixes(np.empty(0), np.empty(0), np.empty(0)).size == 0
