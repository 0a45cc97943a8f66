"""Channels and queues as they were recorded: a value for each window of time, out of a recording of the catalogue.

A value counts until the next one, and a window has the mean over its time. Traces need not be regular, but where one is silent for
long nobody knows what was: that is refused, and so are wrong units and values that cannot be. A throughput of 0 is an outage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.recordings.recording import Recording, Track

_MOST_WINDOWS = 2_000_000
_WORDS = {"bit/s": "bandwidth_mbps", "s": "delay_ms"}


@dataclass(frozen=True, eq=False)
class TraceChannel:
    """Throughput as recorded, window by window; every episode begins somewhere in it and goes round.

    Attributes:
        values: bit/s of consecutive windows, above 0; in an outage as `with_outages`.
    """

    values: FloatArray

    @property
    def mean_s_per_bit(self) -> float:  # noqa: D102
        return float((1 / self.values).mean())

    def bits_per_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return _rounds(self.values, random, shape)

    def scaled(self, mean_s_per_bit: float) -> TraceChannel:
        """Return the same ups and downs with another mean time of a bit."""
        return TraceChannel(self.values * (self.mean_s_per_bit / mean_s_per_bit))


@dataclass(frozen=True, eq=False)
class TraceQueue:
    """Delays as recorded, window by window; every episode begins somewhere in them and goes round.

    Attributes:
        values: seconds of consecutive windows, from 0 on.
    """

    values: FloatArray

    @property
    def mean_s(self) -> float:  # noqa: D102
        return float(self.values.mean())

    def delay_s(self, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:  # noqa: D102
        return _rounds(self.values, random, shape)


def trace_channel(recording: Recording, window_s: float, field: str) -> TraceChannel:
    """Return the channel of a recording with a column in bit/s.

    Args:
        recording: its tracks follow each other.
        window_s: time from one window to the next.
        field: name of the field in messages.

    Raises:
        ProblemError: no column in bit/s, a gap, a bandwidth below 0, none above 0.
    """
    values = _windows(recording, _column(recording, "bit/s", field), window_s, field)
    require(bool((values >= 0).all()), field, f"{values.min():g} bit/s", "bandwidths of 0 (an outage) or above")
    require(bool((values > 0).any()), field, "0 bit/s throughout", "a recording in which something came through")
    return TraceChannel(with_outages(values))


def with_outages(bits_per_s: FloatArray) -> FloatArray:
    """Return the throughputs of consecutive windows, in which what is sent in an outage waits for the link, shape `n`.

    What a window's time carries once the link is back, after `k` windows without it, takes `k + 1` windows: the throughput of the
    first window with a link, divided by `k + 1`. The trace goes round.
    """
    count = len(bits_per_s)
    rows = np.arange(2 * count)
    linked = np.where(np.tile(bits_per_s, 2) > 0, rows, 2 * count)
    following = np.minimum.accumulate(linked[::-1])[::-1][:count]
    return np.asarray(bits_per_s[following % count] / (1 + following - rows[:count]))


def trace_queue(recording: Recording, window_s: float, field: str) -> TraceQueue:
    """Return the queue of a recording with a column in seconds: the time before the server starts; as `trace_channel`."""
    values = _windows(recording, _column(recording, "s", field), window_s, field)
    require(bool((values >= 0).all()), field, f"{values.min():g} s", "delays from 0 on")
    return TraceQueue(values)


def _column(recording: Recording, base: str, field: str) -> str:
    """Return the column in that unit; of several the one that the recording says it measures."""
    fitting = [name for name, unit in recording.units.items() if unit == base]
    got = f"{recording.slug} with " + ", ".join(f"{name} in {unit}" for name, unit in recording.units.items())
    require(bool(fitting), field, got, f"a recording with a column in {base}, as {_WORDS[base]} of a CSV file")
    if len(fitting) == 1 or recording.measures in fitting:
        return recording.measures if recording.measures in fitting else fitting[0]
    raise ProblemError(field, got, f"one column in {base}, or a recording that says which one it measures")


def _windows(recording: Recording, column: str, window_s: float, field: str) -> FloatArray:
    total = sum(track.duration_s for track in recording.tracks) / window_s
    accepted = f"at most {counted(_MOST_WINDOWS)} windows of {1e3 * window_s:g} ms"
    require(total <= _MOST_WINDOWS, field, many(round(total), "window"), accepted)
    return np.concatenate([_held(track, column, window_s, field) for track in recording.tracks])


def _held(track: Track, column: str, window_s: float, field: str) -> FloatArray:
    """Return the means over windows of values that each count until the next one."""
    if track.gap is not None:
        got = f"{track.title}: nothing from {track.times_s[track.gap]:g} s to {track.times_s[track.gap + 1]:g} s"
        accepted = "steps of about the same length"
        raise ProblemError(field, got, accepted, remedies=["Store the part after a gap as a track of its own."])
    times, values = track.times_s - track.times_s[0], track.columns[column]
    count = max(1, int(np.floor(track.duration_s / window_s + 1e-9)) + 1)
    edges = np.arange(count + 1) * window_s
    slack = 1e-9 * window_s
    first = np.searchsorted(times, edges[:-1] + slack, side="right") - 1
    last = np.searchsorted(times, edges[1:] - slack, side="left") - 1
    sums = np.concatenate(([0.0], np.cumsum(np.diff(np.append(times, edges[-1])) * values)))
    means = np.diff(np.interp(edges, np.append(times, edges[-1]), sums)) / window_s
    return np.where(first == last, values[first], means)  # without a change within the window the very value


def _rounds(values: FloatArray, random: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    starts = random.integers(0, len(values), shape[:-1])
    return np.asarray(values[(np.asarray(starts)[..., None] + np.arange(shape[-1])) % len(values)])
