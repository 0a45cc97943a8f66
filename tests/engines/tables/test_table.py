"""Tables as programs of all kinds write them."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.tables.cells import Decimals, Numbers, Texts
from engines.tables.moments import Moments
from engines.tables.table import Table

ROWS = [["time_s", "power_w", "state"], ["0", "1.5", "idle"], ["1", "2.5", "run"]]


def numbers(data: bytes, *columns: int) -> list[list[float]]:
    table, decimals = Table(data, "t.csv", 41), Decimals()
    read = table.read({column: Numbers(decimals) for column in columns})
    return [read[column].tolist() for column in columns]


def written(separator: str = ",", end: str = "\n", head: str = "", comma: bool = False) -> str:
    text = head + "".join(separator.join(row) + end for row in ROWS)
    return text.replace(".", ",") if comma else text


@pytest.mark.parametrize(
    "data",
    [
        written().encode(),
        written().encode("utf-8-sig"),
        written().encode("utf-16"),
        written().encode("utf-16-le"),
        written().encode("utf-16-be"),
        written().encode("utf-32"),
        written(";", "\r\n").encode(),
        written("\t", "\r").encode(),
        written("|").encode(),
        written(" ").encode(),
        written("   ").encode(),
        written(", ").encode(),
        written(";", comma=True).encode(),
        written("\t", comma=True).encode(),
        written('","').replace("\n", '"\n"')[:-1].join(['"', ""]).encode(),
        written(head="sep=,\n").encode(),
        written(head="# meter 7\n\n# of mine\n").encode(),
        written(head="Device;7\n").replace(",", ";").encode(),
        ("#" + written()).encode(),
        (written() + ",,\n\n# end\n").encode(),
        written().replace("idle", "größer").encode("cp1252"),
        written().replace("1.5", "+1.5").replace("2.5", " 2.5e0 ").encode(),
    ],
)
def test_numbers_are_the_same_however_they_are_written(data: bytes) -> None:
    assert numbers(data, 0, 1) == [[0, 1], [1.5, 2.5]]


def test_words_are_numbered_and_what_was_assumed_is_said() -> None:
    table = Table("time_s,state\n0,größer\n1, b\n2,größer\n".encode("cp1252"), "t.csv", 41)
    words, codes = table.read({1: Texts()})[1]
    assert [words[code] for code in codes] == ["größer", "b", "größer"]
    assert "Windows-1252" in table.notes[0]
    assert "1 line above the head" in Table(b"Device 7\ntime_s,x_w\n0,1\n", "t.csv", 41).notes[0]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        ("t;x\n0;1,234\n1;2,345\n", 2, "thousands"),
        ("t;x\n0;1\n1;2.345,6\n", 3, "thousands"),
        ('t,x\n0,"1,234.5"\n', 2, "thousands"),
        ("t;x\n0;1,5\n1;2.5\n", 3, "decimal comma"),
        ("t;x\n0;2.5\n1;1,5\n", 3, "decimal point"),
        ("t,x\n0,1\n\n# no\n1,0x1\n", 5, "a number"),
        ("t,x\n0,1\n1,\n", 3, "Leave out rows"),
        ("t,x\n0,1\n1,inf\n", 3, "finite"),
        ("t,x\n0,1\n1,1,5\n", 3, "2 values"),
        ("t,x\n0,1\n1\n", 3, "2 values"),
        ("t,x\n", None, "rows below"),
        ("t\n0\n", 1, "2 to 41 columns"),
        ("t,x\n0,1\n1,\x00\n", 3, "NUL"),
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_or_in_none_is_refused(data: str, line: int | None, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        numbers(data.encode(), 0, 1)
    assert caught.value.line == line


@pytest.mark.parametrize("sure", ["0;0,123\n", "0;1234,567\n", "0;1,5\n", "0;,250\n"])
def test_one_cell_may_show_what_commas_mean(sure: str) -> None:
    assert numbers(f"t;x\n0;1,234\n{sure}".encode(), 1)[0][0] == 1.234


@pytest.mark.parametrize(
    ("cells", "times_s", "reading"),
    [
        (["1764000000", "1764000000.25"], [1764000000, 1764000000.25], "seconds since 1970"),
        (["1764000000000", "1764000000250"], [1764000000, 1764000000.25], "milliseconds since 1970"),
        (["1764000000000000", "1764000000250000"], [1764000000, 1764000000.25], "microseconds since 1970"),
        (["1764000000000000000", "1764000000250000000"], [1764000000, 1764000000.25], "nanoseconds since 1970"),
        (["2025-11-24T16:00:00", "2025-11-24 16:00:00.25"], [1764000000, 1764000000.25], "dates and times"),
        (["2025-11-24T16:00:00Z", "2025-11-24T17:00:00.25+01:00"], [1764000000, 1764000000.25], "dates and times"),
        (["24.11.2025 16:00:00", "24.11.2025 16:00:01"], [1764000000, 1764000001], "dates and times"),
        (["2025/11/24 16:00", "2025/11/24 16:01"], [1764000000, 1764000060], "dates and times"),
        (["11/24/2025 16:00:00", "11/24/2025 16:00:01"], [1764000000, 1764000001], "dates and times"),
        (["24/11/2025 16:00:00 UTC", "24/11/2025 16:00:01 UTC"], [1764000000, 1764000001], "dates and times"),
        (["23:59:58", "23:59:59,5", "0:00:01"], [86398, 86399.5, 86401], "times of a day"),
        (["2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z"], [1483228799, 1483228799], "dates and times"),
    ],
)
def test_times_of_a_clock_are_known_by_their_form_and_size(
    cells: list[str], times_s: list[float], reading: str
) -> None:
    table, moments = (
        Table(("timestamp;x_w\n" + "".join(f"{cell};1\n" for cell in cells)).encode(), "t.csv", 41),
        Moments(),
    )
    assert table.read({0: moments})[0] == pytest.approx(times_s, abs=1e-6)
    assert moments.reading == reading and moments.leap_rows == [row for row, cell in enumerate(cells) if ":60" in cell]


@pytest.mark.parametrize("cell", ["10:60", "2026-05-01 10:60:00", "10:60:00"])
def test_a_minute_of_60_is_no_leap_second(cell: str) -> None:
    table = Table(f"timestamp;x_w\n{cell};1\n".encode(), "t.csv", 41)
    with pytest.raises(ProblemError, match="line 2"):
        table.read({0: Moments()})


def test_the_order_of_day_and_month_holds_for_later_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.tables.table.BATCH_BYTES", 1_000)
    cells = [f"{day} 10:00:{second:02d}" for day in ("05/13/2026", "06/01/2026") for second in range(60)]
    table = Table(("timestamp,x_w\n" + "".join(f"{cell},1\n" for cell in cells)).encode(), "t.csv", 41)
    times_s = table.read({0: Moments()})[0]
    assert times_s[60] - times_s[0] == 19 * 86400 and (np.diff(times_s) > 0).all()


def test_many_batches_are_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.tables.table.BATCH_BYTES", 10_000)
    count = 10_000
    data = "time_s,x_w,label\n" + "".join(f"{n},{n % 7}.5,{'ab'[n % 2]}\n" for n in range(count))
    table = Table(data.encode(), "t.csv", 41)
    read = table.read({0: Numbers(), 1: Numbers(), 2: Texts()})
    assert np.array_equal(read[0], np.arange(count)) and np.array_equal(read[1], np.arange(count) % 7 + 0.5)
    assert [read[2][0][code] for code in read[2][1][:4]] == ["a", "b", "a", "b"]
    with pytest.raises(ProblemError) as caught:
        Table((data + "x,1,a\n").encode(), "t.csv", 41).read({0: Numbers()})
    assert caught.value.line == count + 2
