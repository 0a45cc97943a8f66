"""Geometry of routes, on routes that can be worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.recordings.routes import (
    EARTH_RADIUS_M,
    Route,
    headings_deg,
    mean_curvature_per_m,
    route_of,
    turns_deg,
    window_errors,
)
from tests.engines.recordings.route_error import route_error

# Three steps to the north, then three to the east, a metre and a second each.
CORNER = Route(1.0, np.array([0.0, 0, 0, 0, 1, 2, 3]), np.array([0.0, 1, 2, 3, 3, 3, 3]))


def test_headings_and_turns_of_a_corner() -> None:
    assert headings_deg(CORNER).tolist() == [0, 0, 0, 0, 90, 90, 90]
    assert turns_deg(CORNER).tolist() == [0, 0, 0, 0, 90, 0, 0]
    assert mean_curvature_per_m(CORNER) == pytest.approx(np.pi / 2 / 6)


def test_a_heading_stays_while_nothing_moves_and_turns_go_the_short_way_round() -> None:
    still = Route(1.0, np.array([0.0, 0, 0, -1]), np.array([0.0, 1, 1, 2]))
    assert headings_deg(still) == pytest.approx([0, 0, 0, 315])
    assert turns_deg(still) == pytest.approx([0, 0, 0, 45])
    assert headings_deg(Route(1.0, np.zeros(3), np.zeros(3))).tolist() == [0, 0, 0]


def test_the_error_of_a_window_is_what_the_chord_cuts_off() -> None:
    errors = window_errors(CORNER, np.array([1.0, 2.0, 6.0]))
    assert errors[2].tolist() == pytest.approx([0, 1 - np.sqrt(2) / 2, 1 - np.hypot(1, 3) / 4])
    assert errors[0].tolist() == pytest.approx([0, 0, 1 - np.hypot(3, 3) / 6])
    assert errors[-1].tolist() == [0, 0, 0]


def test_windows_may_end_between_two_places() -> None:
    # goyal-2023: 0.4 Hz is an update every 2.5 s. From (0, 2): one metre up, one and a half to the right.
    assert window_errors(CORNER, np.array([2.5]))[2, 0] == pytest.approx(1 - np.hypot(1, 1.5) / 2.5)


def test_the_route_error_of_a_corner_that_is_cut() -> None:
    # goyal-2023 eq. 3.4: one update at the begin and one at the end; 6 m of way, a chord of 4.24 m.
    nothing = np.zeros(7, bool)
    assert route_error(CORNER, nothing) == pytest.approx((6 - np.hypot(3, 3)) / 6)
    at_corner = np.arange(7) == 3
    assert route_error(CORNER, at_corner) == pytest.approx(0)
    assert route_error(CORNER, ~nothing) == pytest.approx(0)
    assert route_error(Route(1.0, np.zeros(4), np.zeros(4)), nothing[:4]) == 0


def test_degrees_become_metres_also_over_the_date_line() -> None:
    degree_m = np.radians(1) * EARTH_RADIUS_M
    route = route_of(
        {"latitude": np.array([60.0, 60.0, 60.001]), "longitude": np.array([179.9995, -179.9995, -179.9995])}, 1.0
    )
    assert route.x_m == pytest.approx([0, 0.001 * degree_m / 2, 0.001 * degree_m / 2], rel=1e-6)
    assert route.y_m == pytest.approx([0, 0, 0.001 * degree_m])


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=40), st.floats(1, 12))
def test_errors_are_shares_and_more_updates_never_err_more(steps: list[tuple[float, float]], interval: float) -> None:
    ways = np.cumsum(np.array(steps), axis=0)
    route = Route(1.0, ways[:, 0], ways[:, 1])
    errors = window_errors(route, np.array([interval]))
    assert np.all((errors >= 0) & (errors <= 1))
    few, some = np.arange(len(steps)) % 6 == 0, np.arange(len(steps)) % 3 == 0
    assert 0 <= route_error(route, some) <= route_error(route, few) + 1e-12 <= 1 + 1e-12
