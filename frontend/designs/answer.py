"""The answer of a run in four sentences: Result, Why, Next, Certainty. Run page and reports take it from here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.quantities import SHARE, Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, percent, si, significant

# Below this ratio a difference is given in per cent; below this share two values are the same.
_RATIO_FROM, _SAME = 1.1, 1e-3
_PROVEN = 1e-6


@dataclass(frozen=True)
class Answer:
    """The answer of a run; `result` stands alone as its headline.

    Attributes:
        result: the best design, its value, and by how much it differs from which baseline; a baseline that wins comes first.
        why: the largest cause.
        next_step: one action.
        certainty: proof or distance to the bound, word of the ladder, and error band.
    """

    result: str
    why: str
    next_step: str
    certainty: str

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Label and sentences, in the order in which they are read."""
        labelled = (("Result", self.result), ("Why", self.why), ("Next", self.next_step), ("Certainty", self.certainty))
        return tuple(line for line in labelled if line[1])


def difference(value: float, reference: float, quantity: Quantity) -> tuple[str, str]:
    """Return the difference of a value from a reference: a ratio above 1 (or per cent) and its words: ("2.4", "× less energy").

    Args:
        value: in the unit of the quantity.
        reference: likewise.
        quantity: minimised or maximised.
    """
    title = in_sentence(quantity.title)
    more = "more" if value > reference else "less"
    if quantity.unit in ("%", SHARE):
        points = abs(value - reference) * (100 if quantity.unit == SHARE else 1)
        return significant(points, 2), f"percentage points {more} {title}"
    if value <= 0 or reference <= 0:
        return si(abs(value - reference), quantity.unit), f"{more} {title}"
    ratio = max(value / reference, reference / value)
    if ratio < _RATIO_FROM:
        return significant(100 * abs(value / reference - 1), 2), f"% {more} {title}"
    return significant(ratio), f"× {more} {title}" if more == "less" else f"× the {title}"


def difference_sentence(value: float, reference: float, quantity: Quantity, name: str) -> str:
    """Return the difference with its reference: "2.4 × less energy than GPU alone", "5.7 × the throughput of GPU alone"."""
    if _alike(value, reference):
        return f"the same {in_sentence(quantity.title)} as {name}"
    number, words = difference(value, reference, quantity)
    return f"{number} {words} {'of' if words.startswith('× the') else 'than'} {name}"


def _alike(value: float, reference: float) -> bool:
    return abs(value - reference) <= _SAME * abs(reference)


def baseline_wins(designs: RunDesigns) -> bool:
    """Return whether the best baseline is better than the best design of the search by the primary metric."""
    best, baseline, primary = _best_of(designs)
    if best is None or baseline is None:
        return False
    gain = (best - baseline) if primary.sense == "minimise" else (baseline - best)
    return gain > _SAME * abs(best)


def answer_of(
    designs: RunDesigns, bounds: Mapping[str, float], *, why: str = "", unfinished: bool = False, page: bool = True
) -> Answer | None:
    """Return the answer; None before the search has a design.

    Args:
        designs: designs of the run.
        bounds: column -> value that no design passes.
        why: the largest cause, where the parts of the design are known.
        unfinished: whether the run stopped before its end.
        page: whether the tabs of the run are at hand; readers of reports have none.
    """
    if not designs.searched.any() or designs.primary not in designs.columns:
        return None
    best, baseline, primary = _best_of(designs)
    primary = designs.quantity(primary.name, designs.best(primary.name))
    if best is None:
        return Answer(
            "No design meets all limits.", "", "Raise a limit, or change the inputs.", _certainty(None, primary, bounds)
        )
    wins = baseline_wins(designs)
    tied = baseline is not None and _alike(best, baseline)
    rows = designs.best_baseline(primary.name), designs.best(primary.name)
    best_is_baseline = tied or (wins and not _price(designs, *rows))
    following = (
        "Continue the run: later designs may be better." if unfinished else _next(designs, best_is_baseline, page)
    )
    result = _result(designs, best, baseline, primary, wins)
    return Answer(result, why or _trade_off(designs), following, _certainty(best, primary, bounds))


