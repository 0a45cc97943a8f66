from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.archive import unpack_data_set
from engines.data.data_set import DataSet
from engines.data.documents import load_image_data, packed_image_data
from engines.data.signals import read_signals

ROWS = 1200


def signals(path: Path, rows: int = ROWS, **changes: str) -> Path:
    """Two channels and two activities in turns of 100 samples, by two subjects; `changes`: line -> its text."""
    random = np.random.default_rng(0)
    lines = ["x,y,who,label"]
    for number in range(rows):
        label = "walk" if (number // 100) % 2 else "rest"
        x, y = random.standard_normal(2) + (3.0 if label == "walk" else 0.0)
        lines.append(f"{x:.4f},{y:.4f},{'a' if number < rows // 2 else 'b'},{label}")
    for line, text in changes.items():
        lines[int(line.removeprefix("line")) - 1] = text
    path.write_text("\n".join(lines) + "\n")
    return path


def test_windows_have_one_label_and_stand_in_one_split(tmp_path: Path) -> None:
    data = read_signals(signals(tmp_path / "Two_People.csv"), recording="who", window=10, step=5)
    assert data.name == "two-people" and data.classes == ("rest", "walk")
    assert data.example_shape == (2, 10, 1) and data.train.features.dtype == np.float32
    assert abs(float(data.train.features.mean())) < 1e-5
    samples = [
        {tuple(window[:, place, 0].tolist()) for window in split.features for place in range(10)}
        for split in data.splits().values()
    ]
    assert not (samples[0] & samples[1] or samples[0] & samples[2] or samples[1] & samples[2])


def test_signals_are_kept_as_images_of_one_column(tmp_path: Path) -> None:
    data = read_signals(signals(tmp_path / "s.csv"), recording="who", window=10, step=5)
    document, content = packed_image_data(data, "s")
    read = load_image_data(document)
    assert (read.channels, read.height, read.width) == (2, 10, 1)
    assert unpack_data_set(content, "s").content_hash() == data.content_hash()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"line5": "1,nan,a,rest"}, "line 5, column 2 (y)"),
        ({"line7": "1,2 mV,a,rest"}, "line 7, column 2 (y)"),
        ({"line9": "1,2,a"}, "line 9, row"),
        ({"line1": "x,y,who,activity"}, "line 1, head"),
        ({"line1": "x,x,who,label"}, "line 1, head"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_signals(signals(tmp_path / "s.csv", **changes), recording="who", window=10, step=5)
    assert message in str(caught.value)


def test_too_little_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="enough windows"):
        read_signals(signals(tmp_path / "s.csv", rows=300), recording="who", window=100, step=22)
    path = tmp_path / "one.csv"
    path.write_text("x,label\n" + "1,a\n" * 100)
    with pytest.raises(ProblemError, match="two different labels"):
        read_signals(path, window=10, step=5)


@pytest.mark.parametrize(
    ("times", "match"),
    [
        ([0.0, 0.1, 0.1, 0.2], r"line 4, column 3 \(s\).*'0\.1'"),
        ([0.0, 0.2, 0.1, 0.2], "line 4.*later"),
        ([0.0], "one sample"),
    ],
)
def test_a_column_of_seconds_must_rise(tmp_path: Path, times: list[float], match: str) -> None:
    path = tmp_path / "timed.csv"
    path.write_text("label,x,s\n" + "".join(f"a,1,{each}\n" for each in times))
    with pytest.raises(ProblemError, match=match):
        read_signals(path, time="s", window=2)


def test_recordings_have_one_rate_and_seconds_are_no_channel(tmp_path: Path) -> None:
    def text(rates: tuple[float, float]) -> str:
        rows = [
            f"{'ab'[n // 100 % 2]},{who},{n},{n / rate:.4f}\n"
            for who, rate in zip("uv", rates, strict=True)
            for n in range(800)
        ]
        return "label,who,x,s\n" + "".join(rows)

    path = tmp_path / "timed.csv"
    path.write_text(text((100.0, 100.0)))
    assert read_signals(path, recording="who", time="s", window=10, step=5).example_shape == (1, 10, 1)
    path.write_text(text((100.0, 50.0)))
    with pytest.raises(ProblemError, match=r"recording 'v'.*100 samples/s.*50 samples/s"):
        read_signals(path, recording="who", time="s", window=10, step=5)


