"""CSV files of series, routes and budgets; what is wrong is told with line and column."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.recordings.csv_file import read_csv
from engines.recordings.loader import load_recording
from hardware.environment.loader import load_environment


def test_columns_become_a_recording_in_base_units() -> None:
    found = read_csv(b"# meter 7\ntime [min];power_mw;battery (%)\n1;200;100\n2.5;150;99\n", "Run one.csv")
    recording = load_recording(found.content)
    track = recording.tracks[0]
    assert (
        recording.slug == "run-one"
        and recording.measures == "battery"
        and recording.units == {"power": "W", "battery": "share"}
    )
    assert track.times_s.tolist() == [0, 90]
    assert track.columns["power"] == pytest.approx([0.2, 0.15])
    assert track.columns["battery"] == pytest.approx([1, 0.99])
    assert found.report["rows"] == 2 and not recording.synthetic


def test_a_track_column_parts_routes_and_timestamps_are_read() -> None:
    text = "track,timestamp,latitude_deg,longitude_deg\n" + "".join(
        f"{track},2026-05-01T10:00:0{second}Z,47.0,8.000{second}\n" for track in ("a", "b") for second in range(3)
    )
    recording = load_recording(read_csv(text.encode(), "routes.csv").content)
    assert [track.title for track in recording.tracks] == ["a", "b"] and recording.measures == "route"
    assert recording.tracks[1].times_s.tolist() == [0, 1, 2]


def test_a_budget_becomes_an_environment() -> None:
    found = read_csv(b"time_h,power_budget_w,air_degC\n0,12,20\n0.5,32,21\n1,12,20\n", "flight.csv")
    environment = load_environment(found.content)
    assert environment.duration_s == 5400
    assert environment.profiles["power_budget"].at([0, 1800, 3600]).tolist() == [12, 32, 12]


def test_a_measured_day_of_a_second_each_is_read() -> None:
    rows = "".join(f"{second},{0.5 + second % 7 / 10:.1f}\n" for second in range(20_000))
    recording = load_recording(read_csv(f"time_s,power_w\n{rows}".encode(), "day.csv").content)
    assert np.all(np.diff(recording.tracks[0].times_s) == 1)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(ProblemError):
        assert read_csv(b"time_s,power_w\n" + data, "mine.csv").content["slug"] == "mine"


def averaged(times: list[float]) -> tuple[list[int], str]:
    """Points of each track of a recording, and the note on means."""
    data = "time_s,power_w\n" + "".join(f"{time:.6f},{number % 7}\n" for number, time in enumerate(times))
    found = read_csv(data.encode(), "a.csv")
    return [len(track["times_s"]) for track in found.content["tracks"]], found.report["notes"][-1]


def test_means_fit_whatever_the_window_rounds_to() -> None:
    # 894 s in 60,000 values of 14.9 ms: a window of 12 ms would make 74,500.
    (points,), note = averaged([number * 0.01278 for number in range(70_000)])
    assert 50_000 < points <= 60_000 and "mean over at most 15 ms" in note


def test_a_short_track_beside_a_long_one_is_averaged_over_less() -> None:
    points, _ = averaged([*(number * 0.02 for number in range(70_000)), 2000, 2000.001, 2000.002])
    assert points[0] <= 60_000 and points[1:] == [3]


def test_rows_of_tracks_may_take_turns() -> None:
    found = read_csv(b"track,time_s,power_w\nb,0,1\na,5,2\nb,1,3\na,6,4\n", "a.csv")
    assert [(track["title"], track["columns"]["power"]) for track in found.content["tracks"]] == [
        ("b", [1, 3]),
        ("a", [2, 4]),
    ]
