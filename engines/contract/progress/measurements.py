"""Measurements on devices of designs of a run, during its search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engines.contract.designs import Decision


@dataclass(frozen=True)
class Measurement:
    """The result of measuring one design on a device.

    Attributes:
        latency_s: latency of the whole design in seconds, the sum of `Runnable`; None if the measurement failed.
        low_s, high_s: ends of the 95 % confidence interval in seconds; None with too few repetitions.
        trouble: reason for a missing latency; "" otherwise.
        refused: True if devices can run no part of the design; it then does not count towards the budget.
    """

    latency_s: float | None
    low_s: float | None = None
    high_s: float | None = None
    trouble: str = ""
    refused: bool = False


@dataclass(frozen=True)
class MeasurementRequest:
    """A design to measure on a device.

    Attributes:
        decision: decision of the design.
        figures: column -> value of the design, for the columns that the engine's `measurable` names.
    """

    decision: Decision
    figures: Mapping[str, float]


class Measurements(Protocol):
    """The access of a run to a device that measures its designs.

    Attributes:
        budget: largest number of measured designs over all attempts of the run; 0 if no device was chosen.
        where: the device and its number of threads, in words.
        same_device: True if the run predicts this device with as many threads; otherwise only the order of designs counts.
    """

    budget: int
    where: str
    same_device: bool

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """Measure designs, and wait for the results.

        Args:
            designs: number of a design within the run -> request.
            stop: returns whether a stop was requested; called several times per second.

        Returns:
            Number of the design -> measurement; designs without a result within the time limit of the device are absent.

        Raises:
            StopRequested: `stop` returned True while results were missing.
        """
        ...


class NoMeasurements:
    """The measurements of a run without a device."""

    budget = 0
    where = ""
    same_device = False

    def ask(self, designs: Mapping[int, MeasurementRequest], stop: Callable[[], bool]) -> Mapping[int, Measurement]:
        """Return an empty mapping: no design is measured."""
        return {}
