"""Measurements while a run searches: which designs are asked for, when, and what their answers change.

After every step that a run can continue from, the requested share of the budget is that of the work done, and what is left at
the end, a few designs at a time: of the front, those that the correction is least certain of. The columns of designs stay as they
are predicted, so that `Engine.evaluate` gives the same again; what is measured and what is corrected by it stand next to them.

Who is asked, in which order, and every answer are part of the checkpoint: a run that continues asks and knows the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Engine, Problem, Recorder, Step
from engines.contract.errors import StopRequested
from engines.contract.fronts.front import front_among
from engines.contract.integer_format import counted
from engines.contract.progress.measurements import Measurement, MeasurementRequest, Measurements
from engines.contract.quantities import objectives_of
from engines.running.measured_results import Findings, measured_results
from engines.search.measured_ratio import RatioFit, Scaling, least_certain

ROUNDS = 4  # into which a budget is divided at least, so that the first answers decide what is asked next
_NORMAL = 1.96  # half a 95 % interval over its standard deviation


class MeasuringLoop:
    """The requests and answers of one run's measurements.

    Args:
        engine: whose designs; of one that is not `measurable` nothing is asked.
        problem: problem of the run.
        measurements: access to the measuring device.
        kept: `state` of an earlier attempt; None at the start.
    """

    def __init__(
        self, engine: Engine, problem: Problem, measurements: Measurements, kept: Mapping[str, Any] | None = None
    ) -> None:
        measurable = engine.measurable
        self.column = "" if measurable is None else measurable.column
        self._told_columns = () if measurable is None else measurable.figures
        self.budget = measurements.budget if measurable is not None else 0
        self.asked: list[int] = []
        self.answers: dict[int, Measurement] = {}
        self.given_up = False
        self._measurements = measurements
        self._quantities = engine.quantities_of(problem.params)
        self._scaling: Scaling | None = None
        self._fit: RatioFit | None = None
        self._fitted: list[int] = []
        self._kept = kept

    @property
    def state(self) -> dict[str, Any] | None:
        """Return the state for the next attempt; None if the run measures nothing."""
        if not self.budget:
            return None
        scaling = self._scaling
        return {
            "asked": self.asked,
            "answers": [[number, *astuple(answer)] for number, answer in self.answers.items()],
            "given_up": self.given_up,
            "scaling": None if scaling is None else [scaling.centre.tolist(), scaling.spread.tolist()],
        }

    def restore(self, designs: Designs) -> None:
        """Go on from what was kept, with the designs of the earlier attempts."""
        kept = self._kept
        if kept is None:
            return
        self.asked = [int(number) for number in kept["asked"]]
        self.answers = {int(number): Measurement(*answer) for number, *answer in kept["answers"]}
        self.given_up = bool(kept["given_up"])
        if kept["scaling"] is not None:
            self._scaling = Scaling(*(np.array(each, dtype=np.float64) for each in kept["scaling"]))
        self._refit(designs)

    # -- what is known ------------------------------------------------------------------------------------------------

    @property
    def measured(self) -> list[int]:
        """Numbers of the designs with a latency, in the order in which they were asked for."""
        return [
            number for number in self.asked if number in self.answers and self.answers[number].latency_s is not None
        ]

    def corrected(self, designs: Designs) -> FloatArray:
        """Return the measurable column of designs that may be new, corrected by what was measured.

        As predicted before anything was.
        """
        predicted = designs.columns[self.column]
        if self._fit is None or self._scaling is None:
            return predicted
        return np.asarray(predicted * self._fit.factors(self._scaling.scaled(self._figures(designs))))

    def best_known(self, designs: Designs) -> FloatArray:
        """Return the same column of all designs of the run: as measured where it was, else corrected."""
        values = np.array(self.corrected(designs))
        for number in self.measured:
            values[number] = self.answers[number].latency_s
        return values

    def fronts(self, designs: Designs) -> tuple[IntArray, IntArray]:
        """Return the front as predicted, and with what is best known: numbers of designs."""
        objectives, rows = objectives_of(self._quantities), np.flatnonzero(designs.counted(self._quantities))
        known = {**designs.columns, self.column: self.best_known(designs)}
        return front_among(designs.columns, objectives, rows), front_among(known, objectives, rows)

    def findings(self, designs: Designs) -> Findings:
        """Return the notes on the measurements so far."""
        by_others = {} if self._fit is None else dict(zip(self._fitted, self._fit.left_out().tolist(), strict=True))
        predicted = designs.columns[self.column]
        before, after = self.fronts(designs)
        return Findings(
            self._measurements.where,
            self._measurements.same_device,
            self.budget,
            tuple(self.asked),
            self.answers,
            {number: float(predicted[number]) for number in self.asked},
            {number: factor for number, factor in by_others.items() if math.isfinite(factor)},
            before,
            after,
        )

    @property
    def spent(self) -> int:
        """How much of the budget is."""
        return sum(not (number in self.answers and self.answers[number].refused) for number in self.asked)

    # -- asking -------------------------------------------------------------------------------------------------------

    def rounds(self, record: Recorder, fraction: float, state: Mapping[str, Any] | None) -> Iterator[Step]:
        """Ask for what is due, a step before and one after each round of questions.

        Args:
            record: record of the run.
            fraction: fraction of the work that is done.
            state: from which the run continues after what was told so far; None where it cannot.

        Raises:
            StopRequested: while it waits, before the search has ended.
        """
        due = math.ceil(self.budget * fraction)
        while not self.given_up and self.spent < due:
            numbers = self._next(record.designs, min(math.ceil(self.budget / ROUNDS), due - self.spent))
            if not numbers:
                return
            where = self._measurements.where
            yield record.step(fraction, f"Waiting for measurements of {_designs_words(len(numbers))} on {where}")
            designs = record.designs
            wanted = {
                number: MeasurementRequest(designs.decisions[number], self._told(designs, number)) for number in numbers
            }
            try:
                answers = self._measurements.ask(wanted, record.context.stop_requested)
            except StopRequested:
                if fraction < 1.0:
                    raise
                return  # the search is complete, and nothing is lost
            if not self._take(designs, numbers, answers):
                record.context.log(
                    f"{where} did not answer in time: it measured {len(answers)} of {len(numbers)} designs. "
                    "The run continues with these measurements and requests no more.",
                    "warning",
                )
            words = f"{len(self.measured)} of {_designs_words(self.budget)} measured on {where}"
            yield record.step(fraction, words, measured_results(self.findings(designs)), state=state)

    def _next(self, designs: Designs, count: int) -> list[int]:
        """Return the numbers of the designs to ask for: of the front as it is best known, what was not asked for yet."""
        _, front = self.fronts(designs)
        free = front[~np.isin(front, self.asked)]
        if not len(free):
            return []
        if self._scaling is None:
            self._scaling = Scaling.of(self._figures(designs)[designs.of_origin("search")])
        places = self._scaling.scaled(self._figures(designs))
        along = free[np.argsort(designs.columns[self.column][free], kind="stable")]
        rows = least_certain(places[along], places[self.asked], count)
        return [int(number) for number in along[rows]]

    def _take(self, designs: Designs, numbers: Sequence[int], answers: Mapping[int, Measurement]) -> bool:
        """Keep the answers; whether all came."""
        self.asked += numbers
        self.answers |= {number: answers[number] for number in numbers if number in answers}
        self.given_up = len(answers) < len(numbers)
        self._refit(designs)
        return not self.given_up

    def _refit(self, designs: Designs) -> None:
        usable = [number for number in self.measured if designs.columns[self.column][number] > 0]
        if not usable or self._scaling is None:
            return
        predicted = designs.columns[self.column][usable]
        known = [self.answers[number] for number in usable]
        log_ratio = np.log(np.array([each.latency_s for each in known], dtype=np.float64) / predicted)
        noise = np.array([_noise(each) for each in known])
        places = self._scaling.scaled(self._figures(designs)[usable])
        self._fit, self._fitted = RatioFit(places, log_ratio, noise), usable

    def _told(self, designs: Designs, number: int) -> dict[str, float]:
        return {name: float(designs.columns[name][number]) for name in self._told_columns}

    def _figures(self, designs: Designs) -> FloatArray:
        return designs.matrix(sorted(each.name for each in self._quantities))


def _noise(answer: Measurement) -> float:
    """Return the standard deviation of the logarithm of a measured latency, from the half width of its interval; 0 without one."""
    if answer.low_s is None or answer.high_s is None or answer.latency_s is None or answer.low_s <= 0:
        return 0.0
    return float(np.log(answer.high_s / answer.low_s) / (2.0 * _NORMAL))


def _designs_words(count: int) -> str:
    return "1 design" if count == 1 else f"{counted(count)} designs"
