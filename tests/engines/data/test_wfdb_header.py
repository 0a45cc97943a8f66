"""Headers of WFDB records, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_header import Header, read_header


def header(folder: Path, text: str) -> Header:
    path = folder / "a.hea"
    path.write_text(text)
    return read_header(path)


def test_a_line_without_optional_cells_has_the_values_of_the_guide(tmp_path: Path) -> None:
    found = header(tmp_path, "# made by hand\na 2\n\na.dat 16\n# between\nb.dat 212\n")
    assert (found.name, found.rate_hz, found.samples) == ("a", 250.0, 0)
    first, second = found.signals
    assert (first.name, first.gain, first.calibrated, first.baseline, first.unit) == (
        "signal 1",
        200.0,
        False,
        0.0,
        "mV",
    )
    assert (second.name, second.file, second.form, second.initial, second.checksum) == ("signal 2", "b.dat", 212, 0, 0)


def test_a_full_line_and_the_clock_of_a_counter(tmp_path: Path) -> None:
    found = header(
        tmp_path,
        "a 1 360/100.5(7) 650 12:00:00 1/2/1990\na.dat 16+24 -1.5e2(512)/uV 11 1024 995 -22131 0 lead II, upper\n",
    )
    assert (found.rate_hz, found.samples) == (360.0, 650)
    (signal,) = found.signals
    assert (signal.skipped, signal.gain, signal.baseline, signal.unit) == (24, -150.0, 512.0, "uV")
    assert (signal.initial, signal.checksum, signal.name) == (995, 65536 - 22131, "lead II, upper")


@pytest.mark.parametrize(
    ("cell", "gain", "baseline", "calibrated"), [("200", 200, 1024, True), ("0", 200, 1024, False), ("0(3)/mV", 200, 3, False)]
)  # fmt: skip
def test_the_baseline_is_the_zero_of_the_converter_and_no_gain_is_uncalibrated(
    tmp_path: Path, cell: str, gain: float, baseline: float, calibrated: bool
) -> None:
    (signal,) = header(tmp_path, f"a 1 100 3\na.dat 16 {cell} 11 1024\n").signals
    assert (signal.gain, signal.baseline, signal.calibrated) == (gain, baseline, calibrated)


def test_segments(tmp_path: Path) -> None:
    found = header(tmp_path, "a/3 2 360 1500\na_layout 0\na_1 1000\n~ 500\n# Dx: N\n")
    assert found.segments == (("a_layout", 0), ("a_1", 1000), ("~", 500)) and found.comments == {"Dx": "N"}


@pytest.mark.parametrize(
    ("text", "line", "got"),
    [
        ("a\n", 1, "a"),
        ("a 1x 500\na.dat 16\n", 1, "1x"),
        ("a 1 fast 1000\na.dat 16\n", 1, "fast"),
        ("a 1 nan 1000\na.dat 16\n", 1, "nan"),
        ("a 1 500 1e3\na.dat 16\n", 1, "1e3"),
        ("a 1 500 -5\na.dat 16\n", 1, "-5"),
        ("a 1 0\na.dat 16\n", 1, "a 1 0"),
        ("# x\na 2 500\na.dat 16\na.dat\n", 4, "a.dat"),
        ("a 1\na.dat 516\n", 2, "a.dat 516"),
        ("a 1\na.dat 16x2\n", 2, "a.dat 16x2"),
        ("a 1\na.dat 16:3\n", 2, "a.dat 16:3"),
        ("a 1\na.dat 16 much/mV\n", 2, "much/mV"),
        ("a 1\na.dat 16 200 12 zero\n", 2, "zero"),
        ("a 1\na.dat 16 200 12 0 0 sum\n", 2, "sum"),
        ("a/1 1 100\na_1\n", 2, "a_1"),
        ("a/1 1 100\na_1 many\n", 2, "many"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, text: str, line: int, got: str) -> None:
    with pytest.raises(ProblemError) as refused:
        header(tmp_path, text)
    assert (refused.value.field, refused.value.got) == (f"data.a.hea, line {line}", got)


@pytest.mark.parametrize("text", ["", "# nothing\n", "a 3 500\na.dat 16\n", f"a {'9' * 15}\n", f"a/{'9' * 9} 1\n"])
def test_too_few_lines_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ProblemError, match=r"data\.a\.hea"):
        header(tmp_path, text)
    with pytest.raises(ProblemError, match="No such file"):
        read_header(tmp_path / "b.hea")