def test_recorded_values_follow_from_features_and_scaling(tmp_path: Path) -> None:
    path = signals(tmp_path / "s.csv")
    data = read_signals(path, recording="who", window=10, step=5)
    assert data.scaling is not None and data.scaling.channels == ("x", "y")
    mean, deviation = (each[:, None] for each in (data.scaling.mean, data.scaling.deviation))
    known = {line.rpartition(",")[0].rpartition(",")[0] for line in path.read_text().splitlines()[1:]}
    for split in data.splits().values():
        recorded = split.features[..., 0] * deviation + mean
        read = {f"{x:.4f},{y:.4f}" for window in recorded for x, y in window.T}
        assert read <= known
    train = data.train.features[..., 0] * deviation + mean
    assert data.scaling.mean == pytest.approx(train.mean(axis=(0, 2)), rel=1e-6)
    assert data.scaling.deviation == pytest.approx(train.std(axis=(0, 2)), rel=1e-6)


@pytest.mark.parametrize(("offset", "fits"), [(101_325.0, True), (1e6, True), (1.7e9, False), (1e39, False)])
def test_a_channel_that_32_bits_cannot_hold_is_refused(tmp_path: Path, offset: float, fits: bool) -> None:
    path = tmp_path / "offset.csv"
    rows = [f"{offset + 10 * ((n * 7) % 11) / 11!r},{'ab'[n // 50 % 2]}" for n in range(1000)]
    path.write_text("value,label\n" + "\n".join(rows) + "\n")
    if fits:
        data = read_signals(path, window=10, step=5)
        assert data.scaling is not None and data.scaling.deviation == pytest.approx(
            [10 * np.sqrt(120 / 12) / 11], rel=0.01
        )
        assert float(data.train.features.std()) == pytest.approx(1.0, rel=1e-3)
        assert abs(float(data.train.features.astype(np.float64).mean())) < 1e-4
    else:
        with pytest.raises(ProblemError, match=r"column value.*Subtract an offset"):
            read_signals(path, window=10, step=5)


@pytest.mark.parametrize(
    ("head", "times"),
    [
        ("s", [n / 100 for n in range(1200)]),
        ("s", [1_700_000_000 + n / 100 for n in range(1200)]),
        ("clock [ms]", [1_700_000_000_000 + 10 * n for n in range(1200)]),
        ("clock", [f"2026-05-01T10:00:{n // 100:02d}.{n % 100:02d}" for n in range(1200)]),
        ("s", [300_000 + n / 1000 for n in range(1200)]),
    ],
)
def test_times_of_any_clock_show_the_same_rate(tmp_path: Path, head: str, times: list[object]) -> None:
    path = tmp_path / "timed.csv"
    path.write_text(f"label,x,{head}\n" + "".join(f"{'ab'[n // 100 % 2]},{n},{each}\n" for n, each in enumerate(times)))
    data = read_signals(path, time=head, window=10, step=5)
    assert sum(map(len, data.splits().values())) > 100 and data.notes == ()


def test_no_window_crosses_a_gap(tmp_path: Path) -> None:
    def read(gap_s: float) -> DataSet:
        rows = [f"{'ab'[n // 100 % 2]},{n},{n / 100 + gap_s * (n >= 405)}\n" for n in range(1200)]
        path = tmp_path / "timed.csv"
        path.write_text("label,x,s\n" + "".join(rows))
        return read_signals(path, time="s", window=10, step=5)

    data = read(3600.0)
    assert data.notes == ("1 gap in the time, the longest of 3600 s: no window crosses one.",)
    assert data.scaling is not None
    for split in data.splits().values():
        samples = np.rint(split.features[:, 0, :, 0] * data.scaling.deviation[0] + data.scaling.mean[0])
        assert not ((samples[:, 0] < 405) & (samples[:, -1] >= 405)).any()
    assert read(0.0).notes == ()
