"""Predictions beside the measurements of any file with the columns of the tables, by device, runtime and precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from engines.survey.measurements.fit import Group
from engines.survey.measurements.fits import NEAR_SHARE, seen_digests
from engines.survey.measurements.microcontrollers import tiny_digests
from engines.survey.measurements.pools import group_of
from engines.survey.measurements.prediction import Prediction, predict_row
from engines.survey.measurements.rows import MeasuredRow

_NO_FIT = "No device of this family has a fit in this precision, metric and batch."


@dataclass(frozen=True)
class Comparison:
    """A measurement with its prediction.

    Attributes:
        row: the measurement.
        prediction: None where there is none.
        reason: why not; "" where there is one.
        seen: whether a fit used the row.
    """

    row: MeasuredRow
    prediction: Prediction | None
    reason: str
    seen: bool

    @property
    def error(self) -> float:
        """Predicted over measured value, less 1; of a row with a prediction."""
        assert self.prediction is not None
        ratio = self.prediction.seconds / self.row.seconds
        return (1 / ratio if self.row.quantity == "throughput" else ratio) - 1

    @property
    def covered(self) -> bool:
        """Whether the measured value lies in the band; of a row with a prediction."""
        assert self.prediction is not None
        return self.prediction.low_s <= self.row.seconds <= self.prediction.high_s


@dataclass(frozen=True)
class GroupEvaluation:
    """All rows of one device, runtime and precision."""

    group: Group
    comparisons: tuple[Comparison, ...]

    @property
    def used(self) -> tuple[Comparison, ...]:
        """Rows with a prediction."""
        return tuple(each for each in self.comparisons if each.prediction)

    @property
    def rows_seen_in_fit(self) -> int:
        """How many of the rows a fit used."""
        return sum(each.seen for each in self.comparisons)

    def plain(self) -> dict[str, Any]:
        """Return the evaluation as JSON-able data; errors and coverage of no row are None."""
        used, device = self.used, self.comparisons[0].row
        errors = [abs(each.error) for each in used]
        return {
            "device": device.measured_on,
            "boards": list(device.devices),
            "runtime": self.group[1],
            "precision": self.group[2],
            "rows": len(self.comparisons),
            "used": len(used),
            "skipped": [{"row": each.row.number, "reason": each.reason} for each in self.comparisons if each.reason],
            "median_error": median(errors) if errors else None,
            "share_within_25_percent": _share([error <= NEAR_SHARE for error in errors]),
            "coverage_90": _share([each.covered for each in used]),
            "rows_seen_in_fit": self.rows_seen_in_fit,
            "certainty": sorted({each.prediction.certainty for each in used if each.prediction}),
            "band_of": sorted({each.prediction.band_of for each in used if each.prediction}),
        }


def evaluate(rows: Sequence[MeasuredRow]) -> tuple[GroupEvaluation, ...]:
    """Return the rows beside their predictions, in the order in which devices, runtimes and precisions first occur."""
    found: dict[Group, list[Comparison]] = {}
    for row in rows:
        found.setdefault(group_of(row), []).append(_comparison(row))
    return tuple(GroupEvaluation(group, tuple(comparisons)) for group, comparisons in found.items())


def _comparison(row: MeasuredRow) -> Comparison:
    prediction = None if row.reason else predict_row(row)
    reason = row.reason or ("" if prediction else _NO_FIT)
    return Comparison(row, prediction, reason, not row.reason and row.digest in seen_digests() | tiny_digests())


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