def _best_of(designs: RunDesigns) -> tuple[float | None, float | None, Quantity]:
    primary = designs.quantity(designs.primary)
    numbers = designs.best(primary.name), designs.best_baseline(primary.name)
    best, baseline = (None if at is None else float(designs.columns[primary.name][at]) for at in numbers)
    return best, baseline, primary


def _result(designs: RunDesigns, best: float, baseline: float | None, primary: Quantity, wins: bool) -> str:
    title, value = in_sentence(primary.title), si(best, primary.unit)
    number = designs.best(primary.name)
    at = designs.best_baseline(primary.name)
    if baseline is None or at is None:
        return f"Design {number:04d} has the best {title}: {value}{_without(designs, number)}."
    name = designs.label_of(at) or f"design {at}"
    if wins:
        text = difference_sentence(baseline, best, primary, "the best design found")
        return f"The baseline {name} wins in {title}: {si(baseline, primary.unit)}, {text} ({value}){_price(designs, at, number)}."
    if _alike(best, baseline):
        return f"No design beats the baseline {name}: {title} {value}."
    text = difference_sentence(best, baseline, primary, name)
    return f"Design {number:04d}: {title} {value}, {text}{_price(designs, number, at)}."


def _without(designs: RunDesigns, number: int | None) -> str:
    """Return what the method changes in this design: ". It has 2.5 % less energy with exit than energy without exit"."""
    for quantity in designs.quantities if number is not None else ():
        if quantity.without in designs.columns:
            value, other = (float(designs.columns[name][number]) for name in (quantity.name, quantity.without))
            if math.isfinite(value + other) and not _alike(value, other):
                reference = in_sentence(designs.quantity(quantity.without).title)
                return f". It has {difference_sentence(value, other, quantity, reference)}"
    return ""


def _price(designs: RunDesigns, winner: int | None, other: int | None) -> str:
    """Return the clause on the drawback of a design that wins by the primary metric: ", but it has 30 percentage points more error"."""
    for quantity in designs.objectives if winner is not None and other is not None else ():
        there, here = (float(designs.columns[quantity.name][at]) for at in (winner, other))
        worse = there > here if quantity.sense == "minimise" else there < here
        if worse and not _alike(there, here) and math.isfinite(there + here):
            return f", but it has {' '.join(difference(there, here, quantity))}"
    return ""


def _trade_off(designs: RunDesigns) -> str:
    """Return the clause on the second objective of the design that is best in the first."""
    objectives = designs.objectives
    if designs.front_points < 2 or len(objectives) < 2:
        return "One design is best in every objective: the objectives do not compete." if len(objectives) > 1 else ""
    first, second = objectives[:2]
    ends = designs.best(first.name), designs.best(second.name)
    if None in ends:
        return ""
    there, here = (float(designs.columns[second.name][end]) for end in ends)
    if not math.isfinite(there) or abs(there - here) <= _SAME * abs(here):
        return ""
    text = difference_sentence(there, here, second, f"the design with the best {in_sentence(second.title)}")
    return f"The objectives compete: the design with the best {in_sentence(first.title)} has {text}."


def _next(designs: RunDesigns, wins: bool, page: bool) -> str:
    if wins:
        return f"Use the baseline, or change the inputs{': Why? names what limits the designs' if page else ''}."
    choice = designs.first_choice
    named = "" if choice is None else f" of design {choice:04d}"
    if not page:
        return f"Check the values{named} by a measurement before you build on them."
    return f"Open Why? for the limiting factors{named}, and What if to change the values behind them."


def _certainty(best: float | None, primary: Quantity, bounds: Mapping[str, float]) -> str:
    bound, parts = bounds.get(primary.name), []
    if best and bound is not None and np.isfinite(bound):
        gap = abs(best - bound) / abs(best)
        text = f"At most {percent(gap, 1)} from the proven bound"
        parts.append(f"{'Proven optimal' if gap <= _PROVEN else text} for the stated model.")
    if primary.certainty is not None:
        parts.append(primary.certainty.sentence)
    return " ".join(parts)
