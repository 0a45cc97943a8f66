from __future__ import annotations

import time

import pytest

from engines.contract.errors import ProblemError
from engines.recordings.csv_file import read_csv
from engines.recordings.loader import load_recording


def test_timestamps_without_a_zone_do_not_depend_on_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "timestamp,power_w\n2026-03-29T01:30:00,1\n2026-03-29T03:30:00,1\n"  # 2 o'clock was left out in Zurich
    for zone in ("Europe/Zurich", "UTC"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        recording = load_recording(read_csv(text.encode(), "night.csv").content)
        assert recording.tracks[0].times_s.tolist() == [0, 7200]
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "steps_s"),
    [
        ("date,time,power_w\n2026-05-01,10:00:00,1\n2026-05-02,12:00:00,2\n", [0, 26 * 3600]),
        ("Time;Date;power_w\n10:00:00,5;01.05.2026;1\n10:00:01;01.05.2026;2\n", [0, 0.5]),
        ("time,power_w\n2026-05-01 10:00:00 +0200,1\n2026-05-01 10:00:00 +0100,2\n", [0, 3600]),
    ],
)
def test_days_times_and_zones_with_blanks_between_are_read_together(text: str, steps_s: list[float]) -> None:
    assert read_csv(text.encode(), "mine.csv").content["tracks"][0]["times_s"] == steps_s


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("time,power,share\ns,W,%\n0,1,2\n1,2,3\n", ["power: W", "share: %, read as 0.01 share"]),
        ("Time,Channel A\n(ms),(mV)\n\n0,1\n1,2\n", ["channel_a: mV, read as 0.001 V"]),
    ],
)
def test_units_may_stand_below_the_names(text: str, columns: list[str]) -> None:
    assert read_csv(text.encode(), "mine.csv").report["columns"][1:] == columns


@pytest.mark.parametrize(
    ("text", "line", "field", "accepted"),
    [
        ("time_s,power_w\n0,1\n1,nan\n", 3, "column 2 (power_w)", "finite"),
        ("time_s,power_w\n0,1\n1,\n", 3, "column 2 (power_w)", "a number"),
        ('time_s,power_w\n0,1.5\n1,"1,5"\n', 3, "column 2 (power_w)", "a decimal point"),
        ('time_s,power_w\n0,1\n1,"1,500"\n', 3, "column 2 (power_w)", "thousands"),
        ("time_s;power_w\n0;1.234,5\n1;1\n", 2, "column 2 (power_w)", "thousands"),
        ("time_s;power_w;v_v\n0;1,5;2\n1;1,5;2.5\n", 3, "column 3 (v_v)", "a decimal comma"),
        ("time_s,power_w\n0,0,1,5\n", 2, "row", "quotes"),
        ("time_s,power_w\n0,1_0\n1,1\n", 2, "column 2 (power_w)", "a number"),
        ("time_s,rate_MBPS\n0,1\n1,1\n", 1, "column 2", "B is a byte"),
        ("time_s,wind_speed_ms\n0,1\n1,1\n", 1, "column 2", "wind_speed [m/s]"),
        ("time_s,charge_c\n0,1\n1,1\n", 1, "column 2", "charge [Ah]"),
        ("date,power_w\n05/06/2026 10:00,1\n05/07/2026 10:00,1\n", 2, "column 1 (date)", "2026-05-01"),
        ("time,power_w\n0.5,1\n1.5,1\n", 2, "column 1 (time)", "Name the unit"),
        ("time_s,power_w\n1764000000000,1\n1764000001000,1\n", 2, "column 1 (time_s)", "is in ms"),
        ("timestamp,power_w\n1764000001,1\n1764000001,1\n", 3, "column 1 (timestamp)", "later than 1764000001,"),
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
        ("time,power_w\n2026-05-01T10:00Z,1\n2026-05-01T10:01,1\n", 3, "column 1 (time)", "with a zone"),
        ("time,power_w\n01.05.2026 10:00,1\n01.05.2026 10:01Z,1\n", 3, "column 1 (time)", "without a zone"),
        ("time,power_w\n2026-10-25 02:59,1\n2026-10-25 02:00,1\n", 3, "column 1 (time)", "where summer time ends"),
        ("time_s,rate_mib_s\n0,1\n1,1\n", 1, "column 2", "B is a byte"),
        ("time_s,p\ns,W\n0,1\n1,x\n", 4, "column 2 (p [W])", "a number"),
    ],
)
def test_it_names_line_and_column(text: str, line: int, field: str, accepted: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_csv(text.encode(), "mine.csv")
    assert (caught.value.line, caught.value.field) == (line, field)
    assert accepted in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"a", b"time_s,power_w\n", b"time_s,power_w\n1,2\n", b'time_s,"p']
)
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(ProblemError):
        read_csv(data, "mine.csv")
