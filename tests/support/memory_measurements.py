"""Measurements of a run's designs that need no machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.contract.designs import Decision
from engines.contract.errors import StopRequested
from engines.contract.progress.measurements import Measurement, MeasurementRequest

Answering = Callable[[int, Decision], Measurement | None]


class MemoryMeasurements:
    """Measurements (`Measurements` of the contract) whose answers come from a function; None means none in time.

    Attributes:
        asked: the numbers of each question.
    """

    where = "test box, 1 thread"

    def __init__(self, budget: int, answering: Answering, same_device: bool = True) -> None:
        self.budget, self.same_device, self._answering = budget, same_device, answering
        self.asked: list[list[int]] = []

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """What the function says, unless a stop was asked for."""
        self.asked.append(list(designs))
        if stop():
            raise StopRequested
        found = {number: self._answering(number, each.decision) for number, each in designs.items()}
        return {number: answer for number, answer in found.items() if answer is not None}
