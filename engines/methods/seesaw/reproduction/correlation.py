"""The correlation finder: cross-validation on true, randomised and foreign data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from engines.contract.engine import Executor
from engines.contract.random_streams import random_stream
from engines.methods.seesaw.correlation import RANDOM_SHARES, correlation
from engines.methods.seesaw.evaluation import build_instance
from engines.methods.seesaw.reproduction.rows import (
    CAMERA,
    NOISY,
    SHARES,
    SQUARE,
    SQUARED,
    TOLERANCES,
    TRACKER,
    TRUE_ERRORS,
    compare,
    problem_of,
    published_result,
)
from engines.methods.seesaw.task import build_task
from engines.recordings.loader import builtin_recordings, load_recording
from engines.reproduction.comparisons import Comparison
from hardware.sensor_node.model import RatedSensor

_FOLDS = 10


_DEVICES = (
    ("tracker", TRACKER, "synthetic-routes", ("turn",), 9),
    ("camera", CAMERA, "synthetic-videos", ("speed", "motion_vectors"), 10),
)
Errors = Mapping[str, Any]  # by device, of the true data and of rising shares of random ones
BLANK: Errors = {title: np.full(len(RANDOM_SHARES), np.nan) for title, *_ in _DEVICES}
_WEATHER = ("temperature", "humidity")
BLANK_WEATHER: Mapping[int, Sequence[float]] = dict.fromkeys(TOLERANCES, (nan, nan))


def run_cross_validation(_: Executor) -> Errors:
    """Errors of both devices on their recordings."""
    found = {}
    for title, device, recording, sensors, leaves in _DEVICES:
        instance = build_instance(problem_of(device, recording, {}))
        random = random_stream(1, "reproduction", *sensors)
        found[title] = np.array(correlation(instance.task, sensors, 0.1, leaves, _FOLDS, random).errors)
    return found


def cross_validation(found: Errors) -> Iterator[Comparison]:
    """Figures 3.6 and 3.10, and the correlation that the text requires."""
    group = "Correlation finder"
    for title, *_ in _DEVICES:
        for reading, errors in ((SHARES, found[title]), (SQUARE, found[title] ** 2)):
            why = NOISY if reading == SHARES else SQUARED
            name = f"Cross-validation error of the true data, {title}, of the range of rates"
            yield compare(name, reading, TRUE_ERRORS[title], float(errors[0]), "", "predicted", group, why)
            least = float(errors[1:].min() / errors[0])
            name = f"Randomised over true data, least of {', '.join(f'{share:.0%}' for share in RANDOM_SHARES[1:])} random, {title}"
            key = "correlation.random_over_true"
            yield compare(name, reading, key, least, "x", "predicted", group, why, ordering=least > 1)


def run_weather(_: Executor) -> Mapping[int, Sequence[float]]:
    """Errors of a rain gauge by temperature and by humidity, per tolerance."""
    gauge = RatedSensor("rain-gauge", tuple(1 / seconds for seconds in (3600, 1800, 900, 600, 300)), 16.0, None, None)
    task = build_task(load_recording(builtin_recordings()["synthetic-weather"]), gauge, 0.5, 1.0)
    return {
        tolerance: [
            correlation(task, (name,), tolerance / 100, 9, _FOLDS, random_stream(1, "weather", name)).error
            for name in _WEATHER
        ]
        for tolerance in TOLERANCES
    }


def agriculture(found: Mapping[int, Sequence[float]]) -> Iterator[Comparison]:
    """Table 3.1."""
    group = "Correlation finder"
    why = (
        "On synthetic weather in which rain follows humidity. The published errors have no unit; those of temperature are larger "
        "than any rate, so that only the order can be compared."
    )
    for tolerance in TOLERANCES:
        errors = found[tolerance]
        sources = [f"table3.1.{name}.tol{tolerance}" for name in _WEATHER]
        temperature, humidity = (published_result(source)["value"] for source in sources)
        row = {"value": temperature / humidity, "where": "Table 3.1", "sources": sources}
        name = f"Rain: cross-validation error of temperature over that of humidity, tolerance {tolerance} %"
        ratio = errors[0] / errors[1]
        yield compare(name, "", row, ratio, "x", "predicted", group, why, ordering=ratio > 1)
