"""Rates of a board, fitted to measured language models, with the errors of models that a fit has not seen.

The form is that of `engines.survey.language.stage_rates`. Coefficients are non-negative and minimise the sum of absolute relative
errors, so that single models of another kind weigh little (Lawson and Hanson's non-negative least squares, reweighted by the errors
of the round before).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from scipy.optimize import nnls

from engines.contract.arrays import FloatArray
from engines.contract.numeric.ordered_sums import product_in_order
from engines.survey.language.measurements import (
    LanguageMeasurement,
    language_measurements,
    measured_models,
    not_predicted,
    shape_of,
)
from engines.survey.language.stage_rates import STAGES, Stage, StageFit, StageRates, known_median
from engines.survey.language.work import decode_work, prefill_work
from engines.workloads.language.model import LanguageModel
from hardware.bits import bit_widths
from hardware.calibration.error_band import error_band

LEAST_MODELS = 3  # as many as a fit has coefficients
_ROUNDS, _LEAST_ERROR = 30, 1e-3


@dataclass(frozen=True)
class Prediction:
    """A measurement with its prediction by a fit that has not seen the model.

    Attributes:
        row: the measurement.
        seconds_per_token: predicted; None where nothing is predicted.
        reason: why nothing is predicted; "" where it is.
    """

    row: LanguageMeasurement
    seconds_per_token: float | None
    reason: str = ""

    @property
    def error(self) -> float | None:
        """Predicted over measured value, less 1: of the time to the first token, or of tokens per second."""
        if self.seconds_per_token is None:
            return None
        ratio = self.seconds_per_token / self.row.seconds_per_token
        return (ratio if self.row.stage == "prefill" else 1 / ratio) - 1


Features = tuple[float, float, float]
_Key = tuple[str, str, Stage]


@dataclass(frozen=True)
class _Point:
    """A measurement that can be fitted: its shape, and amount, maps and elements of states per token."""

    row: LanguageMeasurement
    shape: str
    features: Features


def features_of(row: LanguageMeasurement, models: Mapping[str, LanguageModel]) -> Features:
    """Return amount, maps and elements of states per token of a measurement."""
    model, bits = models[row.slug], bit_widths(row.bits)
    if row.stage == "decode":
        work = decode_work(model, bits, row.tokens or 1)
        return work.read_bytes, work.matrices, work.state_elements
    work = prefill_work(model, bits, row.tokens or 1, every_expert=True)
    return work.operations, work.matrices, work.state_elements


def fit_rates(features: Sequence[Features], seconds: Sequence[float]) -> StageRates:
    """Return the rates that minimise the sum of absolute relative errors.

    Args:
        features: amount, maps and elements of states per token, one triple per row.
        seconds: per token, measured.

    Raises:
        ValueError: no row.
    """
    if not seconds:
        raise ValueError("At least one measurement is needed for a fit.")
    measured = np.array(seconds, float)
    table = np.array(features, float).reshape(-1, 3) / measured[:, None]
    scale = np.maximum(table.max(axis=0, initial=0.0), np.finfo(float).tiny)
    table /= scale
    found = _least_deviations(table)
    if not found[0]:  # few rows that the maps alone explain: what is read and computed always takes time
        found = np.append(_least_deviations(table[:, :1]), [0.0, 0.0])
    amount, matrix, state = (found / scale).tolist()
    recurrent = bool(table[:, 2].any())
    return StageRates(1 / amount, matrix, (1 / state if state else np.inf) if recurrent else None)


def _least_deviations(table: FloatArray) -> FloatArray:
    """Return non-negative factors of the columns, whose sums are nearest to 1 in absolute value; shape `n x c` to `c`."""
    weights, found = np.ones(len(table)), np.zeros(table.shape[1])
    for _ in range(_ROUNDS):
        found, _ = nnls(table * weights[:, None], weights)
        weights = 1 / np.sqrt(np.maximum(np.abs(product_in_order(table, found) - 1), _LEAST_ERROR))
    return found


def predictions(
    rows: Sequence[LanguageMeasurement] | None = None, models: Mapping[str, LanguageModel] | None = None
) -> tuple[Prediction, ...]:
    """Return every measurement with its prediction, by the rows of models of other shapes alone.

    A rate of states that the other rows of a board do not tell is the median of the other boards.
    """
    rows = language_measurements() if rows is None else rows
    groups = _groups(rows, measured_models() if models is None else models)
    return tuple(_predicted(row, groups) for row in rows)


def stage_fits(
    rows: Sequence[LanguageMeasurement] | None = None, models: Mapping[str, LanguageModel] | None = None
) -> tuple[StageFit, ...]:
    """Return the fits to all rows, with the errors of models left out; boards with fewer than `LEAST_MODELS` models have none."""
    rows = language_measurements() if rows is None else rows
    groups = _groups(rows, measured_models() if models is None else models)
    fits = []
    for key, points in groups.items():
        found = [_predicted(point.row, groups) for point in _used(points)]
        errors = [abs(each.error) for each in found if each.error is not None]
        ratios = [each.seconds_per_token / each.row.seconds_per_token for each in found if each.seconds_per_token]
        if len(_shapes(points)) >= LEAST_MODELS and errors:
            counts = (len(_shapes(points)), len(found))
            fits.append(StageFit(*key, _fitted(points), *counts, median(errors), max(errors), error_band(ratios)))
    return tuple(sorted(fits, key=lambda each: (each.board, each.bits, STAGES.index(each.stage))))


def _key(row: LanguageMeasurement) -> _Key:
    return row.board, row.bits, row.stage


def _groups(rows: Sequence[LanguageMeasurement], models: Mapping[str, LanguageModel]) -> dict[_Key, list[_Point]]:
    groups: dict[_Key, list[_Point]] = {}
    for row in rows:
        if not not_predicted(row):
            groups.setdefault(_key(row), []).append(_Point(row, shape_of(row.slug), features_of(row, models)))
    return groups


def _used(points: Sequence[_Point]) -> list[_Point]:
    """Return the points that fits use: of prompts and contexts that the source states."""
    return [each for each in points if each.row.stated]


def _shapes(points: Sequence[_Point]) -> set[str]:
    return {each.shape for each in _used(points)}


def _fitted(points: Sequence[_Point]) -> StageRates:
    used = _used(points)
    return fit_rates([each.features for each in used], [each.row.seconds_per_token for each in used])


def _predicted(row: LanguageMeasurement, groups: Mapping[_Key, Sequence[_Point]]) -> Prediction:
    if reason := not_predicted(row):
        return Prediction(row, None, reason)
    shape = shape_of(row.slug)
    own = next(each.features for each in groups[_key(row)] if each.row is row)
    seen = [each for each in groups[_key(row)] if each.shape != shape]
    if len(_shapes(seen)) < LEAST_MODELS - 1:
        return Prediction(row, None, "Too few other models were measured on this board in these bits.")
    rates = _fitted(seen)
    if rates.state_per_s is None and own[2]:
        rates = replace(rates, state_per_s=_state_per_s_elsewhere(row, shape, groups))
    return Prediction(row, rates.seconds_per_token(*own))


def _state_per_s_elsewhere(
    row: LanguageMeasurement, shape: str, groups: Mapping[_Key, Sequence[_Point]]
) -> float | None:
    """Return the median rate of states on other boards, fitted without models of a shape; None without."""
    found = []
    for (board, _, stage), points in groups.items():
        others = [each for each in points if each.shape != shape]
        if board != row.board and stage == row.stage and len(_shapes(others)) >= LEAST_MODELS:
            found.append(_fitted(others).state_per_s)
    return known_median(found)
