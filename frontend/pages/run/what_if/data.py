"""Data of the what-if analysis. No components."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.fronts.front import front_among
from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, integer, many, percent, significant
from hardware.movable import Movable
from webapp.runs.results.design_variants import MovedDesigns
from webapp.runs.results.moved_hardware import MovableDocument

STEPS = 400  # of a slider
_MOST_SLOTS, _MOST_FIGURES = 20, 200
_ALIKE = 1e-9


def read_positions(data: Any) -> dict[str, dict[str, float]]:
    """Return the positions that the browser sent, without invalid ones."""
    values = data.get("values") if isinstance(data, Mapping) else None
    if not isinstance(values, Mapping):
        return {}
    return {
        str(slot): {
            str(name): float(value)
            for name, value in list(moved.items())[:_MOST_FIGURES]
            if isinstance(value, int | float) and math.isfinite(value)
        }
        for slot, moved in list(values.items())[:_MOST_SLOTS]
        if isinstance(moved, Mapping)
    }


def step_of(figure: Movable) -> float:
    """Return the slider step, out of `STEPS`, of the stored value; for whole numbers the value itself."""
    if figure.whole and not figure.log:
        return figure.value
    low, high, value = (math.log(each) if figure.log else each for each in (figure.low, figure.high, figure.value))
    return STEPS * (value - low) / (high - low)


def described(documents: Sequence[MovableDocument]) -> list[dict[str, Any]]:
    """Return the data of every slider for the browser, in order."""
    return [
        {
            "slot": document.slot, "name": figure.name, "low": figure.low, "high": figure.high, "log": figure.log,
            "whole": figure.whole, "value": figure.value, "unit": figure.unit, "step": step_of(figure), "steps": STEPS,
        }
        for document in documents
        for figure in document.figures
    ]  # fmt: skip


def value_words(figure: Movable) -> str:
    """Return a stored value with its unit."""
    number = integer(figure.value) if figure.whole else significant(figure.value, 4)
    return f"{number}\u00a0{figure.unit}".rstrip("\u00a0")


def axes_of(designs: RunDesigns) -> tuple[Quantity, Quantity] | None:
    """Return the axes of the picture: the first two objectives, or one and the next metric with a sense."""
    objectives = [q for q in designs.objectives if q in designs.shown]
    rest = [q for q in designs.shown if q.sense != "none" and q not in objectives and q.role != "decision"]
    found = [*objectives, *rest][:2]
    return (found[0], found[1]) if len(found) == 2 else None


@dataclass(frozen=True)
class MovedFigure:
    """A quantity of the design as it is stored and on the moved hardware.

    Attributes:
        share: by which it changes; None where that cannot be said.
        factor: within which the estimate is expected, up or down; None where nobody knows.
    """

    quantity: Quantity
    stored: float
    moved: float
    share: float | None
    factor: float | None

    @property
    def better(self) -> bool | None:
        """Whether the metric improved; None if it did not change or has no direction."""
        if not self.share or self.quantity.sense == "none":
            return None
        return (self.share > 0) == (self.quantity.sense == "maximise")


def moved_figures(
    designs: RunDesigns, number: int, moved: Mapping[str, float], factors: Mapping[str, float]
) -> list[MovedFigure]:
    """Return every metric that is no decision, objectives first; other metrics only if they change."""
    found = []
    objectives = {q.name for q in designs.objectives}
    for quantity in designs.shown:
        stored, now = float(designs.columns[quantity.name][number]), float(moved.get(quantity.name, math.nan))
        if quantity.role == "decision" or not math.isfinite(stored):
            continue
        share = None if stored == 0 or not math.isfinite(now) else (now - stored) / abs(stored)
        share = 0.0 if share is not None and abs(share) < _ALIKE else share
        changed = share != 0.0 and now != stored
        if quantity.name in objectives or changed:
            own = designs.quantity(quantity.name, number)
            factor = own.certainty.factor if designs.certain and own.certainty else factors.get(quantity.name)
            found.append(MovedFigure(own, stored, now, share, factor))
    return sorted(found, key=lambda each: each.quantity.name not in objectives)


def change_sentence(figures: Sequence[MovedFigure]) -> str:
    """Return the sentence on the effect of a changed value on the design."""
    changed = [each for each in figures if each.share]
    if not changed:
        return "No metric of this design changes."
    words = [
        f"{in_sentence(each.quantity.title)} {percent(abs(each.share or 0.0), 1)} {'more' if (each.share or 0) > 0 else 'less'}"
        for each in changed[:3]
    ]
    said = ", ".join(words)
    return f"{said[:1].upper()}{said[1:]}."


def front_sentence(moved: MovedDesigns, designs: RunDesigns) -> str:
    """Return the sentence on the effect of a changed value on the designs of the front."""
    axes = axes_of(designs)
    if axes is None or not moved.numbers:
        return ""
    numbers = np.asarray(moved.numbers, dtype=np.int64)
    lost = int(np.count_nonzero(~np.isfinite(np.asarray(moved.front[axes[0].name], np.float64))))
    columns = {name: np.asarray(values, np.float64) for name, values in moved.front.items()}
    known = np.flatnonzero(np.isfinite(columns[axes[0].name]))
    still = front_among(columns, designs.objectives, known)
    words = f"{integer(len(still))} of {many(len(numbers), 'design')} of the stored front stay on it"
    gone = f"; {integer(lost)} cannot be run there" if lost else ""
    return f"{words}{gone}. A search on the moved hardware may find better ones."
