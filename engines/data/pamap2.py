"""PAMAP2: human activity recognition from inertial sensors on wrist, chest and ankle.

Source: A. Reiss and D. Stricker, Introducing a New Benchmarked Dataset for Activity Monitoring, ISWC 2012; files of its `Protocol`
folder (`subject101.dat` to `subject109.dat`), 54 columns apart by spaces, 100 samples a second, missing values as NaN. What is read
follows minakova-2022 section 10.1: 12 protocol activities, downsampled, windows of 100 samples, 22 from one to the next (the text's
3 s and 660 ms at 30 Hz would be 90 and 19.8; 100 and 22 are taken at 33.3 Hz, every third sample).

Channels are the heart rate and, of each unit, temperature, both accelerations, gyroscope and magnetometer, 40 in all; the
orientation columns are invalid in this data set. Gaps are filled with the value before.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet
from engines.data.signals import Recording, windows_of
from engines.data.splitting import SPLIT_SEED

COLUMNS = 54
EVERY = 3  # of 100 samples a second: 33.3 Hz
WINDOW, STEP = 100, 22
_ACTIVITY, _HEART_RATE = 1, 2
_UNIT_BEGINS, _UNIT_CHANNELS = (3, 20, 37), 13
# Numbers of the activities of the protocol, as the data set's own description gives them.
ACTIVITIES = {
    1: "lying", 2: "sitting", 3: "standing", 4: "walking", 5: "running", 6: "cycling", 7: "Nordic walking",
    12: "ascending stairs", 13: "descending stairs", 16: "vacuum cleaning", 17: "ironing", 24: "rope jumping",
}  # fmt: skip
_TRANSIENT = 0
_SOURCE = "Reiss and Stricker, Introducing a New Benchmarked Dataset for Activity Monitoring, ISWC 2012"
_UNIT_NAMES = (
    "temperature in °C",
    *(
        f"{what} {axis} in {unit}"
        for what, unit in (
            ("acceleration (16 g)", "m/s²"), ("acceleration (6 g)", "m/s²"), ("gyroscope", "rad/s"), ("magnetometer", "µT"),
        )
        for axis in "xyz"
    ),
)  # fmt: skip
NAMES = ("heart rate in 1/min", *(f"{place} {name}" for place in ("hand", "chest", "ankle") for name in _UNIT_NAMES))
CHANNELS = (_HEART_RATE, *(column for begin in _UNIT_BEGINS for column in range(begin, begin + _UNIT_CHANNELS)))


def read_pamap2(folder: Path, window: int = WINDOW, step: int = STEP, seed: int = SPLIT_SEED) -> DataSet:
    """Return the PAMAP2 from its `Protocol` folder.

    Args:
        folder: holds `subject*.dat`.
        window: samples of a window at 33.3 Hz.
        step: samples from one window to the next.
        seed: seed of the split.

    Raises:
        ProblemError: no such file, or one that is not of PAMAP2; names line and column.
    """
    paths = sorted(folder.glob("subject*.dat"))
    if not paths:
        raise ProblemError("data", folder.name, "the Protocol folder of PAMAP2, with files such as subject101.dat")
    recordings = [_recording(path) for path in paths]
    return windows_of(recordings, window, step, "pamap2", "PAMAP2 activities", _SOURCE, seed)


def _recording(path: Path) -> Recording:
    rows: list[list[float]] = []
    with path.open(encoding="ascii", errors="replace") as file:
        for line, text in enumerate(file, start=1):
            if (line - 1) % EVERY:
                continue
            cells = text.split()
            if len(cells) != COLUMNS:
                raise ProblemError(
                    f"data.{path.name}.line {line}", f"{len(cells)} columns", f"{COLUMNS} columns, separated by spaces"
                )
            rows.append([_cell(cells[column], path.name, line, column) for column in (_ACTIVITY, *CHANNELS)])
    if not rows:
        raise ProblemError(f"data.{path.name}", "an empty file", "samples of PAMAP2")
    table = np.array(rows, dtype=np.float64)
    unknown = set(np.unique(table[:, 0]).tolist()) - {*ACTIVITIES, *range(25), float(_TRANSIENT)}
    if unknown:
        raise ProblemError(f"data.{path.name}.column 2", min(unknown), "numbers of activities, 0 to 24")
    labels = tuple(ACTIVITIES.get(int(activity), "") for activity in table[:, 0])
    return Recording(path.stem, _filled(table[:, 1:]).astype(np.float32), labels, NAMES)


def _cell(cell: str, file: str, line: int, column: int) -> float:
    try:
        value = float(cell)
    except ValueError as error:
        raise ProblemError(
            f"data.{file}.line {line}, column {column + 1}", cell, "a number, or NaN for a gap"
        ) from error
    if np.isinf(value) or (column == _ACTIVITY and np.isnan(value)):
        raise ProblemError(f"data.{file}.line {line}, column {column + 1}", cell, "a finite number")
    return value


def _filled(values: FloatArray) -> FloatArray:
    """Fill gaps with the value before them; those at the begin with the first one that is there, and 0 where a channel has none."""
    rows = np.arange(len(values))[:, None]
    known = np.isfinite(values)
    last = np.maximum.accumulate(np.where(known, rows, -1), axis=0)
    first = np.where(known.any(axis=0), known.argmax(axis=0), 0)
    filled = np.take_along_axis(values, np.where(last < 0, first, last), axis=0)
    return np.nan_to_num(filled, nan=0.0)
