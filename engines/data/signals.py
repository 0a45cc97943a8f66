"""Signals of several sensors from a table: windows of samples with labels.

A header row names the columns: one of labels, the others are channels, each a number per sample; rows are samples in order of time.
A column of subjects or recordings, where there is one, parts the file: no window crosses from one to the next. Windows whose
samples have different labels are left out. So that no sample stands in two splits, each recording is cut into stretches of
consecutive windows that are dealt to the splits, and windows that would reach into another split are left out.

Windows are features of shape `channels x samples x 1`, as images of one column; each channel is scaled by the mean and standard
deviation of the training split, which the data set keeps, so that code on a device can do the same. Recorded values are taken in 32
bits, as such code takes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling
from engines.data.splitting import SPLIT_SEED
from engines.tables.cells import Cells, Decimals, Numbers, Texts
from engines.tables.moments import Moments
from engines.tables.table import Table
from hardware.slugs import slug_of
from hardware.units import split_unit

FloatArray = npt.NDArray[np.floating[Any]]
SHARES = (0.7, 0.15, 0.15)
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
        labels: labels of each sample, as written; "" where the sample has none and is not used.
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
    """Return the windows of a table.

    Args:
        path: the file.
        label: name of the column of labels.
        recording: name of the column of subjects or recordings; "" for none.
        window: samples of a window.
        step: samples from the begin of one window to the next.
        name: name of the data set; that of the file by default.
        seed: seed of the split.
        time: name of a column of times, which is no channel: in the unit of its name, in seconds, or of a clock. Samples must
            follow each other at one rate, the same in all recordings, and windows end at gaps; "" for none.

    Raises:
        ProblemError: names line and column of what cannot be read, and other rates of `time`.
    """
    table = Table(path.read_bytes(), path.name, MAX_CHANNELS + 3)
    recordings, times_s = _recordings(table, label, recording, time)
    notes = table.notes
    if time:
        recordings, said = _without_gaps(recordings, times_s)
        notes += said
    slug = name or slug_of(path.stem, "signals")
    data = windows_of(recordings, window, step, slug, path.stem, f"file {path.name}", seed)
    return replace(data, notes=(*data.notes, *notes))


def windows_of(
    recordings: Sequence[Recording], window: int, step: int, name: str, title: str, source: str, seed: int = SPLIT_SEED
) -> DataSet:
    """Return a data set of windows.

    Args:
        recordings: all of the same channels, whose names the first one has.
        window: samples of a window, from 2 on.
        step: samples from one window to the next, from 1 on.
        name: name of the data set.
        title: for people.
        source: source of the signals.
        seed: seed of the split.

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
        accepted = f"a recording with enough windows of {window} samples with one label for every split"
        raise ProblemError("data", f"none for {', '.join(empty)}", accepted)
    windows = [np.stack(features) for features, _ in parts]
    scaling = Scaling.of(windows[0], channels)
    train, validation, test = (
        Split(scaling.scaled(each)[..., None], np.array(found, dtype=np.int64))
        for each, (_, found) in zip(windows, parts, strict=True)
    )
    return DataSet(name, title, train, validation, test, classes, source, scaling=scaling)


