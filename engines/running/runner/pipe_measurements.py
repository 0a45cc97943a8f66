"""Measurements of a run's designs in a child process: files go to its keeper, answers of a machine come back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping

from engines.contract.engine import Engine, Problem
from engines.contract.errors import StopRequested
from engines.contract.progress.measurements import Measurement, MeasurementRequest
from engines.running.runner.pipe import ProtocolPipe
from engines.running.runner.protocol import Measure, MeasureBudget
from engines.running.runner.runnables import as_files

_LOOK_S = 0.1


class PipeMeasurements:
    """`Measurements` over the protocol pipe. Used by the run's main thread alone.

    A machine may be away: it is waited for `MeasureBudget.wait_s` seconds, again after each answer.
    """

    def __init__(
        self,
        pipe: ProtocolPipe,
        engine: Engine,
        problem: Problem,
        budget: MeasureBudget,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget.designs
        self.where, self.same_device = budget.where, budget.same_device
        self._wait_s, self._copies = budget.wait_s, budget.copies
        self._pipe, self._engine, self._problem, self._now = pipe, engine, problem, now

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """Ask for measurements with the contract of `engines.contract.progress.measurements.Measurements.ask`."""
        told = as_files(self._engine, self._problem, designs.values(), self._copies)
        made = dict(zip(designs, told["designs"], strict=True))
        answers = {
            number: Measurement(None, trouble=each["refused"], refused=True)
            for number, each in made.items()
            if "refused" in each
        }
        runnable = {number: each for number, each in made.items() if number not in answers}
        if runnable:
            content = {"numbers": list(runnable), "files": told["files"], "designs": list(runnable.values())}
            self._pipe.send(Measure(json.dumps(content).encode()))
        return self._waited_for(designs, answers, stop)

    def _waited_for(
        self, designs: Collection[int], answers: dict[int, Measurement], stop: Callable[[], bool]
    ) -> Mapping[int, Measurement]:
        until = self._now() + self._wait_s
        while len(answers) < len(designs) and self._now() < until:
            if stop():
                raise StopRequested
            told = self._pipe.measured(_LOOK_S)
            # An answer to an earlier question may come late: what it was waited for in vain is known as such.
            if told is not None and told.number in designs:
                answers[told.number] = Measurement(told.latency_s, told.low_s, told.high_s, told.trouble)
                until = self._now() + self._wait_s
        return answers
