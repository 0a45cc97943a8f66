"""Parts of a metric of a design, alone or compared with another design: the choices and their outcome. No components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.engine import Engine
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.quantities import Quantity
from engines.contract.results import Breakdown, Result
from engines.why.composition import REST, Part, beside, parts_of
from frontend.designs.run_designs import RunDesigns
from frontend.figures.costs.waterfall import MOST_PARTS
from frontend.figures.numbers import in_sentence, many, percent, si
from frontend.pages.run.design.card import design_name

ALONE, PINNED, BASELINE, BEST = "alone", "pinned", "baseline", "best"
_MOST_NAMED = 2
_ALIKE = 1e-6  # share of a figure below which two designs have the same
_MATTERS = 0.1  # share of all changes below which a part is not worth a sentence


@dataclass(frozen=True)
class Reference:
    """A design that the selected one is set next to: `number` is None for none."""

    name: str
    title: str
    number: int | None = None


def offered_columns(engine: Engine | None, designs: RunDesigns) -> dict[str, list[MetricBreakdown]]:
    """Return column -> the ways in which its parts can be distinguished, objectives first; of columns that designs have."""
    found: dict[str, list[MetricBreakdown]] = {}
    for declared in () if engine is None else engine.breakdowns:
        values = designs.columns.get(declared.column)
        if values is not None and np.isfinite(values).any():
            found.setdefault(declared.column, []).append(declared)
    objectives = {quantity.name for quantity in designs.objectives}
    return {name: found[name] for name in sorted(found, key=lambda name: name not in objectives)}


def references(designs: RunDesigns, number: int, pinned: int | None, column: str) -> list[Reference]:
    """Return the references of the design, the default first: pinned design, best baseline, best design of the search."""
    quantity = designs.quantity(column)
    of = in_sentence(quantity.title)
    found = []
    if pinned is not None and pinned < len(designs) and pinned != number:
        found.append(Reference(PINNED, f"pinned: {design_name(designs, pinned)}", pinned))
    if quantity.sense != "none":
        baseline, best = designs.best_baseline(column), designs.best(column)
        if baseline is not None and baseline != number:
            found.append(Reference(BASELINE, f"best baseline in {of}: {design_name(designs, baseline)}", baseline))
        if best is not None and best != number:
            found.append(Reference(BEST, f"best in {of}: {design_name(designs, best)}", best))
    return [*found, Reference(ALONE, "nothing")]


def usual_reference(found: Sequence[Reference], designs: RunDesigns, number: int, column: str) -> Reference:
    """Return the pinned design, else the first design that differs in the metric, else None."""
    values = designs.columns[column]
    telling = (
        each
        for each in found
        if each.number is None
        or each.name == PINNED
        or not np.isclose(values[each.number], values[number], rtol=_ALIKE)
    )
    return next(telling)


def compared(declared: MetricBreakdown, results: Sequence[Result], others: Sequence[Result]) -> tuple[Part, ...]:
    """Return the parts of the design and, where `others` has results, of the one next to it.

    Raises:
        LookupError: one of them shows no such parts.
    """
    return beside(parts_of(declared, results), parts_of(declared, others) if others else {}, MOST_PARTS)


# -- in words ---------------------------------------------------------------------------------------------------------


def counts_of(declared: MetricBreakdown, results: Sequence[Result]) -> dict[str, str]:
    """Return part -> of how many operators it is ("101 operators"), where the parts are causes that these have a share of."""
    found = next((each for each in results if isinstance(each, Breakdown) and each.name == declared.result), None)
    if not declared.counted or found is None:
        return {}
    counts = (found.values > 0).sum(axis=0).tolist()
    return {part: many(count, declared.counted) for part, count in zip(found.parts, counts, strict=True)}


def made_of_words(parts: Sequence[Part], quantity: Quantity, name: str, counts: Mapping[str, str] | None = None) -> str:
    """Return the largest part of a metric: "Latency of Design 0012 is 440 ms: 95 % is launch overhead of 101 operators."."""
    said = f"{quantity.title} of {name} is {si(sum(part.value for part in parts), quantity.unit, 4)}"
    shares = _shares(parts, counts or {})
    if not shares:
        return f"{said}."
    first = f"{shares[0][0]} is {shares[0][1]}"
    return f"{said}: {', '.join([first, *(f'{share} {title}' for share, title in shares[1:_MOST_NAMED])])}."


def cause_sentence(parts: Sequence[Part], quantity: Quantity, counts: Mapping[str, str]) -> str:
    """Return the largest part alone: "95 % of the latency is launch overhead of 101 operators."; "" where there is none."""
    shares = _shares(parts, counts)
    return f"{shares[0][0]} of the {in_sentence(quantity.title)} is {shares[0][1]}." if shares else ""


def _shares(parts: Sequence[Part], counts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return per cent and name of each part, the largest first."""
    total = sum(part.value for part in parts)
    large = sorted((part for part in parts if part.value > 0 and part.title != REST), key=lambda part: -part.value)
    named = [in_sentence(part.title) + (f" of {counts[part.title]}" if part.title in counts else "") for part in large]
    return [(percent(part.value / total), name) for part, name in zip(large, named, strict=True)] if total > 0 else []


def change_words(parts: Sequence[Part], quantity: Quantity, other: str) -> str:
    """Return the sentence on the difference of a metric from another design, with the largest contribution and opposite one."""
    total, before = sum(part.value for part in parts), sum(part.beside for part in parts)
    change = total - before
    if before == 0 or abs(change) <= 1e-9 * abs(before):
        return f"It equals {other}."
    said = f"{percent(abs(change) / abs(before), 1)} {'higher' if change > 0 else 'lower'} than {other}"
    moved = sum(abs(part.change) for part in parts)
    told = [part for part in parts if part.title != REST and abs(part.change) >= _MATTERS * moved]
    same = [part for part in told if (part.change > 0) == (change > 0)][:_MOST_NAMED]
    against = [part for part in told if (part.change > 0) != (change > 0)][:1]
    words = f", mostly by {_changes(same, quantity)}" if same else ""
    words += f", in spite of {_changes(against, quantity)}" if against else ""
    return f"{said}{words}."


def _changes(parts: Sequence[Part], quantity: Quantity) -> str:
    return " and ".join(
        f"{part.title} ({'+' if part.change > 0 else '−'}{si(abs(part.change), quantity.unit)})" for part in parts
    )
