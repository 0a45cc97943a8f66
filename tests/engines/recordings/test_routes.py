"""Geometry of routes, on routes that can be worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.recordings.recording import Track
from engines.recordings.routes import (
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


A, B = 6_378_137.0, 6_356_752.314245  # axes of WGS84, in metres


def geodesic_m(latitudes: np.ndarray, longitudes: np.ndarray, apart: int = 1) -> np.ndarray:
    """Distances from each place to the next one, or to one further on, by the inverse formula of Vincenty (1975)."""
    flat = 1 - B / A
    reduced = np.arctan((1 - flat) * np.tan(np.radians(latitudes)))
    one, two = reduced[:-apart], reduced[apart:]
    sin1, sin2, cos1, cos2 = np.sin(one), np.sin(two), np.cos(one), np.cos(two)
    wanted = np.radians((longitudes[apart:] - longitudes[:-apart] + 180) % 360 - 180)
    on_sphere = wanted
    for _ in range(50):
        sin_sigma = np.hypot(cos2 * np.sin(on_sphere), cos1 * sin2 - sin1 * cos2 * np.cos(on_sphere))
        cos_sigma = sin1 * sin2 + cos1 * cos2 * np.cos(on_sphere)
        sigma = np.arctan2(sin_sigma, cos_sigma)
        sin_alpha = cos1 * cos2 * np.sin(on_sphere) / np.maximum(sin_sigma, 1e-300)
        cos2_alpha = 1 - sin_alpha**2
        middle = np.where(cos2_alpha > 1e-12, cos_sigma - 2 * sin1 * sin2 / np.maximum(cos2_alpha, 1e-12), 0.0)
        c = flat / 16 * cos2_alpha * (4 + flat * (4 - 3 * cos2_alpha))
        series = sigma + c * sin_sigma * (middle + c * cos_sigma * (2 * middle**2 - 1))
        on_sphere = wanted + (1 - c) * flat * sin_alpha * series
    u2 = cos2_alpha * (A**2 - B**2) / B**2
    k = (np.sqrt(1 + u2) - 1) / (np.sqrt(1 + u2) + 1)
    big_a, big_b = (1 + k**2 / 4) / (1 - k), k * (1 - 3 / 8 * k**2)
    inner = cos_sigma * (2 * middle**2 - 1) - big_b / 6 * middle * (4 * sin_sigma**2 - 3) * (4 * middle**2 - 3)
    return np.asarray(B * big_a * (sigma - big_b * sin_sigma * (middle + big_b / 4 * inner)))


def test_the_geodesic_of_these_tests_is_right() -> None:
    # Both quarters of the ellipsoid: along the equator a pi / 2, and the meridian's 10,001,965.729 m.
    assert geodesic_m(np.array([0.0, 0.0]), np.array([-45.0, 45.0])) == pytest.approx(A * np.pi / 2, rel=1e-9)
    assert geodesic_m(np.array([0.0, 90.0]), np.array([3.0, 3.0])) == pytest.approx(10_001_965.729, abs=0.001)


@pytest.mark.parametrize("step_m", [3.0, 3000.0])
@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        *((0, 0), (0, 180), (0.00001, 359.9999), (10, -180), (-20, 179.99), (-35, 0.0), (35, 10), (47, 8.5), (60, 0)),
        *((60, 180), (-60, -179.9999), (70, 25), (78, 15), (85, 180), (-85, 90), (89, -0.001), (-89, 180)),
        *((89.9995, 0), (-89.9999, 77), (90, 0)),
    ],
)
def test_lengths_turns_and_chords_are_those_of_geodesics(latitude: float, longitude: float, step_m: float) -> None:
    # Winding steps to all sides, drawn as east and north around the first place by vectors, so that poles are no obstacle.
    random = np.random.default_rng(7)
    angle = np.cumsum(random.uniform(-0.6, 0.6, 60))
    way = np.cumsum(np.stack((np.sin(angle), np.cos(angle)), axis=1) * step_m / 6_371_000, axis=0)
    phi, lam = np.radians(latitude), np.radians(longitude)
    east = np.array([-np.sin(lam), np.cos(lam), 0])
    up = np.array([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    x, y, z = (up + way[:, :1] * east + way[:, 1:] * np.cross(up, east)).T
    latitudes, longitudes = np.degrees(np.arctan2(z, np.hypot(x, y))), np.degrees(np.arctan2(y, x))

    route = route_of({"latitude": latitudes, "longitude": longitudes}, 1.0)
    assert np.diff(route.way_m) == pytest.approx(geodesic_m(latitudes, longitudes), rel=1e-4)
    for apart in (5, 20):
        chords = np.hypot(route.x_m[apart:] - route.x_m[:-apart], route.y_m[apart:] - route.y_m[:-apart])
        assert chords == pytest.approx(geodesic_m(latitudes, longitudes, apart), rel=1e-4)
    assert np.radians(turns_deg(route)[2:]) == pytest.approx(np.abs(np.diff(angle)[1:]), abs=0.007)  # flat by 1/298

    moved = route_of({"latitude": latitudes, "longitude": longitudes % 360}, 1.0)
    assert moved.x_m == pytest.approx(route.x_m, abs=1e-6) and moved.y_m == pytest.approx(route.y_m, abs=1e-6)


def test_an_eastward_leg_far_north_of_the_start_is_right() -> None:
    latitudes = np.array([60.0, 60.09, 60.09])
    longitudes = np.array([10.0, 10.0, 10.18])
    route = route_of({"latitude": latitudes, "longitude": longitudes}, 1.0)
    # 0.18 degrees of the parallel at 60.09 degrees; the geodesic is a millimetre shorter.
    sine = np.sin(np.radians(60.09))
    parallel_m = A / np.sqrt(1 - (1 - (B / A) ** 2) * sine**2) * np.sqrt(1 - sine**2) * np.radians(0.18)
    assert route.way_m[2] - route.way_m[1] == pytest.approx(parallel_m, abs=0.01)
    assert headings_deg(route)[1:] == pytest.approx([0, 90 + 0.09 * sine], abs=0.001)  # it arrives southwards


def test_a_ring_around_a_pole_is_a_ring() -> None:
    around = np.linspace(0, 360, 121)
    for pole in (1, -1):
        ring = {"latitude": np.full(121, pole * (90 - np.degrees(11 / (A**2 / B)))), "longitude": around}
        route = route_of(ring, 1.0)
        assert route.way_m[-1] == pytest.approx(2 * np.pi * 11, rel=2e-4)
        assert np.hypot(route.x_m[-1], route.y_m[-1]) < 0.01 and np.ptp(route.x_m) == pytest.approx(22, rel=1e-3)
        assert turns_deg(route).sum() == pytest.approx(360 - 3, abs=0.1)
        # Eastward all the way: a straight step over 3 degrees of longitude arrives half of them beside.
        assert headings_deg(route)[1:] == pytest.approx(90 + pole * 1.5)


def test_over_a_pole_and_over_the_date_line_a_track_goes_straight() -> None:
    over = Track("over", np.array([0.0, 4.0]), {"latitude": np.full(2, 89.9999), "longitude": np.array([20.0, -160.0])})
    way = route_of(over.resampled(1.0).columns, 1.0)
    assert way.way_m[-1] == pytest.approx(2 * np.radians(0.0001) * A**2 / B) and turns_deg(way).max() < 1e-6
    for ends in ((179.9998, -179.9998), (179.9998, 180.0002), (359.9998, 0.0002), (-0.0002, 0.0002)):
        line = Track("line", np.array([0.0, 4.0]), {"latitude": np.zeros(2), "longitude": np.array(ends)})
        places = line.resampled(1.0).columns
        assert np.diff(places["longitude"]) == pytest.approx(0.0001)
        assert route_of(places, 1.0).way_m[-1] == pytest.approx(0.0004 * np.radians(1) * A)


def test_signals_and_errors_of_a_route_do_not_depend_on_its_longitude() -> None:
    seconds = np.array([0, 1, 2, 4, 5, 7.5, 8, 11, 12])
    turning = np.cumsum(np.where(np.arange(9) % 3, 1e-4, -5e-5))
    routes = []
    for begin in (10.0, 179.9999, -179.9999, 359.9999, 0.00001):
        longitudes = (begin + turning + 180) % 360 - 180 if begin < 200 else (begin + turning) % 360
        track = Track("one", seconds, {"latitude": 47 + 1e-4 * np.sin(seconds), "longitude": longitudes})
        routes.append(route_of(track.resampled(1.0).columns, 1.0))
    for route in routes[1:]:
        assert window_errors(route, np.array([3.0, 10.0])) == pytest.approx(
            window_errors(routes[0], np.array([3.0, 10.0])), abs=1e-6
        )
        assert headings_deg(route) == pytest.approx(headings_deg(routes[0]), abs=1e-3)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=40), st.floats(1, 12))
def test_errors_are_shares_and_more_updates_never_err_more(steps: list[tuple[float, float]], interval: float) -> None:
    ways = np.cumsum(np.array(steps), axis=0)
    route = Route(1.0, ways[:, 0], ways[:, 1])
    errors = window_errors(route, np.array([interval]))
    assert np.all((errors >= 0) & (errors <= 1))
    few, some = np.arange(len(steps)) % 6 == 0, np.arange(len(steps)) % 3 == 0
    assert 0 <= route_error(route, some) <= route_error(route, few) + 1e-12 <= 1 + 1e-12
