"""Results from measurements of a run's own designs: a table of the designs, and a note on their effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.integer_format import counted
from engines.contract.progress.measurements import Measurement
from engines.contract.results import Note, Result, Table, TableColumn
from engines.search.rank_agreement import rank_agreement

_UNANSWERED = "Not answered in time"


@dataclass(frozen=True, eq=False)
class Findings:
    """The findings on the designs whose measurement was requested.

    Attributes:
        where, same_device: as `engines.contract.progress.measurements.Measurements` has them.
        budget: largest number of requests.
        asked: numbers of designs, in the order in which they were asked for.
        answers: number -> answer; those that were not answered in time are missing.
        predicted: number -> seconds, of all that were asked for.
        by_others: number -> the factor that the other measured designs give; only where it is defined.
        before, after: the front as predicted, and with measured and corrected latencies.
    """

    where: str
    same_device: bool
    budget: int
    asked: Sequence[int]
    answers: Mapping[int, Measurement]
    predicted: Mapping[int, float]
    by_others: Mapping[int, float]
    before: IntArray
    after: IntArray

    @property
    def measured(self) -> list[int]:
        """Numbers of the designs with a latency."""
        return [n for n in self.asked if n in self.answers and self.answers[n].latency_s is not None]


def measured_results(found: Findings) -> tuple[Result, ...]:
    """Return the table and the note of the measurements."""
    return _table(found), Note("measured-in-run-words", "Changes by measurements", _words(found), role="measured")


def _table(found: Findings) -> Table:
    known = [found.answers.get(number, Measurement(None, trouble=_UNANSWERED)) for number in found.asked]
    corrected = [found.predicted[n] * found.by_others.get(n, np.nan) for n in found.asked]
    columns = [
        TableColumn("Design", np.array(found.asked, dtype=np.float64)),
        TableColumn("Predicted", np.array([found.predicted[n] for n in found.asked]), "s"),
        TableColumn("Measured", _seconds([each.latency_s for each in known]), "s"),
        TableColumn("95 % interval, from", _seconds([each.low_s for each in known]), "s"),
        TableColumn("to", _seconds([each.high_s for each in known]), "s"),
        TableColumn("Corrected by the others (fitted)", np.array(corrected, dtype=np.float64), "s"),
        TableColumn("Why not", tuple(each.trouble for each in known)),
    ]
    shown = columns if any(each.trouble for each in known) else columns[:-1]
    return Table("measured-in-run", "Measured while it searched", tuple(shown), role="measured")


def _seconds(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _words(found: Findings) -> str:
    measured = found.measured
    sentences = [f"{len(measured)} of {counted(found.budget)} designs measured on {found.where}"]
    unanswered = len(found.asked) - len(found.answers)
    refused = len(found.answers) - len(measured)
    if unanswered:
        sentences.append(f"{counted(unanswered)} were not answered in time, and no more are asked for")
    if refused:
        sentences.append(f"{counted(refused)} could not be measured")
    if measured:
        sentences += [_off_words(found, measured), *_order_words(found, measured)]
        # The other objectives of a front are of the device that the run predicts.
        sentences += [_front_words(found)] if found.same_device else []
    return ". ".join(sentences) + "."


def _off_words(found: Findings, measured: Sequence[int]) -> str:
    if not found.same_device:
        return "The run predicts another device; the fitted corrections include the difference between both devices"
    off = [abs(found.predicted[n] / _latency(found, n) - 1) for n in measured]
    words = f"Prediction error: median {100 * float(np.median(off)):.3g} %"
    fitted = [
        abs(found.predicted[n] * found.by_others[n] / _latency(found, n) - 1) for n in measured if n in found.by_others
    ]
    if fitted:
        words += f", {100 * float(np.median(fitted)):.3g} % after correction by the other designs (fitted)"
    return words


def _order_words(found: Findings, measured: Sequence[int]) -> list[str]:
    agreement = rank_agreement([found.predicted[n] for n in measured], [_latency(found, n) for n in measured])
    if agreement is None:
        return []
    words = f"Predicted and measured order designs alike with Kendall's τ = {agreement:.2f}"
    corrected = [found.predicted[n] * found.by_others.get(n, np.nan) for n in measured]
    if np.isfinite(corrected).all():
        again = rank_agreement(corrected, [_latency(found, n) for n in measured])
        words += f", corrected by the others and measured with {again:.2f}"
    return [words]


def _front_words(found: Findings) -> str:
    stay = int(np.isin(found.before, found.after).sum())
    new = len(found.after) - stay
    return (
        f"{counted(stay)} of the {counted(len(found.before))} predicted designs on the front stay after "
        f"measurement and correction. {counted(new)} are new"
    )


def _latency(found: Findings, number: int) -> float:
    latency_s = found.answers[number].latency_s
    assert latency_s is not None  # of measured designs alone
    return latency_s
