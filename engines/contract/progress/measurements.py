"""Measurements that devices return for designs of a run while it searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engines.contract.designs import Decision


@dataclass(frozen=True)
class Measurement:
    """The answer of a device for a design.

    Attributes:
        latency_s: latency in seconds of the whole design, as `Runnable` adds its pieces up; None where there is none.
        low_s, high_s: ends of its 95 % interval; None where there were too few repetitions.
        trouble: why there is no latency; "" where there is one.
        refused: whether machines can run nothing of it: no measurement was spent on it.
    """

    latency_s: float | None
    low_s: float | None = None
    high_s: float | None = None
    trouble: str = ""
    refused: bool = False


@dataclass(frozen=True)
class MeasurementRequest:
    """A design that is to be measured.

    Attributes:
        decision: decision of the design.
        figures: figures of the design, those that the engine's `measurable` names.
    """

    decision: Decision
    figures: Mapping[str, float]


class Measurements(Protocol):
    """Measures designs of a run on a machine.

    Attributes:
        budget: how many designs may be measured in all, by every attempt of the run; 0 where no machine was chosen.
        where: the machine and its threads, in words.
        same_device: whether the run predicts that very machine with as many threads; of another its order counts, not its size.
    """

    budget: int
    where: str
    same_device: bool

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """Measure designs, and wait for the answers.

        Args:
            designs: number of a design within the run -> what has to be known of it.
            stop: whether a stop was asked for; looked at several times per second.

        Returns:
            Number -> answer; those that were not answered in the time that the machine has are left out.

        Raises:
            StopRequested: `stop` said so while answers were missing.
        """
        ...


class NoMeasurements:
    """No machine was chosen."""

    budget = 0
    where = ""
    same_device = False

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """Return no answers."""
        return {}
