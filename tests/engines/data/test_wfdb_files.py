"""WFDB records made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_files import read_record, read_records, read_wfdb

LABEL = "Reason for admission"


def record(folder: Path, name: str = "s1", rate: str = "1000", form: str = "16", raw: bytes | None = None) -> Path:
    values = np.array([[0, 100], [200, -100], [-400, 32767]], dtype="<i2")
    (folder / f"{name}.dat").write_bytes(values.tobytes() if raw is None else raw)
    header = folder / f"{name}.hea"
    header.write_text(
        f"# made by hand\n{name} 2 {rate} 3\n{name}.dat {form} 200(100)/mV 12 0 0 0 0 lead i\n"
        f"{name}.dat {form} 2000 16 0 0 0 0 vx\n# Reason for admission: Healthy control\n"
    )
    return header


def leads(folder: Path, name: str, lines: Sequence[str], columns: Sequence[Sequence[int]], head: str = "") -> Path:
    """A record of 16 bits whose lines say gain, and what follows it, of each column."""
    values = np.array(columns, "<i2").T
    (folder / f"{name}.dat").write_bytes(values.tobytes())
    text = "".join(f"{name}.dat 16 {line}\n" for line in lines)
    header = folder / f"{name}.hea"
    header.write_text(f"{head or f'{name} {len(lines)} 100 {len(values)}'}\n{text}# {LABEL}: {name}\n")
    return header


def read(*paths: Path) -> list[list[list[float]]]:
    """Values of each record as columns."""
    return [np.round(each.values.T.astype(float), 4).tolist() for each in read_records(paths, LABEL)[0]]


def test_sixteen_bits_in_physical_units(tmp_path: Path) -> None:
    found = read_record(record(tmp_path), LABEL)
    assert found.values == pytest.approx(np.array([[-0.5, 0.05], [0.5, -0.05], [-2.5, 16.3835]]))
    assert found.labels == ("Healthy control",) * 3


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"form": "516"}, "format among 8, 16"), ({"form": "16x2"}, "one sample per frame"),
        ({"raw": b"\0\0\0\0"}, r"s1\.dat.*1 samples in the file"),
        ({"raw": b"\0\0" * 5 + b"\0\x80"}, r"s1\.dat.*gaps, the first at sample 3 of signal 'vx'"),
        ({"rate": "0"}, "positive rate"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(tmp_path: Path, change: dict[str, str], match: str) -> None:
    with pytest.raises(ProblemError, match=match):
        read_record(record(tmp_path, **change), LABEL)  # type: ignore[arg-type]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = record(tmp_path)
    (tmp_path / "s1.dat").unlink()
    with pytest.raises(ProblemError, match=r"data\.s1\.hea, file s1\.dat.*No such file"):
        read_record(path, LABEL)


def test_records_have_one_rate_and_a_label(tmp_path: Path) -> None:
    paths = [record(tmp_path), record(tmp_path, "s2")]
    found, rate = read_records(paths, LABEL)
    assert [each.name for each in found] == ["s1", "s2"] and rate == 1000
    with pytest.raises(ProblemError, match=r"1000 samples/s.*500 samples/s"):
        read_records([*paths, record(tmp_path, "s3", "500")], LABEL)
    with pytest.raises(ProblemError, match="comment line"):
        read_record(paths[0], "Diagnosis")
    with pytest.raises(ProblemError, match=r"\.hea"):
        read_records([], "Diagnosis")


def test_columns_are_the_leads_of_the_first_record_in_its_units(tmp_path: Path) -> None:
    one = leads(tmp_path, "a", ["1000/mV 16 0 0 0 0 I", "1000 16 0 0 0 0 II"], [[500, 1000], [0, -250]])
    two = leads(tmp_path, "b", ["1/uV 16 0 0 0 0 ii", "1e6(1)/V 16 0 0 0 0 I"], [[0, -250], [501, 1001]])
    assert read(one, two) == [[[0.5, 1.0], [0.0, -0.25]]] * 2


@pytest.mark.parametrize(
    ("lines", "match"),
    [
        (["1000/mV 16 0 0 0 0 I"], r"data\.b\.hea: must be the signals I, II.*no II"),
        (["1 16 0 0 0 0 I", "1 16 0 0 0 0 III"], r"data\.b\.hea.*no II; also III"),
        (["1 16 0 0 0 0 I", "1 16 0 0 0 0 II", "1 16 0 0 0 0 V"], r"data\.b\.hea.*also V"),
        (["1 16 0 0 0 0 I", "1 16 0 0 0 0 I"], r"data\.b\.hea.*several signals I"),
        (["1 16 0 0 0 0 I", "1/mmHg 16 0 0 0 0 II"], r"data\.b\.hea.*II in mV.*II in mmHg"),
        (["1 16 0 0 0 0 I", "0 16 0 0 0 0 II"], r"data\.b\.hea.*II without a gain"),
        (["1e-38 16 0 0 0 0 I", "1 16 0 0 0 0 II"], r"data\.b\.hea.*values beyond 32-bit numbers"),
    ],
)
def test_a_record_with_other_leads_or_units_is_named(tmp_path: Path, lines: list[str], match: str) -> None:
    one = leads(tmp_path, "a", ["1000/mV 16 0 0 0 0 I", "1000 16 0 0 0 0 II"], [[500, 1000], [0, -250]])
    with pytest.raises(ProblemError, match=match):
        read(one, leads(tmp_path, "b", lines, [[500, 1000]] * len(lines)))


def test_unnamed_signals_are_told_apart_by_their_place(tmp_path: Path) -> None:
    one = leads(tmp_path, "a", ["1", "1"], [[1], [2]])
    two = leads(tmp_path, "b", ["1", "1"], [[3], [4]])
    two.write_text(f"# a comment more\n{two.read_text()}")
    assert read(one, two) == [[[1.0], [2.0]], [[3.0], [4.0]]]


def test_the_checksum_shows_damage(tmp_path: Path) -> None:
    path = leads(tmp_path, "a", ["1 16 0 0 -1 0 I", "1 16 0 0 0 0 II"], [[3, -4], [7, 7]])  # 3 - 4 = -1; none of II
    assert read(path) == [[[3.0, -4.0], [7.0, 7.0]]]
    (tmp_path / "a.dat").write_bytes(np.array([[3, 7], [-5, 7]], "<i2").tobytes())
    with pytest.raises(ProblemError, match=r"file a\.dat.*65535, the checksum of I.*65534"):
        read(path)


def test_signals_of_several_files_and_formats(tmp_path: Path) -> None:
    path = tmp_path / "a.hea"
    path.write_text(
        f"a 3 100 2\nx.dat 16 1 16 0 0 0 0 I\ny.dat 80 1 8 0 0 0 0 II\nx.dat 16 1 16 0 0 0 0 III\n# {LABEL}: N\n"
    )
    (tmp_path / "x.dat").write_bytes(np.array([[1, 2], [3, 4]], "<i2").tobytes())
    (tmp_path / "y.dat").write_bytes(bytes([128 + 5, 128 - 6]))
    assert read(path) == [[[1.0, 3.0], [5.0, -6.0], [2.0, 4.0]]]
    path.write_text(path.read_text().replace("100 2", "100"))
    (tmp_path / "y.dat").write_bytes(b"abc")
    with pytest.raises(ProblemError, match="files of one length"):
        read(path)


def segments(folder: Path, head: str, *lines: str) -> Path:
    path = folder / "whole.hea"
    path.write_text("\n".join([head, *lines, f"# {LABEL}: N\n"]))
    return path


def test_segments_follow_each_other_and_are_no_records(tmp_path: Path) -> None:
    one = leads(tmp_path, "p_1", ["1000/mV 16 0 0 0 0 I", "1000 16 0 0 0 0 II"], [[500, 1000], [0, -250]])
    two = leads(tmp_path, "p_2", ["1/uV 16 0 0 0 0 II", "1/uV 16 0 0 0 0 I"], [[5], [7]])
    (tmp_path / "p_0.hea").write_text("p_0 2 100 0\n~ 0 0 0 0 0 0 0 II\n~ 0 0 0 0 0 0 0 I\n")
    whole = segments(tmp_path, "whole/3 2 100 3", "p_0 0", "p_1 2", "p_2 1")
    (found,), _ = read_records([one, two, tmp_path / "p_0.hea", whole], LABEL)
    assert (found.name, found.labels) == ("whole", ("N",) * 3)
    assert found.values == pytest.approx(np.array([[0, 0.5], [-0.25, 1], [0.005, 0.007]]))


@pytest.mark.parametrize(
    ("head", "lines", "match"),
    [
        ("whole/2 1 100 5", ("p_1 2", "~ 3"), "a gap of 3 samples"),
        ("whole/1 1 200 2", ("p_1 2",), r"data\.p_1\.hea: must be 200 samples/s.*100 samples/s"),
        ("whole/1 1 100 3", ("p_1 3",), r"data\.p_1\.hea: must be .*3 samples.*2 samples"),
        ("whole/1 1 100 9", ("p_1 2",), "2 samples in segments"),
        ("whole/1 1 100 2", ("whole 2",), "a segment in segments"),
        ("whole/1 1 100 2", ("p_9 2",), r"data\.p_9\.hea.*No such file"),
        ("whole/1 1 100 2", ("~ 2",), "no segment with samples"),
        ("whole/2 1 100 4", ("p_1 2", "q 2"), r"data\.q\.hea: must be the signals I,.*no I; also V"),
    ],
)
def test_segments_that_do_not_belong_together_are_refused(
    tmp_path: Path, head: str, lines: tuple[str, ...], match: str
) -> None:
    leads(tmp_path, "p_1", ["1 16 0 0 0 0 I"], [[1, 2]])
    leads(tmp_path, "q", ["1 16 0 0 0 0 V"], [[1, 2]])
    with pytest.raises(ProblemError, match=match):
        read_record(segments(tmp_path, head, *lines), LABEL)


def test_assumed_gains_and_changed_columns_are_noted(tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(-99, 99, (2, 800)).tolist()
    for name, order in (("a", "I II"), ("b", "I II"), ("c", "II I")):
        leads(tmp_path, name, [f"0 16 0 0 0 0 {lead}" for lead in order.split()], values)
    assert read_wfdb(tmp_path, LABEL, 20, 10).notes == (
        "Uncalibrated records, read with the default gain of 200: a, b, c.",
        "Signals in another order or unit were converted to those of a: c.",
    )
