"""Designs of the sweep: fixed rates as baselines, and predictors over tolerances, sensors, sizes of trees and feedback."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.correlation import Correlation, sensor_sets
from engines.methods.seesaw.predictor.decision import FixedRate, Predictor
from engines.methods.seesaw.predictor.task import Task
from engines.methods.seesaw.predictor.tree import training_data

_LEAST_DEVIATION = 0.03


def tolerances_percent(params: SeesawParams) -> list[float]:
    """Return the tolerances, ascending; rounded, so that they read well."""
    values = np.linspace(params.least_tolerance_percent, params.largest_tolerance_percent, params.tolerances)
    return list(dict.fromkeys(round(float(value), 4) for value in values))


def tested_tolerance(task: Task, params: SeesawParams) -> float:
    """Return the tolerance, as a share, at which correlations are looked for.

    The middle one, unless the best rate hardly changes there, as on a smooth recording whose lowest rate is good enough: then
    that at which it changes most, as nothing can be told from what does not change.
    """
    shares = [value / 100.0 for value in tolerances_percent(params)]
    middle = shares[len(shares) // 2]
    changes = rate_deviation(task, middle) >= _LEAST_DEVIATION
    return middle if changes else max(shares, key=lambda share: rate_deviation(task, share))


def rate_deviation(task: Task, tolerance: float) -> float:
    """Return the standard deviation of the best rate over the training tracks, as a share of the range of rates."""
    _, rates = training_data(task.train, [], tolerance)
    return float(np.std(task.rates_hz[rates])) / (float(np.ptp(task.rates_hz)) or 1.0)


def fixed_rates(task: Task) -> list[FixedRate]:
    """Return the highest rate without sleep, then every rate with sleep, highest first."""
    rates = task.rates_hz.tolist()[::-1]
    return [FixedRate(rates[0], sleep=False), *(FixedRate(rate) for rate in rates)]


def predictors(
    task: Task, params: SeesawParams, found: Sequence[Correlation], tolerance_percent: float
) -> list[Predictor]:
    """Return the predictors of one tolerance over all accepted sets of sensors."""
    sizes = dict.fromkeys((params.most_leaves, max(2, params.most_leaves // 2)))
    return [
        Predictor(tolerance_percent, each.sensors, leaves, feedback)
        for each in found
        if each.accepted(params.largest_cross_validation_percent / 100.0)
        for leaves in sizes
        for feedback in feedbacks(task, params)
    ]


def feedbacks(task: Task, params: SeesawParams) -> tuple[bool, ...]:
    """Yield both without and with feedback, as chosen; on videos there is none (goyal-2023 section 3.3.1)."""
    if task.kind == "frames":
        return (False,)
    return {"both": (False, True), "on": (True,), "off": (False,)}[params.feedback]


def most_predictors(task: Task, params: SeesawParams) -> int:
    """Return the upper bound of the predictors that are evaluated."""
    sets = len(sensor_sets(task.signal_names, params.most_sensors))
    sizes = 2 if params.most_leaves >= 4 else 1
    return len(tolerances_percent(params)) * sets * sizes * len(feedbacks(task, params))
