"""The sign of certainty next to a number: one sign and one tooltip per word of the ladder, the same on every page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dash import html
from dash.development.base_component import Component

from engines.contract.certainty import LADDER, SIGNS, Certainty, NumberCertainty
from engines.contract.quantities import Quantity
from frontend.components.chip import Tone, chip

_TONES: Mapping[Certainty, Tone] = {
    "measured": "good", "calibrated": "good", "predicted": "line", "data sheet": "warn", "assumed": "warn",
}  # fmt: skip


def certainty_sign(number: NumberCertainty) -> Component:
    """Return the sign of a number with its tooltip."""
    sentence = number.sentence
    return html.Span(number.sign, className="certainty", title=sentence, role="img", **{"aria-label": sentence})


def quantity_sign(quantity: Quantity) -> Component | None:
    """Return the sign of the values of a quantity in its run; None where they are no estimates."""
    return None if quantity.certainty is None else certainty_sign(quantity.certainty)


def signed_title(quantity: Quantity) -> str:
    """Return the head of a column of values: title with sign; the tooltip of the head has the rest (`Quantity.tooltip`)."""
    return f"{quantity.certainty.sign} {quantity.title}" if quantity.certainty else quantity.title


def certainty_chip(number: NumberCertainty, *more: Component | str) -> Component:
    """Return sign and word as a chip, with the tooltip of the sign; `more` stands before them."""
    label = html.Span(f"{number.sign} {number.word}", className="b nw")
    return chip(*more, label, tone=_TONES[number.word], title=number.sentence)


def certainty_legend(words: Iterable[Certainty]) -> list[Component]:
    """Return the legend of the certainty signs among `words`, the most certain first."""
    shown = set(words)
    return [html.Span(f"{SIGNS[word]} {word}", className="xs t2 nw") for word in LADDER if word in shown]
