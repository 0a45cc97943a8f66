"""The ladder of certainty: five words for where a number is from, decided here, with what pages and commands show next to them."""

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
    """Return the least sure of the words: a number is no surer than its parts."""
    return max(words, key=LADDER.index)


def estimate_certainty(*, calibrated: bool, scaled: bool = False, data_sheet: bool = False) -> Certainty:
    """Return the word for the estimate of a cost model; an estimate is never measured.

    Args:
        calibrated: a calibration to measurements gives the parameters.
        scaled: the calibration is of another device, whose values were scaled to this one.
        data_sheet: a part of the estimate is from peak values.
    """
    if data_sheet:
        return "data sheet"
    return "calibrated" if calibrated and not scaled else "predicted"


@dataclass(frozen=True)
class SurerDesigns:
    """The designs of a problem that do without its least sure compute units, and how certain their estimates are.

    Attributes:
        without: names of these units.
        word: word of the designs that use none of them.
        error_factors: column -> error band of these designs; those that are known.
    """

    without: tuple[str, ...] = ()
    word: Certainty = "predicted"
    error_factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NumberCertainty:
    """The certainty of one number, with what travels with it.

    Attributes:
        word: word of the ladder.
        source: cost model, calibration, precision, and what it lacks measurements of.
        factor: error band; None where it is unknown.
    """

    word: Certainty
    source: str = ""
    factor: float | None = None

    @property
    def sign(self) -> str:
        """The sign of the word."""
        return SIGNS[self.word]

    @property
    def label(self) -> str:
        """Sign, word and error band, for where there is no tooltip."""
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
