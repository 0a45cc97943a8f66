from pathlib import Path

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.pamap2 import COLUMNS, read_pamap2


def protocol(folder: Path, samples: int = 12_000, **changes: str) -> Path:
    """One subject that lies, then walks, in turns of 1,000 samples; every tenth heart rate is there; `changes`: line -> text."""
    random = np.random.default_rng(0)
    values = random.standard_normal((samples, COLUMNS)).round(3).astype(str)
    values[:, 1] = np.where((np.arange(samples) // 1000) % 2, "4", "1")
    values[np.arange(samples) % 10 != 0, 2] = "NaN"
    lines = [" ".join(row) for row in values]
    for line, text in changes.items():
        lines[int(line.removeprefix("line")) - 1] = text
    (folder / "subject101.dat").write_text("\n".join(lines) + "\n")
    return folder


def test_windows_of_40_channels(tmp_path: Path) -> None:
    data = read_pamap2(protocol(tmp_path), window=20, step=10)
    assert data.classes == ("lying", "walking") and data.example_shape == (40, 20, 1)
    assert data.scaling is not None and len(data.scaling.channels) == 40
    assert data.scaling.channels[:2] == ("heart rate in 1/min", "hand temperature in °C")
    assert data.scaling.channels[-1] == "ankle magnetometer z in µT"
    assert all(np.isfinite(split.features).all() for split in data.splits().values())


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"line4": "1 2 3"}, "subject101.dat.line 4"),
        ({"line7": " ".join(["1"] * 5 + ["g"] + ["1"] * 48)}, "line 7, column 6"),
        ({"line10": " ".join(["1", "NaN", *["1"] * 52])}, "line 10, column 2"),
        ({"line1": " ".join(["1", "77", *["1"] * 52])}, "column 2"),
    ],
)
def test_what_is_not_pamap2_is_named_with_its_place(tmp_path: Path, changes: dict[str, str], place: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_pamap2(protocol(tmp_path, 3000, **changes), window=20, step=10)
    assert place in caught.value.field


def test_a_folder_without_subjects_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="Protocol"):
        read_pamap2(tmp_path)
