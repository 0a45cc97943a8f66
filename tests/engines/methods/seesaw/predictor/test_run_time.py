"""Errors of sampling at work, against plain formulas; what feedback does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.seesaw.predictor.run_time import run_fixed, run_tree
from engines.methods.seesaw.predictor.task import Task, TaskTrack, build_task
from engines.methods.seesaw.predictor.tree import RateTree, train
from engines.recordings.loader import load_recording
from engines.recordings.routes import Route
from hardware.sensor_node.model import RatedSensor
from tests.engines.methods.seesaw.predictor.cases import task_of
from tests.engines.methods.seesaw.problems import recording
from tests.engines.recordings.route_error import route_error


def _routes() -> Task:
    return task_of("routes", "fitness-tracker")


@pytest.mark.parametrize("interval", [1, 2, 5, 10])
def test_a_fixed_rate_has_the_route_error_of_its_updates(interval: int) -> None:
    task = _routes()
    index = int(np.argmin(np.abs(task.rates_hz - 1 / interval)))
    run = run_fixed(task, task.test, index)
    for track, error in zip(task.test, run.error_shares, strict=True):
        updates = np.arange(len(track)) % interval == 0
        route = Route(task.period_s, track.places[:, 0], track.places[:, 1])
        assert error == pytest.approx(route_error(route, updates), abs=1e-9)
    assert run.mean_rates_hz == pytest.approx(1 / interval)


def test_rates_between_two_steps_are_kept_on_average() -> None:
    task = _routes()
    run = run_fixed(task, task.test, int(np.argmin(np.abs(task.rates_hz - 0.4))))
    assert run.mean_rates_hz == pytest.approx(0.4) and np.all(np.diff(run.errors[:, 1:], axis=1) > -1)


def test_feedback_keeps_the_largest_error_near_the_tolerance_and_costs_rate() -> None:
    task = _routes()
    tree = train(task, ("turn",), 0.02, 5)
    without, with_feedback = (run_tree(task, task.test, tree, 0.01, feedback) for feedback in (False, True))
    assert without.moves.sum() == 0 < with_feedback.moves.sum()
    assert with_feedback.error_shares.max() < without.error_shares.max()
    assert with_feedback.mean_rates_hz.mean() > without.mean_rates_hz.mean()


def test_an_error_beyond_the_tolerance_doubles_the_least_rate_at_the_next_step() -> None:
    task = _routes()
    tree = train(task, ("turn",), 0.1, 5)
    run = run_tree(task, task.test, tree, 0.01, feedback=True)
    wrong = run.errors[:, :-1].astype(np.float32) > np.float32(0.01)
    before, after = run.levels[:, :-1], run.levels[:, 1:]
    assert np.all(after[wrong] == np.minimum(before[wrong] + 1, tree.levels - 1))
    assert np.all(after[~wrong] <= before[~wrong]) and np.all(before[~wrong] - after[~wrong] <= 1)
    assert np.all(task.rates_hz[run.rates] >= task.rates_hz[tree.least_rates[run.levels]])


def test_videos_average_the_errors_of_their_seconds() -> None:
    task = task_of("videos", "openmv-gps-camera")
    run = run_fixed(task, task.test, 2)
    assert run.error_shares == pytest.approx([track.errors[:, 2].mean() for track in task.test])


def plainly(
    task: Task, track: TaskTrack, tree: RateTree, tolerance: float, feedback: bool
) -> tuple[list[float], list[int], int]:
    """The errors until every step, the levels and the moves of one track, step by step as the text says it."""
    signals = track.signals[:, task.picked(tree.sensors)]
    way = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(track.places, axis=0).T)))) if task.kind == "route" else []
    phase, sampled, lost, level, stable = 0.0, 0, 0.0, 0, 0
    errors, levels = [], []
    for step in range(len(track)):
        rate = int(tree.decide(signals[step][None], np.array([level]))[0])
        due = step > 0 and (step == len(track) - 1 or phase >= 1 - 1e-9)
        if task.kind == "frames":
            lost += track.errors[step, rate]
            errors.append(lost / (step + 1))
        elif task.kind == "route":
            if due:
                lost += way[step] - way[sampled] - float(np.hypot(*(track.places[step] - track.places[sampled])))
                sampled = step
            errors.append(lost / way[step] if way[step] else 0.0)
        else:
            sampled = step if due else sampled
            lost += abs(track.places[step, 0] - track.places[sampled, 0]) / task.scale
            errors.append(lost / (step + 1))
        phase = (phase - 1 if due and phase > 1 else 0.0 if due else phase) + task.rates_hz[rate] * task.period_s
        levels.append(level)
        if (
            feedback
        ):  # doubled from one second to the next while the error is too large, halved after five seconds within it
            if np.float32(errors[-1]) > np.float32(tolerance):
                level, stable = min(level + 1, tree.levels - 1), 0
            elif (stable := stable + 1) == 5:
                level, stable = max(level - 1, 0), 0
    return errors, levels, int(np.count_nonzero(np.diff(levels)))


@pytest.mark.parametrize("feedback", [False, True])
@pytest.mark.parametrize("kind", ["routes", "videos", "weather"])
def test_tracks_of_unequal_lengths_run_as_each_would_alone(kind: str, feedback: bool) -> None:
    if kind == "weather":
        gauge = RatedSensor("gauge", (1 / 3600, 1 / 1800, 1 / 900, 1 / 300), 16.0, None, None)
        data = recording(kind, tracks=6, duration_s=40_000, step_s=300.0, measures="rain")
        task = build_task(load_recording(data.content), gauge, 0.5, 6.0)
    else:
        task = task_of(kind, "fitness-tracker" if kind == "routes" else "openmv-gps-camera")
    tracks = tuple(
        replace(track, signals=track.signals[:length], errors=track.errors[:length], places=track.places[:length])
        for track, length in zip(task.test, (110, 40, 75), strict=False)
    )
    tree = train(task, task.signal_names[:2], 0.3 if kind == "videos" else 0.05, 6)
    run = run_tree(task, tracks, tree, 0.004, feedback)
    assert (run.errors[:, 1:30] > 0).any(), "there is an error to sum up"
    for place, track in enumerate(tracks):
        errors, levels, moves = plainly(task, track, tree, 0.004, feedback)
        count = len(track)
        assert run.lengths[place] == count
        np.testing.assert_allclose(run.errors[place, :count], errors, atol=1e-9)
        assert run.levels[place, :count].tolist() == levels and run.moves[place] == moves
        assert run.error_shares[place] == pytest.approx(errors[-1], abs=1e-9)
        assert run.mean_rates_hz[place] == pytest.approx(float(np.mean(task.rates_hz[run.rates[place, :count]])))
    fixed = run_fixed(task, tracks, 1)
    np.testing.assert_allclose(fixed.mean_rates_hz, task.rates_hz[1])
    assert fixed.rates.shape == fixed.errors.shape == (3, 110)
