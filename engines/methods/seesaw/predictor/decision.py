"""Designs of the engine seesaw: a predictor, or one rate throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo

from engines.contract.encoding.decoding import ValueRefusal, accepted_if, decoded, is_number
from engines.methods.seesaw.predictor.task import Task

_TRUTH = accepted_if(lambda value: isinstance(value, bool), "true or false")


def _known_sensors(value: Any, info: ValidationInfo[Task]) -> Any:
    known = info.context.signal_names
    names = [str(name) for name in value] if isinstance(value, list | tuple) else []
    if not names or len(set(names)) != len(names) or not set(names) <= set(known):
        raise ValueRefusal(value, f"a list of {', '.join(known)}, each at most once")
    return names


def _known_rate(value: Any, info: ValidationInfo[Task]) -> Any:
    rates = info.context.rates_hz.tolist()
    if not is_number(value) or value not in rates:
        raise ValueRefusal(value, f"one of {', '.join(f'{each:g}' for each in rates)}")
    return value


@dataclass(frozen=True)
class Predictor:
    """A tree that sets the rate.

    Attributes:
        tolerance_percent: error tolerance of the training.
        sensors: sensors that it reads.
        leaves: at most.
        feedback: whether the measured error moves its start node.
    """

    tolerance_percent: Annotated[
        float, accepted_if(lambda value: is_number(value) and 0 < value <= 100, "a number above 0, up to 100")
    ]
    sensors: Annotated[tuple[str, ...], BeforeValidator(_known_sensors)]
    leaves: Annotated[int, accepted_if(
        lambda value: isinstance(value, int) and is_number(value) and 2 <= value <= 100, "a whole number from 2 to 100"
    )]  # fmt: skip
    feedback: Annotated[bool, _TRUTH]

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

    rate_hz: Annotated[float, BeforeValidator(_known_rate)]
    sleep: Annotated[bool, _TRUTH] = True

    @property
    def words(self) -> str:
        """In a few words."""
        return f"always {self.rate_hz:g} Hz" + ("" if self.sleep else ", without sleep")


Design = Predictor | FixedRate


def decode(decision: Mapping[str, Any], task: Task) -> Design:
    """Return the design that a stored or a user's decision describes.

    Raises:
        DecisionError: it does not describe one of this task.
    """
    return decoded(FixedRate, decision, task) if "rate_hz" in decision else decoded(Predictor, decision, task)
