"""Designs of the engine seesaw: a predictor, or one rate throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from engines.contract.errors import DecisionError
from engines.methods.seesaw.predictor.task import Task


@dataclass(frozen=True)
class Predictor:
    """A tree that sets the rate.

    Attributes:
        tolerance_percent: that it is trained for.
        sensors: that it reads.
        leaves: at most.
        feedback: whether the measured error moves its start node.
    """

    tolerance_percent: float
    sensors: tuple[str, ...]
    leaves: int
    feedback: bool

    @property
    def words(self) -> str:
        """In a few words."""
        return f"{self.tolerance_percent:g} %, {' + '.join(self.sensors)}, {'with' if self.feedback else 'no'} feedback"

    @property
    def file_name(self) -> str:
        """Return the name of the file of its C code."""
        parts = [f"t{self.tolerance_percent:.3g}".replace(".", "p"), *self.sensors, f"l{self.leaves}"]
        return "-".join([*parts, "feedback" if self.feedback else "open"]) + ".c"


@dataclass(frozen=True)
class FixedRate:
    """One rate throughout; `sleep` tells whether the node sleeps while it is not in use, and its processor between samples."""

    rate_hz: float
    sleep: bool = True

    @property
    def words(self) -> str:
        """In a few words."""
        return f"always {self.rate_hz:g} Hz" + ("" if self.sleep else ", without sleep")


Design = Predictor | FixedRate


def encode(design: Design) -> dict[str, Any]:
    """A design as stored."""
    if isinstance(design, FixedRate):
        return {"rate_hz": design.rate_hz, "sleep": design.sleep}
    return {
        "tolerance_percent": design.tolerance_percent,
        "sensors": list(design.sensors),
        "leaves": design.leaves,
        "feedback": design.feedback,
    }


def decode(decision: Mapping[str, Any], task: Task) -> Design:
    """The design that a stored or a user's decision describes.

    Raises:
        DecisionError: it does not describe one of this task.
    """
    if "rate_hz" in decision:
        return _fixed(decision, task)
    tolerance, sensors = decision.get("tolerance_percent"), decision.get("sensors")
    leaves, feedback = decision.get("leaves"), decision.get("feedback")
    if not _is_number(tolerance) or not 0 < tolerance <= 100:
        raise DecisionError("decision.tolerance_percent", tolerance, "a number above 0, up to 100")
    known = task.signal_names
    names = [str(name) for name in sensors] if isinstance(sensors, list | tuple) else []
    if not names or len(set(names)) != len(names) or not set(names) <= set(known):
        raise DecisionError("decision.sensors", sensors, f"a list of {', '.join(known)}, each at most once")
    if not isinstance(leaves, int) or isinstance(leaves, bool) or not 2 <= leaves <= 100:
        raise DecisionError("decision.leaves", leaves, "a whole number from 2 to 100")
    if not isinstance(feedback, bool):
        raise DecisionError("decision.feedback", feedback, "true or false")
    return Predictor(float(tolerance), tuple(names), leaves, feedback)


def _fixed(decision: Mapping[str, Any], task: Task) -> FixedRate:
    rate, sleep = decision["rate_hz"], decision.get("sleep", True)
    rates = task.rates_hz.tolist()
    if not _is_number(rate) or rate not in rates:
        raise DecisionError("decision.rate_hz", rate, f"one of {', '.join(f'{each:g}' for each in rates)}")
    if not isinstance(sleep, bool):
        raise DecisionError("decision.sleep", sleep, "true or false")
    return FixedRate(float(rate), sleep)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
