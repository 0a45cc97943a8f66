"""Measurements of a run's designs that need no machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.contract.designs import Decision
from engines.contract.errors import StopRequested
from engines.contract.measuring import Measured

Answering = Callable[[int, Decision], Measured | None]


class MemoryMeasurements:
    """As `engines.contract.measuring.Measurements`: answers come from a function, None is none in time.

    Attributes:
        asked: the numbers of each question.
    """

    where = "test box, 1 thread"

    def __init__(self, budget: int, answering: Answering, same_device: bool = True) -> None:
        self.budget, self.same_device, self._answering = budget, same_device, answering
        self.asked: list[list[int]] = []

    def ask(self, decisions: Mapping[int, Decision], stop: Callable[[], bool]) -> Mapping[int, Measured]:
        """What the function says, unless a stop was asked for."""
        self.asked.append(list(decisions))
        if stop():
            raise StopRequested
        found = {number: self._answering(number, decision) for number, decision in decisions.items()}
        return {number: answer for number, answer in found.items() if answer is not None}
