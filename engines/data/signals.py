"""Signals of several sensors from a CSV file: windows of samples, labelled by what goes on in them.

A header row names the columns: one of labels, the others are channels, each a number per sample; rows are samples in order of time.
A column of subjects or recordings, where there is one, parts the file: no window crosses from one to the next. Windows whose
samples have different labels are left out. So that no sample stands in two splits, each recording is cut into stretches of
consecutive windows that are dealt to the splits, and windows that would reach into another split are left out.

Windows are features of shape `channels x samples x 1`, as images of one column; each channel is scaled by the mean and standard
deviation of the training split, which the data set keeps, so that code on a device can do the same. Recorded values are taken in 32
bits, as such code takes them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.counts import counted
from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling
from engines.data.splitting import SPLIT_SEED

FloatArray = npt.NDArray[np.floating[Any]]
SHARES = (0.7, 0.15, 0.15)
MAX_ROWS = 5_000_000
MAX_CHANNELS = 1000
_SAME_RATE, _GAP = 0.05, 0.5  # of a step: what clocks may differ by, and what is missing more than half a sample
_STRETCHES = 20  # of a recording, dealt to the splits
_FINEST = 256  # steps of the range of a channel that 32-bit numbers must tell apart


@dataclass(frozen=True, eq=False)
class Recording:
    """Samples of one recording.

    Attributes:
        name: subject or file.
        values: shape `samples x channels`.
        labels: of each sample, as written; "" where the sample has none and is not used.
        channels: names, with units where they are known; empty where no name is known.
    """

    name: str
    values: FloatArray
    labels: tuple[str, ...]
    channels: tuple[str, ...] = ()


def read_signals(
    path: Path,
    *,
    label: str = "label",
    recording: str = "",
    window: int = 100,
    step: int = 22,
    name: str = "",
    seed: int = SPLIT_SEED,
    time: str = "",
) -> DataSet:
    """The windows of a CSV file.

    Args:
        path: the file.
        label: name of the column of labels.
        recording: name of the column of subjects or recordings; "" for none.
        window: samples of a window.
        step: samples from the begin of one window to the next.
        name: of the data set; that of the file by default.
        seed: of the split.
        time: name of a column of seconds, which is no channel: samples must follow each other at one rate, the same in all
            recordings; "" for none.

    Raises:
        ProblemError: names line and column of what cannot be read, and gaps and other rates of `time`.
    """
    recordings = list(_recordings(path, label, recording, time))
    if time:
        recordings = _timed(recordings)
    slug = name or path.stem.lower().replace("_", "-")
    return windows_of(recordings, window, step, slug, path.stem, f"file {path.name}", seed)


def windows_of(
    recordings: Sequence[Recording], window: int, step: int, name: str, title: str, source: str, seed: int = SPLIT_SEED
) -> DataSet:
    """A data set of windows.

    Args:
        recordings: all of the same channels, whose names the first one has.
        window: samples of a window, from 2 on.
        step: samples from one window to the next, from 1 on.
        name: of the data set.
        title: for people.
        source: where the signals are from.
        seed: of the split.

    Raises:
        ProblemError: no window with one label, fewer than two labels, a split that would be empty, or a channel that 32-bit
            numbers cannot hold.
    """
    if window < 2 or step < 1:
        raise ProblemError("data.window", (window, step), "at least 2 samples, and a step of at least 1")
    classes = tuple(sorted({each for recording in recordings for each in recording.labels if each}, key=_natural))
    if len(classes) < 2:
        raise ProblemError("data.labels", classes, "at least two different labels")
    channels = recordings[0].channels
    _require_resolution(recordings, channels)
    numbers = {label: number for number, label in enumerate(classes)}
    parts: list[tuple[list[FloatArray], list[int]]] = [([], []) for _ in SHARES]
    for place, recording in enumerate(recordings):
        split_of = _dealt(len(recording.labels), np.random.default_rng((seed, place)))
        for start in range(0, len(recording.labels) - window + 1, step):
            inside = slice(start, start + window)
            labels = set(recording.labels[inside])
            dealt = np.unique(split_of[inside])
            if len(labels) == 1 and "" not in labels and dealt.size == 1:
                features, found = parts[int(dealt[0])]
                features.append(recording.values[inside].T.astype(np.float32))
                found.append(numbers[labels.pop()])
    empty = [word for word, (features, _) in zip(("train", "validation", "test"), parts, strict=True) if not features]
    if empty:
        accepted = f"enough windows of {window} samples with one label for every split"
        raise ProblemError("data", f"none for {', '.join(empty)}", accepted)
    windows = [np.stack(features) for features, _ in parts]
    scaling = Scaling.of(windows[0], channels)
    train, validation, test = (
        Split(scaling.scaled(each)[..., None], np.array(found, dtype=np.int64))
        for each, (_, found) in zip(windows, parts, strict=True)
    )
    return DataSet(name, title, train, validation, test, classes, source, scaling=scaling)


def _dealt(samples: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Split of every sample, shape `samples`: stretches of equal length, dealt by the shares in an order of their own."""
    ends = np.rint(np.cumsum(SHARES) * _STRETCHES).astype(int)
    splits = np.searchsorted(ends, np.arange(_STRETCHES), side="right")
    return random.permutation(splits)[np.arange(samples) * _STRETCHES // samples]


def _require_resolution(recordings: Sequence[Recording], channels: Sequence[str]) -> None:
    """Refuse a channel whose changes are lost in 32 bits, as those of seconds since 1970 are."""
    with np.errstate(over="ignore"):
        lost = np.max([np.abs(each.values - each.values.astype(np.float32)).max(axis=0) for each in recordings], axis=0)
    least = np.min([each.values.min(axis=0) for each in recordings], axis=0)
    most = np.max([each.values.max(axis=0) for each in recordings], axis=0)
    for channel in np.flatnonzero(np.isinf(lost) | ((least < most) & (_FINEST * lost > most - least))):
        place = f"data.column {channels[channel]}" if channels else f"data.channel {channel + 1}"
        accepted = f"values that 32-bit numbers hold to 1/{_FINEST} of their range: subtract an offset, or leave it out"
        raise ProblemError(place, f"{least[channel]:.12g} to {most[channel]:.12g}", accepted)


def _recordings(path: Path, label: str, recording: str, time: str = "") -> Iterator[Recording]:
    """Rows of a file, parted by the column of recordings; a recording ends where another begins."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        header = [title.strip() for title in next(rows, [])]
        columns = _columns(header, label, recording, time)
        channels = [column for column in range(len(header)) if column not in columns.values()]
        if not 1 <= len(channels) <= MAX_CHANNELS:
            raise ProblemError("data.line 1", header, f"1 to {MAX_CHANNELS} columns of numbers beside {label!r}")
        names = tuple(header[column][:200] or f"column {column + 1}" for column in channels)
        name = ""
        values: list[list[float]] = []
        labels: list[str] = []
        for line, row in enumerate(rows, start=2):
            if not row:
                continue
            if line > MAX_ROWS:
                raise ProblemError(f"data.line {line}", "more", f"at most {counted(MAX_ROWS)} rows")
            if len(row) != len(header):
                raise ProblemError(f"data.line {line}", f"{len(row)} cells", f"{len(header)} cells, as the header has")
            own = row[columns[recording]].strip() if recording else ""
            if own != name and values:
                yield Recording(name, np.array(values), tuple(labels), names)
                values, labels = [], []
            name = own
            read = ([columns[time]] if time else []) + channels  # seconds first, where there are any
            values.append([number(row[column], line, header[column]) for column in read])
            labels.append(row[columns[label]].strip())
    if values:
        yield Recording(name, np.array(values), tuple(labels), names)


def _timed(recordings: Sequence[Recording]) -> list[Recording]:
    """Recordings without their first column, of seconds, which must rise by one step in all of them."""
    found, first = [], math.nan
    for each in recordings:
        steps = np.diff(each.values[:, 0])
        place = f"data.recording {each.name!r}" if each.name else "data.time"
        if not steps.size or not (steps > 0).all():
            row = int(np.argmin(steps > 0)) + 2 if steps.size else 1
            raise ProblemError(
                f"{place}, sample {row}", "time that does not rise", "seconds that rise from sample to sample"
            )
        step_s = float(np.median(steps))
        first = step_s if math.isnan(first) else first
        if abs(step_s / first - 1) > _SAME_RATE:
            raise ProblemError(
                place, f"{1 / step_s:.4g} samples/s", f"{1 / first:.4g} samples/s, as the first recording has"
            )
        gaps = np.flatnonzero(steps > (1 + _GAP) * step_s)
        if gaps.size:
            got = f"{gaps.size} gaps, the first of {steps[gaps[0]]:.4g} s"
            raise ProblemError(f"{place}, sample {gaps[0] + 2}", got, f"a sample every {step_s:.4g} s")
        found.append(replace(each, values=each.values[:, 1:]))
    return found


def _columns(header: Sequence[str], label: str, recording: str, time: str) -> dict[str, int]:
    twice = {title for title in header if header.count(title) > 1}
    if twice:
        raise ProblemError("data.line 1", sorted(twice), "different names of columns")
    found = {}
    for wanted in (each for each in (label, recording, time) if each):
        if wanted not in header:
            raise ProblemError("data.line 1", header[:20], f"a column {wanted!r}")
        found[wanted] = header.index(wanted)
    return found


def number(cell: str, line: int, column: str) -> float:
    """The number in a cell.

    Args:
        cell: its text.
        line: from 1 on.
        column: its name.

    Raises:
        ProblemError: no finite number; says where.
    """
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ProblemError(f"data.line {line}, column {column}", cell, "a finite number")
    return value


def _natural(label: str) -> tuple[int, float, str]:
    """Numbers in their order, then words."""
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)
