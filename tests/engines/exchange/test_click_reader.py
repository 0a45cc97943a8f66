import contextlib

import pytest

from engines.contract.errors import ProblemError
from engines.data.click_log import click_log_sample, load_click_log
from engines.exchange.click_reader import read_csv
from engines.recordings.loader import load_recording
from engines.running.runner.readers import get_reader
from tests.engines.data.test_click_log import criteo, ratings
from tests.support.mutations import mutations


def test_files_become_documents() -> None:
    read = read_csv("\n".join(criteo()).encode(), "sample of a day.tsv")
    assert read.content["slug"] == "sample-of-a-day" and len(load_click_log(read.content).labels) == 60
    assert get_reader("table") is read_csv
    assert read_csv("\n".join(ratings()).encode(), "r.csv").content["format"] == "ratings"
    assert read_csv(b"time_s,power_w\n0,1\n1,2\n", "r.csv").content["schema"] == "recording/1"


def test_of_a_long_file_the_first_lines_are_kept_and_a_note_says_so() -> None:
    head, *lines = ratings()
    read = read_csv("\n".join([head, *lines * 2000]).encode(), "r.csv", {"name": "Long"})
    assert read.content["title"] == "Long" and len(read.content["rows"].encode()) <= 1_800_000
    kept, whole = read.content["rows"].count("\n") + 1, 1 + 2000 * len(lines)
    assert read.report["notes"] == [f"The first {kept} of {whole} lines are kept: a document holds no more."]


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(ProblemError, match="text in UTF-8"):
        read_csv(b"\xff\xfe\x00", "a.tsv")


def test_logs_of_tegrastats_are_powers_over_time() -> None:
    line = "RAM 5000/31920MB (lfb 6x4MB) CPU [5%@2265,off] GR3D_FREQ 99%@[0,1377] GPU {}/4000 VDDRQ 900/900"
    plain = read_csv("\n".join(line.format(1000 + 100 * n) for n in range(12)).encode(), "t.log")
    track = load_recording(plain.content).tracks[0]
    assert track.times_s.tolist() == list(range(12)) and track.columns["gpu"] == pytest.approx(
        [1 + n / 10 for n in range(12)]
    )
    assert any("one line per second" in note for note in plain.report["notes"])
    stamped = "\n".join(f"11-24-2026 10:00:{5 * n:02d} {line.format(1000)}" for n in range(12))
    times_s = load_recording(read_csv(stamped.encode(), "t.log").content).tracks[0].times_s
    assert times_s.tolist() == [5 * n for n in range(12)]


@pytest.mark.parametrize(
    "head",
    [
        "userId,movieId,rating,timestamp",
        '"user";"item";"rating";"timestamp"',
        "reviewerID\tasin\toverall\tunixReviewTime",
    ],
)
def test_ratings_are_known_by_the_names_of_public_data_sets(head: str) -> None:
    separator = next(sign for sign in ",;\t" if sign in head)
    rows = [separator.join((f'"u{n % 6}"', str(n % 10), str(n % 5 + 1), str(1_700_000_000 + n))) for n in range(60)]
    log = load_click_log(read_csv("\n".join(["# from a shop", head, *rows]).encode(), "r.csv").content)
    assert log.labels.mean() == pytest.approx(0.4) and log.tables[1].entries == 11


def test_a_stored_log_keeps_its_ratings_out_of_ten() -> None:
    rows = [f"u{n % 6},{n % 10},{n % 10 + 1},{n}" for n in range(60)]
    stored = {**click_log_sample(), "rows": "\n".join(["user,item,rating,timestamp", *rows])}
    assert load_click_log(stored).labels.mean() == pytest.approx(0.7)


def test_ratings_out_of_ten_are_asked_about() -> None:
    rows = [f"u{n % 6},{n % 10},{n % 10 + 1},{n}" for n in range(60)]
    with pytest.raises(ProblemError, match="from 0 to 5"):
        read_csv("\n".join(["user,item,rating,timestamp", *rows]).encode(), "r.csv")


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Timestamp(ms),Current(uA)", "uA"), ("#time,current,voltage,power,charge,energy", "A"),
        ("Timestamp (s);Main current (A)", "A"),
        ("time_ms,bus_voltage_V,shunt_voltage_mV,current_mA", "mA"), ("Timestamp(ms),Current(uA),D0-D7,D0,D1", "uA"),
    ],
)  # fmt: skip
def test_exports_of_power_meters_are_read(head: str, unit: str) -> None:
    separator = ";" if ";" in head else ","
    count = head.count(separator)
    rows = [separator.join([str(n), *["1"] * count]) for n in range(20)]
    units = read_csv("\n".join([head, *rows]).encode(), "m.csv").content["units"]
    assert unit in [symbol for name, symbol in units.items() if "current" in name]


@pytest.mark.long
def test_damaged_tables_are_read_or_refused() -> None:
    """Two thousand files of each kind, with bytes changed, cut or repeated."""
    row = "RAM 5000/31920MB (lfb 6x4MB) CPU [5%@2265,off] GR3D_FREQ 99%@[0,1377] GPU {}/4000 VDDRQ 900/900"
    files = {
        "series.csv": "time_s;power_mw;state\n" + "".join(f"{n};{n % 7},5;on\n" for n in range(60)),
        "route.csv": "timestamp,latitude_deg,longitude_deg\n"
        + "".join(f"2026-05-01T10:00:{n:02d}Z,47.{n:04d},8.5\n" for n in range(60)),
        "ratings.csv": "\n".join(ratings()),
        "criteo.tsv": "\n".join(criteo()),
        "tegrastats.log": "\n".join(row.format(1000 + n) for n in range(60)),
        "budget.csv": "time_h,power_budget_w\n" + "".join(f"{n},{n % 9}\n" for n in range(60)),
    }
    for name, text in files.items():
        read = 0
        for damaged in mutations(text.encode(), 2000, 5):
            with contextlib.suppress(ProblemError):
                read += bool(read_csv(damaged, name).content)
        assert 0 < read < 2000, name
