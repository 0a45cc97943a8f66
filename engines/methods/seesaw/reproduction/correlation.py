"""The correlation finder: cross-validation on true, randomised and foreign data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.numeric.random_streams import random_stream
from engines.methods.seesaw.evaluation import build_instance
from engines.methods.seesaw.predictor.correlation import RANDOM_SHARES, correlation
from engines.methods.seesaw.predictor.task import build_task
from engines.methods.seesaw.reproduction.rows import (
    CAMERA,
    NOISY,
    PUBLICATION,
    SHARES,
    SQUARE,
    SQUARED,
    TOLERANCES,
    TRACKER,
    TRUE_ERRORS,
    problem_of,
)
from engines.recordings.loader import builtin_recordings, load_recording
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, NumberCase, OutcomeReader
from hardware.sensor_node.model import RatedSensor

_FOLDS = 10

_DEVICES = (
    ("tracker", TRACKER, "synthetic-routes", ("turn",), 9),
    ("camera", CAMERA, "synthetic-videos", ("speed", "motion_vectors"), 10),
)
_WEATHER = ("temperature", "humidity")


@dataclass(frozen=True)
class Errors(Case[FloatArray]):
    """Errors of the finder on a device's recordings, of the true data and of rising shares of random ones."""

    device: str
    recording: str
    sensors: tuple[str, ...]
    leaves: int

    def run(self) -> FloatArray:
        """Return one error per share of `RANDOM_SHARES`."""
        instance = build_instance(problem_of(self.device, self.recording, {}))
        random = random_stream(1, "reproduction", *self.sensors)
        return np.array(correlation(instance.task, self.sensors, 0.1, self.leaves, _FOLDS, random).errors)

    def blank(self) -> FloatArray:
        """Return the published rows with NaN as computed values."""
        return np.full(len(RANDOM_SHARES), np.nan)


@dataclass(frozen=True)
class Rain(NumberCase):
    """Error of a rain gauge's rate predicted from one sensor."""

    sensor: str
    tolerance_percent: int

    def run(self) -> float:
        """Return the error of its cross-validation."""
        rates_hz = tuple(1 / seconds for seconds in (3600, 1800, 900, 600, 300))
        gauge = RatedSensor("rain-gauge", rates_hz, 16.0, None, None)
        task = build_task(load_recording(builtin_recordings()["synthetic-weather"]), gauge, 0.5, 1.0)
        random = random_stream(1, "weather", self.sensor)
        return correlation(task, (self.sensor,), self.tolerance_percent / 100, 9, _FOLDS, random).error


def cross_validation(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figures 3.6 and 3.10, and the correlation that the text requires."""
    rows = PUBLICATION.rows("Correlation finder")
    for title, device, recording, sensors, leaves in _DEVICES:
        found = look(Errors(device, recording, sensors, leaves))
        for reading, errors in ((SHARES, found), (SQUARE, found**2)):
            why = NOISY if reading == SHARES else SQUARED
            name = f"Cross-validation error of the true data, {title}, of the range of rates"
            yield rows(name, TRUE_ERRORS[title], float(errors[0]), reading=reading, why=why)
            least = float(errors[1:].min() / errors[0])
            name = f"Randomised over true data, least of {', '.join(f'{share:.0%}' for share in RANDOM_SHARES[1:])} random, {title}"
            key = f"correlation.random_over_true.{title}"
            yield rows(name, key, least, reading=reading, same_side=least > 1, why=why, test="at least")


def agriculture(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 3.1."""
    rows = PUBLICATION.rows("Correlation finder")
    why = (
        "On synthetic weather in which rain follows humidity. The published errors have no unit. The errors of "
        "temperature are larger than any rate, so that only the order can be compared."
    )
    for tolerance in TOLERANCES:
        temperature_error, humidity_error = (look(Rain(sensor, tolerance)) for sensor in _WEATHER)
        sources = [f"table3.1.{name}.tol{tolerance}" for name in _WEATHER]
        temperature, humidity = (PUBLICATION.value(source) for source in sources)
        name = f"Rain: cross-validation error of temperature over that of humidity, tolerance {tolerance} %"
        ratio = temperature_error / humidity_error
        yield rows(
            name, PUBLICATION.derived(temperature / humidity, "x", *sources), ratio, same_side=ratio > 1, why=why
        )
