"""The ladder of certainty: five words for the origin of a number, from measured to assumed, with their signs and definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Certainty = Literal["measured", "calibrated", "predicted", "data sheet", "assumed"]
# From the surest word to the least sure one.
LADDER: tuple[Certainty, ...] = get_args(Certainty)
SIGNS: Mapping[Certainty, str] = {
    "measured": "●", "calibrated": "◉", "predicted": "○", "data sheet": "□", "assumed": "◇",
}  # fmt: skip
DEFINITIONS: Mapping[Certainty, str] = {
    "measured": "This network ran on this device, or on held-out data where the number is an accuracy.",
    "calibrated": "Estimated with a calibration to measurements of this device. This network was not measured on it.",
    "predicted": "Estimated by a model that is not calibrated to measurements of what it estimates here.",
    "data sheet": "Estimated from peak performance, bandwidth and power in the device description, without measurements.",
    "assumed": "Chosen by us without a source.",
}


def weakest(*words: Certainty) -> Certainty:
    """Return the least certain of the words, which is the certainty of a number that is computed from all of them."""
    return max(words, key=LADDER.index)


def estimate_certainty(*, calibrated: bool, scaled: bool = False, data_sheet: bool = False) -> Certainty:
    """Return the certainty of a cost model's estimate, which is never "measured".

    Args:
        calibrated: whether a calibration to measurements gives the parameters of the model.
        scaled: whether the calibration belongs to another device and its values were scaled to this one.
        data_sheet: whether a part of the estimate follows from the vendor's peak values.
    """
    if data_sheet:
        return "data sheet"
    return "calibrated" if calibrated and not scaled else "predicted"


@dataclass(frozen=True)
class SurerDesigns:
    """The designs that leave out the compute units with the least certain estimates, and the certainty of these designs.

    Attributes:
        without: names of the compute units that are left out.
        word: certainty of the designs that use none of them.
        error_factors: column -> error band of these designs as a factor; columns with an unknown band are absent.
    """

    without: tuple[str, ...] = ()
    word: Certainty = "predicted"
    error_factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NumberCertainty:
    """The certainty of one number, with its source and error band.

    Attributes:
        word: one of the five words of the ladder.
        source: cost model, calibration and precision in words, and the parts without measurements.
        factor: error band ×/÷ `factor`, which holds 90 % of held-out measurements; None if it is unknown.
    """

    word: Certainty
    source: str = ""
    factor: float | None = None

    @property
    def sign(self) -> str:
        """The sign of the word (● ◉ ○ □ ◇), for places without room for the word."""
        return SIGNS[self.word]

    @property
    def label(self) -> str:
        """Sign, word and error band, for places without a tooltip."""
        return f"{self.sign} {self.word}{f', ×/÷ {self.factor:.2f}' if self.factor else ''}"

    @property
    def sentence(self) -> str:
        """The tooltip of the number: the word with its definition, the source, and the error band."""
        parts = [f"{self.word.capitalize()}: {DEFINITIONS[self.word]}"]
        parts += [f"{self.source[:1].upper()}{self.source[1:]}."] if self.source else []
        return " ".join([*parts, *([] if self.word == "measured" else [self.band])])

    @property
    def band(self) -> str:
        """The error band in a sentence."""
        if self.factor is None:
            return "Error band unknown: no held-out measurements."
        return f"Error band ×/÷ {self.factor:.2f}: it holds 90 % of held-out measurements."
