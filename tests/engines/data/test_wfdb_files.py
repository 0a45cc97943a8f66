"""WFDB records made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_files import read_header, read_record, read_records, unpacked


def record(folder: Path, name: str = "s1", rate: str = "1000", form: str = "16", raw: bytes | None = None) -> Path:
    values = np.array([[0, 100], [200, -100], [-400, 32767]], dtype="<i2")
    (folder / f"{name}.dat").write_bytes(values.tobytes() if raw is None else raw)
    header = folder / f"{name}.hea"
    header.write_text(
        f"# made by hand\n{name} 2 {rate} 3\n{name}.dat {form} 200(100)/mV 12 0 0 0 0 lead i\n"
        f"{name}.dat {form} 2000 16 0 0 0 0 vx\n# Reason for admission: Healthy control\n"
    )
    return header


def test_sixteen_bits_in_physical_units(tmp_path: Path) -> None:
    found = read_record(record(tmp_path), "Reason for admission")
    assert found.values == pytest.approx(np.array([[-0.5, 0.05], [0.5, -0.05], [-2.5, 16.3835]]))
    assert found.labels == ("Healthy control",) * 3
    header = read_header(tmp_path / "s1.hea")
    assert (header.rate_hz, header.samples, header.names) == (1000.0, 3, ("lead i", "vx"))


def test_two_samples_in_three_bytes() -> None:
    # 0x123 and -1 (0xfff): low bytes 23 and ff, the high halves f and 1 between them.
    assert unpacked(bytes([0x23, 0xF1, 0xFF]), 212, 2, 0, "x").tolist() == [[0x123, -1]]
    assert unpacked(bytes([0x00, 0x08, 0x01]), 212, 1, 2, "x").tolist() == [[-2048], [1]]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"form": "80"}, "format 16"), ({"form": "16x2"}, "one sample per frame"), ({"raw": b"\0\0\0\0"}, "1 samples in the file"),
        ({"raw": b"\0\0" * 5 + b"\0\x80"}, "gaps, the first at sample 3 of signal 'vx'"), ({"rate": "0"}, "positive rate"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(tmp_path: Path, change: dict[str, str], match: str) -> None:
    with pytest.raises(ProblemError, match=match):
        read_record(record(tmp_path, **change), "Reason for admission")  # type: ignore[arg-type]


def test_records_have_one_rate_and_a_label(tmp_path: Path) -> None:
    paths = [record(tmp_path), record(tmp_path, "s2")]
    found, rate = read_records(paths, "Reason for admission")
    assert [each.name for each in found] == ["s1", "s2"] and rate == 1000
    with pytest.raises(ProblemError, match=r"1000 samples/s.*500 samples/s"):
        read_records([*paths, record(tmp_path, "s3", "500")], "Reason for admission")
    with pytest.raises(ProblemError, match="comment line"):
        read_record(paths[0], "Diagnosis")
    with pytest.raises(ProblemError, match=r"\.hea"):
        read_records([], "Diagnosis")
