"""Annotations of beats, byte by byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_annotations import labels_of, read_beats
from engines.data.wfdb_files import read_wfdb


def said(code: int, interval: int) -> bytes:
    return (code << 10 | interval).to_bytes(2, "little")


def note(text: str) -> bytes:
    return said(22, 0) + said(63, len(text)) + text.encode() + b"\0" * (len(text) % 2)


def test_codes_intervals_texts_and_long_intervals(tmp_path: Path) -> None:
    path = tmp_path / "s1.atr"
    rhythm = said(28, 5) + said(63, 3) + b"(N\0\0"  # text of three bytes and one that fills up
    far = said(59, 0) + (1).to_bytes(2, "little") + (2).to_bytes(2, "little")  # 65,538 samples
    path.write_bytes(rhythm + said(1, 10) + said(62, 1) + far + said(5, 0) + said(0, 0) + said(1, 9))
    assert read_beats(path, 500.0) == [(15, "N"), (15 + 65538, "V")]


@pytest.mark.parametrize(
    ("raw", "match"),
    [
        (None, "no such file"),
        (b"", "no beat"),
        (said(28, 5), "no beat"),
        (said(59, 0) + b"\1", "do not end within one"),
        (said(1, 10) + said(59, 0) + b"\xff\xff\xfb\xff" + said(1, 0), "order of time.*a beat at 5"),
        (note("## time resolution: fast") + said(1, 10), "in ticks/s.*fast"),
        (note("## time resolution: 0") + said(1, 10), "in ticks/s"),
    ],
)
def test_what_says_no_beat_is_refused(tmp_path: Path, raw: bytes | None, match: str) -> None:
    if raw is not None:
        (tmp_path / "s1.atr").write_bytes(raw)
    with pytest.raises(ProblemError, match=match):
        read_beats(tmp_path / "s1.atr", 500.0)


@pytest.mark.parametrize(("ticks", "right"), [("1000", 200.0), ("250.0", 800.0), ("1e3", 200.0)])
def test_ticks_of_a_clock_of_their_own_become_samples(tmp_path: Path, ticks: str, right: float) -> None:
    path = tmp_path / "s1.atr"
    path.write_bytes(
        note(f"## time resolution: {ticks}") + note("other words") + said(1, 400) + said(5, 400) + said(0, 0)
    )
    assert read_beats(path, 500.0) == [(right, "N"), (2 * right, "V")]


def test_a_sample_has_the_label_of_the_nearest_beat() -> None:
    assert "".join(labels_of([(1, "N"), (5, "V"), (6, "A")], 9)) == "NNNNVVAAA"  # 3 is as near to 1 as to 5
    assert "".join(labels_of([(0.5, "N"), (3.0, "V")], 4)) == "NNVV"  # 1.75 lies between them


def test_windows_of_a_record_are_labelled_by_its_beats(tmp_path: Path) -> None:
    random, samples = np.random.default_rng(0), 4000
    (tmp_path / "s1.dat").write_bytes(random.integers(-99, 99, samples).astype("<i2").tobytes())
    (tmp_path / "s1.hea").write_text(f"s1 1 100 {samples}\ns1.dat 16 200 16 0 0 0 0 lead i\n")
    (tmp_path / "s1.atr").write_bytes(b"".join(said((1, 5)[beat // 3 % 2], 50) for beat in range(79)))
    found = read_wfdb(tmp_path, "", 40, 10, annotations="atr")
    (tmp_path / "s1.atr").write_bytes((tmp_path / "s1.atr").read_bytes() + said(1, 50))
    with pytest.raises(ProblemError, match=r"within the 4\u2009000 samples.*sample 4000"):
        read_wfdb(tmp_path, "", 40, 10, annotations="atr")
    assert found.classes == ("N", "V") and found.example_shape == (1, 40, 1)
    assert found.scaling is not None and found.scaling.channels == ("lead i [mV]",)
    recorded = found.train.features * found.scaling.deviation + found.scaling.mean
    assert np.unique(np.rint(recorded * 200)).tolist() == list(range(-99, 99))  # 200 steps of the converter per mV
    assert {*found.train.labels.tolist()} == {0, 1}
