"""The engine on synthetic routes and videos: gains, intervals, errors and the predictor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.methods.seesaw.costs.power import Calibration
from engines.methods.seesaw.reproduction.rows import (
    CALIBRATIONS,
    CAMERA,
    OTHER_MICROCONTROLLER,
    PROCESSOR_SLEEP_SHARE,
    PUBLICATION,
    SYNTHETIC_ROUTES,
    SYNTHETIC_VIDEOS,
    TOLERANCES,
    TRACKER,
    problem_of,
)
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Rows
from engines.running.inspection import evaluate

Columns = Mapping[str, Any]  # those of the designs, in their order

_TRACKER_DECISIONS = [
    {"tolerance_percent": float(tolerance), "sensors": ["turn"], "leaves": 9, "feedback": feedback}
    for tolerance in TOLERANCES
    for feedback in (True, False)
]
_CAMERA_DECISIONS = [
    {"tolerance_percent": float(tolerance), "sensors": ["speed", "motion_vectors"], "leaves": 10, "feedback": False}
    for tolerance in TOLERANCES
]
_COLUMNS = (
    "gain_percent",
    "mean_interval_s",
    "mean_rate_hz",
    "error_percent",
    "largest_error_percent",
    "decision_s",
    "flash_bytes",
)
_PREDICTOR = "Predictor on a microcontroller: of the {}"
_BLANK = dict.fromkeys(_COLUMNS, np.full(2 * len(TOLERANCES), np.nan))


@dataclass(frozen=True)
class OnRoutes(Case[Columns]):
    """The fitness tracker on routes, with and without feedback."""

    calibration: Calibration

    def run(self) -> Columns:
        """Return the columns of the designs of a search."""
        problem = problem_of(TRACKER, "synthetic-routes", {"power": self.calibration})
        return evaluate(problem, _TRACKER_DECISIONS).columns

    def blank(self) -> Columns:
        """Return the published rows with NaN as computed values."""
        return _BLANK


@dataclass(frozen=True)
class OnVideos(Case[Columns]):
    """The video camera on videos, half of which train its predictor."""

    calibration: Calibration

    def run(self) -> Columns:
        """Return the columns of the designs of a search."""
        params = {
            "power": self.calibration,
            "processor_sleep_share": PROCESSOR_SLEEP_SHARE,
            "train_share": 50 / 95,
            "most_leaves": 10,
        }
        problem = problem_of(CAMERA, "synthetic-videos", params)
        return evaluate(problem, _CAMERA_DECISIONS).columns

    def blank(self) -> Columns:
        """Return the published rows with NaN as computed values."""
        return _BLANK


def tracker_routes(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figures 3.11 to 3.13, and the tracker's predictor."""
    for reading, calibration in CALIBRATIONS:
        rows = PUBLICATION.rows("Fitness tracker: on routes", reading, SYNTHETIC_ROUTES, "fitted")
        columns = look(OnRoutes(calibration))
        for place, tolerance in enumerate(TOLERANCES):
            on, off = 2 * place, 2 * place + 1
            largest = columns["largest_error_percent"]
            found: list[tuple[str, str, float, bool | None]] = [
                ("Gain over sleep, {}, in use 100%", "fig3.13.seesaw_over_sleep.f1", columns["gain_percent"][on], None),
                (
                    "Mean interval of updates, {}",
                    "fig3.11.average_update_interval",
                    columns["mean_interval_s"][on],
                    None,
                ),
                (
                    "Largest error with feedback, {}",
                    "fig3.12.max_with_feedback",
                    largest[on],
                    largest[on] < largest[off],
                ),
                ("Largest error without feedback, {}", "fig3.12.max_without_feedback", largest[off], None),
                ("Average error, {}", "fig3.12.average", columns["error_percent"][on], None),
            ]
            yield from _fitted(found[: None if calibration == "shares" else 1], tolerance, rows)
        if calibration == "shares":
            yield _decision_time("tracker", columns, reading)


def camera_videos(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figures 3.7 to 3.9, and the camera's predictor."""
    for reading, calibration in CALIBRATIONS:
        rows = PUBLICATION.rows("Video camera: on videos", reading, SYNTHETIC_VIDEOS, "fitted")
        columns = look(OnVideos(calibration))
        for place, tolerance in enumerate(TOLERANCES):
            gain, error = columns["gain_percent"][place], columns["error_percent"][place]
            found: list[tuple[str, str, float, bool | None]] = [
                ("Gain over sleep, average of gains per video, {}", "fig3.9.seesaw_gain", gain, None),
                ("Mean frame rate, {}", "fig3.7.average_frame_rate", columns["mean_rate_hz"][place], None),
                ("Average error, {}", "fig3.8.average_error", error, error <= tolerance),
            ]
            yield from _fitted(found[: None if calibration == "shares" else 1], tolerance, rows)
        if calibration == "shares":
            yield _decision_time("camera", columns, reading)
            trees = [float(np.mean(each["flash_bytes"])) / 1e3 for each in (look(OnRoutes("shares")), columns)]
            both = PUBLICATION.rows(_PREDICTOR.format("camera"), reading=reading, why=OTHER_MICROCONTROLLER)
            yield both("Flash of both trees", "tree.memory_flash", sum(trees))


def _fitted(found: Sequence[tuple[str, str, float, bool | None]], tolerance: int, rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of one tolerance: what is compared, name of the published value, ours and whether the same side wins."""
    for words, key, ours, same_side in found:
        none = 0 if words.startswith("Gain") else None
        yield rows(
            words.format(f"tolerance {tolerance} %"), f"{key}.tol{tolerance}", ours, same_side=same_side, baseline=none
        )


def _decision_time(title: str, columns: Columns, reading: str) -> Comparison:
    rows = PUBLICATION.rows(_PREDICTOR.format(title), reading=reading, why=OTHER_MICROCONTROLLER)
    seconds = float(np.mean(columns["decision_s"]))
    return rows(f"Run time of a decision, {title}", f"tree.runtime_{title}", 1e6 * seconds)
