"""Predictions of language models next to public measurements: errors of models that a fit has not seen, and a simple baseline.

The baseline says that a board reads the same bytes per second whatever runs: tokens per second times the memory that the source
measured is one constant. It needs that memory, which no prediction uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from engines.survey.language.fit import Prediction, predictions
from engines.survey.language.measurements import LanguageMeasurement, language_measurements, shape_of
from engines.survey.language.stage_rates import STAGES, Stage


@dataclass(frozen=True)
class ValidationRow:
    """One measurement with its prediction and the baseline.

    Attributes:
        prediction: by a fit that has not seen the model.
        baseline_error: of the baseline, fitted to other models; None in prefill and where the source gives no memory.
    """

    prediction: Prediction
    baseline_error: float | None

    @property
    def row(self) -> LanguageMeasurement:
        """The measurement."""
        return self.prediction.row

    @property
    def predicted_value(self) -> float | None:
        """Seconds to the first token, or tokens per second; None where nothing is predicted."""
        seconds = self.prediction.seconds_per_token
        if seconds is None:
            return None
        return seconds * (self.row.tokens or 1) if self.row.stage == "prefill" else 1 / seconds


@dataclass(frozen=True)
class ValidationGroup:
    """Errors on one board in one precision and stage, over measurements whose prompt or context the source states.

    Attributes:
        board, bits, stage: measured board, bits and stage.
        count: measurements.
        error_median, error_worst: absolute, as shares.
        worst_model: as the source calls it.
        baseline_median, baseline_worst: of the baseline; None without.
    """

    board: str
    bits: str
    stage: Stage
    count: int
    error_median: float
    error_worst: float
    worst_model: str
    baseline_median: float | None
    baseline_worst: float | None


@cache
def validation_rows() -> tuple[ValidationRow, ...]:
    """Return every public measurement with prediction and baseline, in the order of the table; computed once per process."""
    rows = language_measurements()
    return tuple(ValidationRow(each, _baseline_error(each.row, rows)) for each in predictions(rows))


def validation_groups(rows: Sequence[ValidationRow] | None = None) -> tuple[ValidationGroup, ...]:
    """Return the errors of each board, precision and stage that has predictions.

    Args:
        rows: rows of `validation_rows`; all by default.
    """
    groups: dict[tuple[str, str, Stage], list[ValidationRow]] = {}
    for each in validation_rows() if rows is None else rows:
        if each.prediction.error is not None and each.row.stated:
            groups.setdefault((each.row.board, each.row.bits, each.row.stage), []).append(each)
    found = [_group(*key, members) for key, members in groups.items()]
    return tuple(sorted(found, key=lambda each: (each.board, each.bits, STAGES.index(each.stage))))


def _group(board: str, bits: str, stage: Stage, members: Sequence[ValidationRow]) -> ValidationGroup:
    errors = {abs(each.prediction.error or 0.0): each.row.model for each in members}
    baseline = [abs(each.baseline_error) for each in members if each.baseline_error is not None]
    return ValidationGroup(
        board, bits, stage, len(members), median(abs(each.prediction.error or 0.0) for each in members), max(errors),
        errors[max(errors)], median(baseline) if baseline else None, max(baseline, default=None),
    )  # fmt: skip


def _baseline_error(row: LanguageMeasurement, rows: Sequence[LanguageMeasurement]) -> float | None:
    """Return the error of tokens per second from the median of bytes per second of other models; None without memory."""
    if row.stage != "decode" or not row.memory_mb:
        return None
    constants = [
        each.memory_mb / each.seconds_per_token
        for each in rows
        if each.memory_mb and each.stage == "decode" and (each.board, each.bits) == (row.board, row.bits)
        and shape_of(each.slug) != shape_of(row.slug)
    ]  # fmt: skip
    return median(constants) / (row.memory_mb / row.seconds_per_token) - 1 if constants else None