def _dealt(samples: int, random: np.random.Generator) -> IntArray:
    """Return split of every sample, shape `samples`: stretches of equal length, dealt by the shares in an order of their own."""
    ends = np.rint(np.cumsum(SHARES) * _STRETCHES).astype(int)
    splits = np.searchsorted(ends, np.arange(_STRETCHES), side="right")
    return random.permutation(splits)[np.arange(samples) * _STRETCHES // samples]


def _require_resolution(recordings: Sequence[Recording], channels: Sequence[str]) -> None:
    """Refuse a channel whose changes are lost in 32 bits, as those of seconds since 1970 are."""
    with np.errstate(over="ignore"):
        lost = np.max([np.abs(each.values - each.values.astype(np.float32)).max(axis=0) for each in recordings], axis=0)
    least = np.min([each.values.min(axis=0) for each in recordings], axis=0)
    most = np.max([each.values.max(axis=0) for each in recordings], axis=0)
    for channel in np.flatnonzero(np.isinf(lost) | ((least < most) & (_FINEST * lost > most - least))).tolist():
        place = f"data.column {channels[channel]}" if channels else f"data.channel {channel + 1}"
        accepted = f"values that 32-bit numbers represent to 1/{_FINEST} of their range"
        ways = ["Subtract an offset, or leave the column out."]
        raise ProblemError(place, f"{least[channel]:.12g} to {most[channel]:.12g}", accepted, remedies=ways)


def _recordings(table: Table, label: str, recording: str, time: str) -> tuple[list[Recording], list[FloatArray]]:
    """Return the rows of a file and their seconds, parted where the column of recordings changes.

    No seconds where `time` is empty.
    """
    columns = _columns(table, label, recording, time)
    channels = [column for column in range(len(table.head)) if column not in columns.values()]
    if not 1 <= len(channels) <= MAX_CHANNELS:
        accepted = f"1 to {MAX_CHANNELS} columns of numbers in addition to {label!r}"
        raise ProblemError("head", ", ".join(table.head)[:200], accepted, table.line)
    decimals = Decimals()
    wanted: dict[int, Cells] = {column: Numbers(decimals) for column in channels}
    wanted |= {columns[each]: Texts() for each in (label, recording) if each}
    if time:
        named = split_unit(time)
        wanted[columns[time]] = Moments(named[1].factor if named and named[1].base == "s" else 0.0, True, decimals)
    read = table.read(wanted)
    values = np.column_stack([read[column] for column in channels])
    words, codes = read[columns[label]]
    labels = np.array(words, dtype=object)[codes]
    own_words, own = read[columns[recording]] if recording else ([""], np.zeros(len(codes), np.int64))
    cuts = np.flatnonzero(np.diff(own)) + 1
    late = np.setdiff1d(np.flatnonzero(np.diff(read[columns[time]]) <= 0) + 1, cuts) if time else cuts[:0]
    if late.size:
        raise table.error(int(late[0]), columns[time], "a time later than in the row before")
    names = tuple(table.head[column][:200] or f"column {column + 1}" for column in channels)
    rows = [slice(begin, end) for begin, end in pairwise([0, *cuts.tolist(), len(codes)])]
    found = [Recording(own_words[own[each.start]], values[each], tuple(labels[each]), names) for each in rows]
    return found, [read[columns[time]][each] for each in rows] if time else []


def _without_gaps(
    recordings: Sequence[Recording], times_s: Sequence[FloatArray]
) -> tuple[list[Recording], tuple[str, ...]]:
    """Return the recordings of one rate, cut where samples are missing, and notes; every time is later than the one before."""
    parts: list[Recording] = []
    first, longest_s = math.nan, 0.0
    for each, times in zip(recordings, times_s, strict=True):
        steps = np.diff(times)
        place = f"data.recording {each.name!r}" if each.name else "data.time"
        if not steps.size:
            raise ProblemError(
                place, "one sample", "at least two samples", reason="The sampling rate follows from two samples."
            )
        step_s = float(np.median(steps))
        first = step_s if math.isnan(first) else first
        if abs(step_s / first - 1) > _SAME_RATE:
            raise ProblemError(
                place, f"{1 / step_s:.4g} samples/s", f"{1 / first:.4g} samples/s, as the first recording has"
            )
        gaps = np.flatnonzero(steps > (1 + _GAP) * step_s) + 1
        longest_s = max(longest_s, float(steps.max()) if gaps.size else 0.0)
        for begin, end in pairwise([0, *gaps.tolist(), len(times)]):
            parts.append(replace(each, values=each.values[begin:end], labels=each.labels[begin:end]))
    cuts = len(parts) - len(recordings)
    said = f"{counted(cuts)} {'gap' if cuts == 1 else 'gaps'} in the time, the longest of {longest_s:.4g} s: no window crosses one."
    return parts, (said,) if cuts else ()


def _columns(table: Table, label: str, recording: str, time: str) -> dict[str, int]:
    twice = {title for title in table.head if table.head.count(title) > 1}
    if twice:
        raise ProblemError("head", ", ".join(sorted(twice))[:200], "distinct column names", table.line)
    columns = {}
    for wanted in (each for each in (label, recording, time) if each):
        if wanted not in table.head:
            accepted = f"one of the columns: {', '.join(table.head[:20])}"
            raise ProblemError("head", wanted, accepted, table.line)
        columns[wanted] = table.head.index(wanted)
    return columns


def _natural(label: str) -> tuple[int, float, str]:
    """Return the numbers in their order, then words."""
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)
