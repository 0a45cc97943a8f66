"""The predictor at run time: rates, samples, errors and effects of feedback, all tracks step by step at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.seesaw.predictor.task import Task, TaskTrack
from engines.methods.seesaw.predictor.tree import RateTree
from engines.recordings.recording import ROUTE

_ROUNDING_M = 1e-9
STABLE_STEPS = 5  # within the tolerance before the least rate is halved


@dataclass(frozen=True, eq=False)
class RunTime:
    """The outcome on `D` tracks of up to `n` steps; steps beyond the end of a track are not counted anywhere.

    Attributes:
        rates: index of the rate in every step, D x n.
        levels: level of feedback in every step, D x n.
        errors: error from the begin of the track until every step, D x n.
        lengths: steps of each track, D.
        error_shares: error of each whole track, D.
        mean_rates_hz: D.
        moves: number of moves of the start node by feedback, D.
    """

    rates: IntArray
    levels: IntArray
    errors: FloatArray
    lengths: IntArray
    error_shares: FloatArray
    mean_rates_hz: FloatArray
    moves: IntArray


def run_tree(task: Task, tracks: tuple[TaskTrack, ...], tree: RateTree, tolerance: float, feedback: bool) -> RunTime:
    """Return the tree decides, and its start node moves with the measured error where there is feedback.

    Feedback (goyal-2023 section 3.2.1, Figures 3.2 and 3.5): while the error so far exceeds the tolerance the least rate doubles
    from one second to the next; after `STABLE_STEPS` seconds within it, it halves. On a route the error is that between the
    distance by positions and the distance by steps, which a pedometer counts while the receiver sleeps.
    """
    columns = task.picked(tree.sensors)
    signals = _padded([track.signals[:, columns] for track in tracks])
    world = _SampledTracks(task, tracks)
    level = np.zeros(len(tracks), np.int64)
    stable = np.zeros(len(tracks), np.int64)
    rates = np.empty(signals.shape[:2], np.int64)
    levels, errors = np.zeros_like(rates), np.empty(signals.shape[:2])
    for step in range(signals.shape[1]):
        rates[:, step] = tree.decide(signals[:, step], level)
        levels[:, step] = level
        errors[:, step] = world.advance(step, rates[:, step])
        if feedback:
            # In single precision, as the exported predictor compares.
            wrong = errors[:, step].astype(np.float32) > np.float32(tolerance)
            stable = np.where(wrong, 0, stable + 1)
            calm = stable >= STABLE_STEPS
            level = np.clip(level + wrong - calm, 0, tree.levels - 1)
            stable[calm] = 0
    return _finished(task, world, rates, levels, errors)


def run_fixed(task: Task, tracks: tuple[TaskTrack, ...], rate: int) -> RunTime:
    """Return one rate throughout."""
    world = _SampledTracks(task, tracks)
    rates = np.full((len(tracks), int(world.lengths.max())), rate)
    errors = np.stack([world.advance(step, rates[:, step]) for step in range(rates.shape[1])], axis=1)
    return _finished(task, world, rates, np.zeros_like(rates), errors)


def _finished(task: Task, world: _SampledTracks, rates: IntArray, levels: IntArray, errors: FloatArray) -> RunTime:
    inside = np.arange(rates.shape[1])[None, :] < world.lengths[:, None]
    mean = np.where(inside, task.rates_hz[rates], 0.0).sum(axis=1) / world.lengths
    moved = ((np.diff(levels, axis=1) != 0) & inside[:, 1:]).sum(axis=1)
    last = errors[np.arange(len(errors)), world.lengths - 1]
    return RunTime(rates, levels, errors, world.lengths, last, mean, moved)


def _padded(parts: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    longest = max(map(len, parts))
    return np.stack([np.pad(part, ((0, longest - len(part)), (0, 0)), mode="edge") for part in parts])


class _SampledTracks:
    """The sampled steps and the error so far of every track."""

    def __init__(self, task: Task, tracks: tuple[TaskTrack, ...]) -> None:
        self.task = task
        self.lengths: IntArray = np.array([len(track) for track in tracks])
        longest = int(self.lengths.max())
        self.every = np.arange(len(tracks))
        self.places = np.stack([_held_end(track.places, longest) for track in tracks])
        self.local = np.stack([_held_end(track.errors, longest) for track in tracks]) if task.kind == "frames" else None
        moved = np.linalg.norm(np.diff(self.places, axis=1), axis=2)
        self.way = np.concatenate((np.zeros((len(tracks), 1)), np.cumsum(moved, axis=1)), axis=1)
        self.phase = np.zeros(len(tracks))
        self.sampled_at = np.zeros(len(tracks), np.int64)
        self.lost = np.zeros(len(tracks))

    def advance(self, step: int, rate: IntArray) -> FloatArray:
        """Return the step from `step` on at these rates, shape `D`; the error until its end, shape `D`."""
        if self.local is not None:
            inside = step < self.lengths
            self.lost += np.where(inside, self.local[self.every, step, rate], 0.0)
            return np.asarray(self.lost / np.minimum(step + 1, self.lengths), np.float64)
        # A sample is due when the rates of the steps since the last one add up to one; the first and the last place are taken.
        due = self.phase >= 1.0 - 1e-9
        if step:
            due = due | (step == self.lengths - 1)
        error = self._route(step, due) if self.task.kind == ROUTE else self._series(step, due)
        # What is left over counts for the next one, so that 0.9 Hz is nine samples in ten seconds.
        left = np.where(due, np.maximum(self.phase - 1.0, 0.0), self.phase)
        self.phase = left + self.task.rates_hz[rate] * self.task.period_s
        return error

    def _route(self, step: int, due: npt.NDArray[np.bool_]) -> FloatArray:
        """Sum of |way - chord| over the updates so far, over the way so far (goyal-2023 eq. 3.4), shape `D`."""
        chord = np.linalg.norm(self.places[:, step] - self.places[self.every, self.sampled_at], axis=1)
        missed = self.way[:, step] - self.way[self.every, self.sampled_at] - chord
        inside = step < self.lengths
        self.lost += np.where(due & inside & (np.abs(missed) > _ROUNDING_M), np.abs(missed), 0.0)
        self.sampled_at = np.where(due & inside, step, self.sampled_at)
        way = self.way[:, step]
        return np.asarray(np.divide(self.lost, way, out=np.zeros_like(way), where=way > 0), np.float64)

    def _series(self, step: int, due: npt.NDArray[np.bool_]) -> FloatArray:
        """Return the mean distance of the value that is held from the true one, over the range of what is measured, shape `D`."""
        inside = step < self.lengths
        self.sampled_at = np.where(due & inside, step, self.sampled_at)
        off = np.abs(self.places[:, step, 0] - self.places[self.every, self.sampled_at, 0]) / self.task.scale
        self.lost += np.where(inside, off, 0.0)
        return np.asarray(self.lost / np.minimum(step + 1, self.lengths), np.float64)


def _held_end(values: FloatArray, length: int) -> FloatArray:
    return np.pad(values, ((0, length - len(values)), (0, 0)), mode="edge")
