"""The engine on synthetic routes and videos: gains, intervals, errors and the predictor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engines.contract.engine import Executor
from engines.methods.seesaw.reproduction.rows import (
    CALIBRATIONS,
    CAMERA,
    OTHER_MICROCONTROLLER,
    PROCESSOR_SLEEP_SHARE,
    SYNTHETIC_ROUTES,
    SYNTHETIC_VIDEOS,
    TOLERANCES,
    TRACKER,
    compare,
    problem_of,
)
from engines.reproduction.comparisons import Comparison
from engines.running.context import LocalContext
from engines.running.inspection import evaluate

Columns = Mapping[str, Mapping[str, Any]]  # by reading, those of the designs in their order

_TRACKER_DECISIONS = [
    {"tolerance_percent": float(tolerance), "sensors": ["turn"], "leaves": 9, "feedback": feedback}
    for tolerance in TOLERANCES
    for feedback in (True, False)
]
_CAMERA_DECISIONS = [
    {"tolerance_percent": float(tolerance), "sensors": ["speed", "motion_vectors"], "leaves": 10, "feedback": False}
    for tolerance in TOLERANCES
]
_COLUMNS = ("gain_percent", "mean_interval_s", "mean_rate_hz", "error_percent", "largest_error_percent", "decision_s",
            "flash_bytes")  # fmt: skip
BLANK: Columns = {reading: dict.fromkeys(_COLUMNS, np.full(2 * len(TOLERANCES), np.nan)) for reading, _ in CALIBRATIONS}


def run_tracker(executor: Executor) -> Columns:
    """The fitness tracker on routes, with and without feedback."""
    found = {}
    for reading, calibration in CALIBRATIONS:
        problem = problem_of(TRACKER, "synthetic-routes", {"power": calibration})
        found[reading] = evaluate(problem, _TRACKER_DECISIONS, LocalContext(problem, executor)).columns
    return found


def run_camera(executor: Executor) -> Columns:
    """The video camera on videos, half of which train its predictor."""
    found = {}
    for reading, calibration in CALIBRATIONS:
        params = {
            "power": calibration,
            "processor_sleep_share": PROCESSOR_SLEEP_SHARE,
            "train_share": 50 / 95,
            "most_leaves": 10,
        }
        problem = problem_of(CAMERA, "synthetic-videos", params)
        found[reading] = evaluate(problem, _CAMERA_DECISIONS, LocalContext(problem, executor)).columns
    return found


def tracker_routes(found: Columns) -> Iterator[Comparison]:
    """Figures 3.11 to 3.13, and the tracker's predictor."""
    group = "Fitness tracker: on routes"
    for reading, calibration in CALIBRATIONS:
        columns = found[reading]
        for place, tolerance in enumerate(TOLERANCES):
            on, off = 2 * place, 2 * place + 1
            words = f"tolerance {tolerance} %"
            gain = float(columns["gain_percent"][on])
            yield compare(f"Gain over sleep, {words}, in use 100%", reading, f"fig3.13.seesaw_over_sleep.f1.tol{tolerance}", gain,
                       "%", "fitted", group, SYNTHETIC_ROUTES)  # fmt: skip
            if calibration != "shares":
                continue
            interval = float(columns["mean_interval_s"][on])
            key = f"fig3.11.average_update_interval.tol{tolerance}"
            name = f"Mean interval of updates, {words}"
            yield compare(name, reading, key, interval, "s", "fitted", group, SYNTHETIC_ROUTES)
            largest = columns["largest_error_percent"]
            yield compare(f"Largest error with feedback, {words}", reading, f"fig3.12.max_with_feedback.tol{tolerance}",
                       float(largest[on]), "%", "fitted", group, SYNTHETIC_ROUTES, ordering=bool(largest[on] < largest[off])
                       )  # fmt: skip
            yield compare(f"Largest error without feedback, {words}", reading, f"fig3.12.max_without_feedback.tol{tolerance}",
                       float(largest[off]), "%", "fitted", group, SYNTHETIC_ROUTES)  # fmt: skip
            yield compare(f"Average error, {words}", reading, f"fig3.12.average.tol{tolerance}",
                       float(columns["error_percent"][on]), "%", "fitted", group, SYNTHETIC_ROUTES)  # fmt: skip
        if calibration == "shares":
            yield from _predictor_rows("tracker", columns, reading)


def camera_videos(found: Columns) -> Iterator[Comparison]:
    """Figures 3.7 to 3.9, and the camera's predictor."""
    group = "Video camera: on videos"
    for reading, calibration in CALIBRATIONS:
        columns = found[reading]
        for place, tolerance in enumerate(TOLERANCES):
            words = f"tolerance {tolerance} %"
            gain = float(columns["gain_percent"][place])
            yield compare(f"Gain over sleep, average of gains per video, {words}", reading, f"fig3.9.seesaw_gain.tol{tolerance}",
                       gain, "%", "fitted", group, SYNTHETIC_VIDEOS)  # fmt: skip
            if calibration != "shares":
                continue
            yield compare(f"Mean frame rate, {words}", reading, f"fig3.7.average_frame_rate.tol{tolerance}",
                       float(columns["mean_rate_hz"][place]), "fps", "fitted", group, SYNTHETIC_VIDEOS)  # fmt: skip
            error = float(columns["error_percent"][place])
            yield compare(f"Average error, {words}", reading, f"fig3.8.average_error.tol{tolerance}", error, "%", "fitted", group,
                       SYNTHETIC_VIDEOS, ordering=error <= tolerance)  # fmt: skip
        if calibration == "shares":
            yield from _predictor_rows("camera", columns, reading)


def _predictor_rows(title: str, columns: Mapping[str, Any], reading: str) -> Iterator[Comparison]:
    group = f"Predictor on a microcontroller: of the {title}"
    seconds, flash = float(np.mean(columns["decision_s"])), float(np.mean(columns["flash_bytes"]))
    name = f"Run time of a decision, {title}"
    yield compare(
        name, reading, f"tree.runtime_{title}", 1e6 * seconds, "us", "predicted", group, OTHER_MICROCONTROLLER
    )
    name = f"Flash of one tree, {title}"
    yield compare(name, reading, "tree.memory_flash", flash / 1e3, "kB", "predicted", group, OTHER_MICROCONTROLLER)
