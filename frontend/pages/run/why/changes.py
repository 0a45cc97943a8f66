"""The single changes of a design that improve it most, collected from the parts of an answer in the browser's store."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, integer
from webapp.runs.results.design_variants import Change, Changes

MOST_ROWS = 8  # of every figure
MOST_S = 20.0
PIECE_S = 1.0
_NO_CHANGE = 1e-9
Tally = Mapping[str, Any]  # what the store holds


def ranked_quantities(designs: RunDesigns) -> list[Quantity]:
    """Return the metrics that a change may improve: objectives, and the metric that ranks the best design."""
    names = [quantity.name for quantity in designs.objectives]
    names += [designs.primary] if designs.primary not in names else []
    found = [designs.quantity(name) for name in names]
    return sorted((q for q in found if q.sense != "none"), key=lambda q: q.name != designs.primary)


def begun(number: int, asked: int) -> dict[str, Any]:
    """Return the state before any attempt on a design, for the n-th request."""
    return {
        "id": f"{number} {asked}",
        "design": number,
        "next": 0,
        "total": 0,
        "refused": 0,
        "broken": 0,
        "why": "",
        "rows": [],
        "own": False,
    }


def with_more(
    tally: Tally, more: Changes, quantities: Sequence[Quantity], constraints: Sequence[Quantity]
) -> dict[str, Any]:
    """Return the tally with another part added; it keeps rows that are among the best for some metric."""
    rows = list(tally["rows"])
    refused, broken, why = tally["refused"], tally["broken"], tally["why"]
    for change in more.tried:
        if change.refused:
            refused, why = refused + 1, why or change.refused
            continue
        row = _row(change, more.base, quantities, constraints)
        broken += bool(row["broken"])
        if any(value for value in row["change"].values()):
            rows.append(row)
    kept = {id(row): row for quantity in quantities for row in best_of(rows, quantity)}
    counts = {"refused": refused, "broken": broken, "why": why, "rows": [row for row in rows if id(row) in kept]}
    return {**tally, "next": more.next, "total": more.total, "own": more.own, **counts}


def best_of(rows: Sequence[Mapping[str, Any]], quantity: Quantity) -> list[Mapping[str, Any]]:
    """Return the rows by their gain in a metric, with those that violate a limit last."""
    sign = -1.0 if quantity.sense == "maximise" else 1.0
    known = [row for row in rows if row["change"].get(quantity.name) is not None]
    return sorted(known, key=lambda row: (bool(row["broken"]), sign * row["change"][quantity.name]))[:MOST_ROWS]


def helps(row: Mapping[str, Any], quantity: Quantity) -> bool:
    """Return whether a change improves a metric without violating a limit."""
    change = row["change"].get(quantity.name) or 0.0
    return not row["broken"] and (change > 0 if quantity.sense == "maximise" else change < 0)


def _row(
    change: Change, base: Mapping[str, float], quantities: Sequence[Quantity], constraints: Sequence[Quantity]
) -> dict[str, Any]:
    changes = {q.name: _share(change.columns.get(q.name, math.nan), base.get(q.name, math.nan)) for q in quantities}
    broken = [q.title for q in constraints if not change.columns.get(q.name, 0.0) >= 0]
    return {"words": change.words, "change": changes, "broken": ", ".join(broken)}


def _share(value: float, base: float) -> float | None:
    """Return the share by which a metric changes; None where it is undefined."""
    if not math.isfinite(value) or not math.isfinite(base) or base == 0:
        return None
    share = (value - base) / abs(base)
    return 0.0 if abs(share) < _NO_CHANGE else share


def tally_words(tally: Tally) -> str:
    """Return the sentence on the number of evaluated changes and their origin."""
    of = "changes from the engine" if tally["own"] else "entries from other designs of this run"
    words = f"{integer(tally['next'])} of {integer(tally['total'])} tried, one change each: {of}."
    if tally["refused"]:
        verb = "does" if tally["refused"] == 1 else "do"
        words += f" {integer(tally['refused'])} {verb} not describe a design of this problem; the first: {tally['why']}"
        words = f"{words.rstrip('.')}."
    if tally["broken"]:
        words += f" {integer(tally['broken'])} {'breaks' if tally['broken'] == 1 else 'break'} a limit."
    return words


def best_words(tally: Tally, quantity: Quantity, quantities: Sequence[Quantity]) -> str:
    """Return the change with the largest gain and its cost in other metrics; or that no change improves the design."""
    name = in_sentence(quantity.title)
    if not tally["total"]:
        return "There is no change to try: the other designs of this run decide the same, and the engine knows none."
    if tally["refused"] == tally["next"]:
        return f"The engine scores no design that differs from one of its own. It says: {tally['why']}"
    best = next((row for row in best_of(tally["rows"], quantity) if helps(row, quantity)), None)
    if best is None:
        return f"No single change that was tried makes {name} better."
    others = [q for q in quantities if q.name != quantity.name and best["change"].get(q.name)]
    beside = ", ".join(f"{in_sentence(q.title)} {signed_percent(best['change'][q.name])}" for q in others)
    words = f"Best for {name}: {best['words']} ({signed_percent(best['change'][quantity.name])})"
    return f"{words}; {beside}." if beside else f"{words}."


def signed_percent(share: float | None) -> str:
    """Return a change as per cent with its sign: "−1.3 %"."""
    if share is None:
        return "–"
    value = 100 * share
    size = f"{abs(value):.2g}" if 0 < abs(value) < 1 else f"{abs(value):.1f}"
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{size}\u00a0%"
