"""Sampled data: tracks with the signals of cheap sensors and the error that every rate of the costly sensor would make.

Algorithm 1 of goyal-2023 is here: for every track and every step the rate is swept and the error kept (`TaskTrack.errors`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.recordings.recording import ROUTE, Recording, Track
from engines.recordings.routes import headings_deg, mean_curvature_per_m, route_of, turns_deg, window_errors
from hardware.sensor_node.model import RatedSensor

PERIOD_S = 1.0  # a rate is predicted every second (goyal-2023 section 3.2.1)
PIECE_STEPS = 300
FEWEST_TRACKS = 4
MOTION = "motion"
_OF_ROUTES = {"turn": "deg", "heading": "deg", "step_speed": "m/s"}
FrameArray = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TaskTrack:
    """One track: `n` steps, `f` cheap signals, `k` rates.

    Attributes:
        signals: values of the cheap sensors at every step, shape `n x f`.
        errors: error of taking the next sample one interval later, by rate, n x k (Algorithm 1).
        places: what the costly sensor would say, n x 2 (x and y of a route) or n x 1.
        irregularity: mean curvature of a route in rad/m, else the mean of what is measured; it orders figures.
    """

    title: str
    signals: FrameArray
    errors: FloatArray
    places: FloatArray
    irregularity: float

    def __len__(self) -> int:
        return int(self.signals.shape[0])


@dataclass(frozen=True, eq=False)
class Task:
    """The sampling task, and how rates become errors.

    Attributes:
        kind: "route" (eq. 3.4), "series" (a value is held until the next sample) or "frames" (many samples per step).
        period_s: from one prediction to the next.
        rates_hz: adjustable rates, ascending, shape `k`.
        signal_names: signal names of the cheap sensors, f.
        signal_units: in which their values are, whatever the recording was written in, f; "" for plain numbers.
        scale: by which errors of a series are divided: the range of what is measured.
        train, test: tracks.
        synthetic: whether the recording was drawn.
    """

    kind: str
    period_s: float
    rates_hz: FloatArray
    signal_names: tuple[str, ...]
    signal_units: tuple[str, ...]
    scale: float
    train: tuple[TaskTrack, ...]
    test: tuple[TaskTrack, ...]
    synthetic: bool
    title: str

    @property
    def intervals_steps(self) -> FloatArray:
        """Steps from one sample to the next at every rate, shape `k`."""
        return 1.0 / (self.rates_hz * self.period_s)

    def picked(self, names: tuple[str, ...]) -> list[int]:
        """Return the columns of signals."""
        return [self.signal_names.index(name) for name in names]


def build_task(recording: Recording, sensor: RatedSensor, train_share: float, motion_scale: float) -> Task:
    """Return the task that a recording and the rates of a sensor make.

    Args:
        recording: signals, and what the sensor measures.
        sensor: the one whose rate can be set.
        train_share: train share of the tracks, the first ones; the others test.
        motion_scale: pixels; see `frame_errors`.

    Raises:
        ProblemError: the recording has no cheap signal, is too short, or its steps are too long for the rates.
    """
    rates = np.asarray(sensor.rates_hz, np.float64)
    steps = np.concatenate([np.diff(track.times_s) for track in recording.tracks])
    period = max(PERIOD_S, float(np.median(steps)))
    kind = _kind(recording)
    if kind != "frames":
        accepted = f"a recording with a step of at most {1 / rates[-1]:g} s"
        require(
            period * rates[-1] <= 1 + 1e-9,
            "inputs.data",
            f"{recording.slug}: a step of {period:g} s",
            accepted,
            reason=f"The sensor measures up to {rates[-1]:g} samples per second.",
        )
    pieces = _pieces(recording, period)
    require(
        len(pieces) >= 2,
        "inputs.data",
        recording.slug,
        f"a recording of at least {2 * PIECE_STEPS} steps of {period:g} s",
    )
    values = [piece.columns[recording.measures] for piece in pieces] if kind != ROUTE else []
    scale = float(np.ptp(np.concatenate(values))) if values else 1.0
    require(scale > 0, "inputs.data", recording.slug, f"a recording whose {recording.measures} changes")
    shape = _Shape(kind, recording.measures, period, rates, scale, motion_scale)
    names, _ = shape.signals(pieces[0])
    require(bool(names), "inputs.data", recording.slug, "a recording with a further column next to the measured one")
    tracks = tuple(shape.track(piece) for piece in pieces)
    whole = len(recording.tracks) >= FEWEST_TRACKS
    cut = min(max(1, round(train_share * len(tracks))), len(tracks) - 1)
    train, test = (tracks[:cut], tracks[cut:]) if whole else (tracks[::2], tracks[1::2])
    units = tuple(_unit(name, recording) for name in names)
    return Task(kind, period, rates, names, units, scale, train, test, recording.synthetic, recording.title)


def _kind(recording: Recording) -> str:
    """Check the unit: motion in pixels is that of a video; motion in a unit (an accelerometer's) is a series like any other."""
    if recording.measures == ROUTE:
        return ROUTE
    pixels = MOTION in recording.measures and recording.units[recording.measures] == "1"
    return "frames" if pixels else "series"


def _unit(name: str, recording: Recording) -> str:
    unit = recording.units.get(name) or _OF_ROUTES.get(name, "")
    return "" if unit == "1" else unit


def _pieces(recording: Recording, period_s: float) -> list[Track]:
    """Return the tracks at equal steps; a recording of few tracks is cut up, so that it can be trained and tested on."""
    tracks = [track.resampled(period_s) for track in recording.tracks if track.duration_s >= 2 * period_s]
    if len(recording.tracks) >= FEWEST_TRACKS:
        return tracks
    pieces = []
    for track in tracks:
        for begin in range(0, track.times_s.size - PIECE_STEPS // 2, PIECE_STEPS):
            part = slice(begin, min(begin + PIECE_STEPS, track.times_s.size))
            columns = {name: values[part] for name, values in track.columns.items()}
            title = f"{track.title}, from {track.times_s[begin]:g} s"
            pieces.append(
                replace(track, title=title, times_s=track.times_s[part] - track.times_s[begin], columns=columns)
            )
    return pieces


@dataclass(frozen=True, eq=False)
class _Shape:
    """How a piece of a recording becomes a track of the task."""

    kind: str
    measures: str
    period_s: float
    rates_hz: FloatArray
    scale: float
    motion_scale: float

    def track(self, piece: Track) -> TaskTrack:
        """Return signals, errors and places of a piece."""
        _, signals = self.signals(piece)
        intervals = 1.0 / self.rates_hz
        if self.kind == ROUTE:
            route = route_of(piece.columns, self.period_s)
            places = np.stack((route.x_m, route.y_m), axis=1)
            return TaskTrack(piece.title, signals, window_errors(route, intervals), places, mean_curvature_per_m(route))
        values = piece.columns[self.measures]
        if self.kind == "frames":
            errors = frame_errors(values, self.rates_hz, self.motion_scale)
        else:
            errors = held_errors(values, intervals / self.period_s, self.scale)
        return TaskTrack(piece.title, signals, errors, values[:, None], float(values.mean()))

    def signals(self, piece: Track) -> tuple[tuple[str, ...], FrameArray]:
        """Return the names and values of what cheap sensors say, in single precision as a microcontroller has it."""
        named: Mapping[str, FloatArray] = piece.columns
        if self.kind == ROUTE:
            route = route_of(piece.columns, self.period_s)
            speed = np.diff(route.way_m, prepend=0.0) / self.period_s
            speed[0] = speed[1]
            rest = {n: v for n, v in piece.columns.items() if n not in ("x", "y", "latitude", "longitude", "elevation")}
            named = {"turn": turns_deg(route), "heading": headings_deg(route), "step_speed": speed, **rest}
        kept = {name: values for name, values in named.items() if name != self.measures}
        if not kept:
            return (), np.empty((piece.times_s.size, 0), np.float32)
        return tuple(kept), np.stack(list(kept.values()), axis=1).astype(np.float32)


def held_errors(values: FloatArray, intervals_steps: FloatArray, scale: float) -> FloatArray:
    """Return the mean distance from a value that is held for an interval, over `scale`, shape `n x k`."""
    count = values.size
    errors = np.zeros((count, intervals_steps.size))
    for column, interval in enumerate(intervals_steps):
        ahead = np.arange(1, max(1, round(float(interval))))
        if ahead.size:
            later = np.minimum(np.arange(count)[:, None] + ahead[None, :], count - 1)
            errors[:, column] = np.abs(values[later] - values[:, None]).sum(axis=1) / (ahead.size + 1) / scale
    return errors


def frame_errors(motion: FloatArray, rates_hz: FloatArray, scale: float) -> FloatArray:
    """Return the error of a video at a lower frame rate: 1 - exp(-d / scale), shape `n x k`.

    d is how far the picture has moved, on average over the frames of the highest rate, since the frame that is still shown:
    motion per frame x (highest rate / rate - 1) / 2. It stands in for VMAF, which takes the videos themselves.
    """
    moved = motion[:, None] * (rates_hz[-1] / rates_hz[None, :] - 1.0) / 2.0
    return np.asarray(1.0 - np.exp(-moved / scale), np.float64)
