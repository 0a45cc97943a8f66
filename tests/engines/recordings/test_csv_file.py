"""CSV files of series, routes and budgets; what is wrong is told with line and column."""

from __future__ import annotations

import contextlib
import time

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
        f"{track},2026-05-01T10:00:0{second}Z,47.0,8.{second}\n" for track in ("a", "b") for second in range(3)
    )
    recording = load_recording(read_csv(text.encode(), "routes.csv").content)
    assert [track.title for track in recording.tracks] == ["a", "b"] and recording.measures == "route"
    assert recording.tracks[1].times_s.tolist() == [0, 1, 2]


def test_timestamps_without_a_zone_do_not_depend_on_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "timestamp,power_w\n2026-03-29T01:30:00,1\n2026-03-29T03:30:00,1\n"  # 2 o'clock was left out in Zurich
    for zone in ("Europe/Zurich", "UTC"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        recording = load_recording(read_csv(text.encode(), "night.csv").content)
        assert recording.tracks[0].times_s.tolist() == [0, 7200]
    monkeypatch.undo()
    time.tzset()


def test_a_budget_becomes_an_environment() -> None:
    found = read_csv(b"time_h,power_budget_w,air_degC\n0,12,20\n0.5,32,21\n1,12,20\n", "flight.csv")
    environment = load_environment(found.content)
    assert environment.duration_s == 5400
    assert environment.profiles["power_budget"].at([0, 1800, 3600]).tolist() == [12, 32, 12]


@pytest.mark.parametrize(
    ("text", "line", "field", "accepted"),
    [
        ("time_s,power_w\n0,1\n1,nan\n", 3, "column 2 (power_w)", "finite"),
        ("time_s,power_w\n0,1\n1,\n", 3, "column 2 (power_w)", "a number"),
        ('time_s,power_w\n0,1\n1,"1,5"\n', 3, "column 2 (power_w)", "with a point"),
        ("time_s,power_w\n0,1\n1,-2\n", 3, "column 2 (power_w)", "from 0"),
        ("time_s,power\n0,1\n", 1, "column 2", "a name with a unit"),
        ("time_s,power_hp\n0,1\n", 1, "column 2", "mW"),
        ("time_s,battery_share\n0,0.9\n1,90\n", 3, "column 2 (battery_share)", "is it in %?"),
        ("time_s,battery (%)\n0,90\n1,101\n", 3, "column 2 (battery (%))", "100"),
        ("time_s,latitude_deg,longitude_deg\n0,91,8\n1,47,8\n", 2, "column 2 (latitude_deg)", "-90 to 90"),
        ("time_s,power_w\n\n0,1\n0,1\n", 4, "column 1 (time_s)", "later than 0 s"),
        ("time_s,power_w\n2,1\n1,1\n", 3, "column 1 (time_s)", "later than 2 s"),
        ("time_s,power_w\n0,1\n1\n", 3, "row", "2 values"),
        ("power_w,volt_v\n0,1\n", 1, "head", "time_s"),
        ("time_s,power_w,power_mw\n0,1,1\n", 1, "column 2", "no other column"),
        ("time,power_w\n10 o'clock,1\n", 2, "column 1 (time)", "2026-05-01T10:00:00"),
    ],
)
def test_it_names_line_and_column(text: str, line: int, field: str, accepted: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_csv(text.encode(), "mine.csv")
    assert (caught.value.line, caught.value.field) == (line, field)
    assert accepted in caught.value.accepted


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"a", b"time_s,power_w\n", b"time_s,power_w\n1,2\n", b'time_s,"p']
)
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(ProblemError):
        read_csv(data, "mine.csv")


def test_a_measured_day_of_a_second_each_is_read() -> None:
    rows = "".join(f"{second},{0.5 + second % 7 / 10:.1f}\n" for second in range(20_000))
    recording = load_recording(read_csv(f"time_s,power_w\n{rows}".encode(), "day.csv").content)
    assert np.all(np.diff(recording.tracks[0].times_s) == 1)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(ProblemError):
        assert read_csv(b"time_s,power_w\n" + data, "mine.csv").content["slug"] == "mine"
