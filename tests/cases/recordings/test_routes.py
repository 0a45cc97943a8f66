"""Routes that readers of other tools are reported to read wrong, judged by `expected.json`, which names the report of each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engines.recordings.gpx import read_gpx
from engines.recordings.loader import load_recording
from engines.recordings.recording import Track
from engines.recordings.routes import Route, route_of, window_errors

FOLDER = Path(__file__).parent
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


def routes_of(name: str, east_deg: float = 0.0) -> list[Route]:
    """Routes of the file at steps of a second, as many degrees further east."""
    tracks = load_recording(read_gpx((FOLDER / name).read_bytes(), name).content).tracks
    moved = [
        Track(track.title, track.times_s, {**track.columns, "longitude": track.columns["longitude"] + east_deg})
        for track in tracks
    ]
    return [route_of(track.resampled(1.0).columns, 1.0) for track in moved]


@pytest.mark.parametrize("name", [name for name, want in EXPECTED.items() if want["kind"] == "route_m"])
def test_a_route_has_its_length(name: str) -> None:
    # The lengths are those of a sphere, which is 0.5 % off at most.
    assert sum(float(route.way_m[-1]) for route in routes_of(name)) == pytest.approx(EXPECTED[name]["right"], rel=0.005)


def test_a_route_over_the_date_line_has_the_errors_that_it_has_elsewhere() -> None:
    (here,), (elsewhere,) = routes_of("dateline_winding.gpx"), routes_of("dateline_winding.gpx", -170.0)
    errors = window_errors(here, np.array([10.0]))
    assert errors == pytest.approx(window_errors(elsewhere, np.array([10.0])), abs=1e-9) and errors.mean() > 0


def test_what_is_left_out_is_said_and_a_leap_second_is_read() -> None:
    name = "null_island.gpx"
    (note,) = read_gpx((FOLDER / name).read_bytes(), name).report["notes"]
    assert "latitude 0, longitude 0" in note
    name = "leap_second.gpx"
    assert read_gpx((FOLDER / name).read_bytes(), name).report["rows"] in EXPECTED[name]["right"]
