"""The correlation finder: which cheap sensors tell the best rate, by k-fold cross-validation (goyal-2023 section 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.seesaw.predictor.task import FrameArray, Task
from engines.methods.seesaw.predictor.tree import fit, training_data

RANDOM_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_ROWS = 20_000


@dataclass(frozen=True)
class Correlation:
    """The accuracy with which a set of sensors predicts the best rate.

    Attributes:
        sensors: sensors that the predictor reads.
        errors: root mean square error over the folds, as a share of the range of rates, for each of `RANDOM_SHARES`: the share
            of the data whose best rate was replaced by a random one. The first is that of the true data.
        guess_error: error of always saying the mean rate: what a predictor without any correlation has.
    """

    sensors: tuple[str, ...]
    errors: tuple[float, ...]
    guess_error: float

    @property
    def error(self) -> float:
        """Return the error on the true data."""
        return self.errors[0]

    def accepted(self, largest_error: float) -> bool:
        """Return whether the error is small, and smaller than without any correlation."""
        return self.error <= largest_error and self.error < 0.95 * self.guess_error


def sensor_sets(names: tuple[str, ...], most: int) -> list[tuple[str, ...]]:
    """Return all sets of one to `most` sensors, small ones first."""
    return [each for size in range(1, most + 1) for each in combinations(names, size)]


def correlation(
    task: Task, sensors: tuple[str, ...], tolerance: float, leaves: int, folds: int, random: np.random.Generator
) -> Correlation:
    """Cross-validate the predictor of these sensors on true and on partly random data.

    Folds are whole stretches of the data, not single steps: neighbouring steps are alike, and a tree tested on the neighbours
    of what it learnt would look better than it is.
    """
    signals, best, span = _data(task, sensors, tolerance)
    errors = []
    for share in RANDOM_SHARES:
        mixed = best.copy()
        replaced = random.random(best.size) < share
        mixed[replaced] = random.choice(task.rates_hz, int(replaced.sum()))
        errors.append(_cross_validated(signals, mixed, leaves, folds) / span)
    return Correlation(sensors, tuple(errors), float(np.std(best)) / span)


def cross_validation_error(task: Task, sensors: tuple[str, ...], tolerance: float, leaves: int, folds: int) -> float:
    """Return the error on the true data alone: `Correlation.error`."""
    signals, best, span = _data(task, sensors, tolerance)
    return _cross_validated(signals, best, leaves, folds) / span


def _data(task: Task, sensors: tuple[str, ...], tolerance: float) -> tuple[FrameArray, FloatArray, float]:
    signals, rates = training_data(task.train, task.picked(sensors), tolerance)
    every = -(-rates.size // MOST_ROWS)
    span = float(task.rates_hz[-1] - task.rates_hz[0]) or 1.0
    return signals[::every], task.rates_hz[rates[::every]], span


def _cross_validated(signals: FrameArray, rates_hz: FloatArray, leaves: int, folds: int) -> float:
    fold = np.arange(rates_hz.size) * folds // rates_hz.size
    squares = np.empty(rates_hz.size)
    for number in range(folds):
        tested = fold == number
        model = fit(signals[~tested], rates_hz[~tested], leaves)
        squares[tested] = (model.predict(signals[tested]) - rates_hz[tested]) ** 2  # type: ignore[attr-defined]
    return float(np.sqrt(squares.mean()))
