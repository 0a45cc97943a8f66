"""One sentence per picture for those who cannot see it: best, count, knee, busiest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.contract.results import (
    Breakdown,
    ChipletGrid,
    Schedule,
)
from frontend.figures.chiplets.chiplet_grid import largest_load
from frontend.figures.numbers import many, percent, si

_MOST_BARS_NAMED = 6
_OF_DIFFERENCE = 0.25
_MOST_DIGITS = 8


def grid_sentence(grid: ChipletGrid, window: int) -> str:
    """Return the sentence on a time window: chiplets per model, idle chiplets, and the busiest link."""
    shown = grid.windows[window]
    counts = {model: len({p.chiplet for p in shown.placements if p.model == model}) for model in grid.models}
    parts = [f"{model} on {n} chiplet{'s' if n > 1 else ''}" for model, n in counts.items() if n]
    idle = len(grid.chiplets) - len({p.chiplet for p in shown.placements})
    words = f"Window {window + 1} of {len(grid.windows)}, {si(shown.duration_s, 's')}: {', '.join(parts) or 'no work'}; {idle} idle"
    load = largest_load(grid, window)
    return words + (f"; the busiest link carries {si(load, 'B')}." if load else ".")


def schedule_sentence(schedule: Schedule) -> str:
    """Return length, number of windows, the busiest and the idlest lane."""
    if not len(schedule.bar_end_s):
        return "An empty schedule."
    end = max([w.end_s for w in schedule.windows] + [float(schedule.bar_end_s.max())])
    windows = f" in {len(schedule.windows)} windows" if len(schedule.windows) > 1 else ""
    words = f"{len(schedule.lanes)} row{'s' if len(schedule.lanes) > 1 else ''} over {si(end, 's')}{windows}"
    lanes = sorted(schedule.lanes, key=lambda lane: lane.busy_fraction)
    high, low = lanes[-1], lanes[0]
    if len(lanes) == 1:
        return f"{words}; busy {percent(high.busy_fraction)} of the time."
    return (
        f"{words}; busiest {high.id} at {percent(high.busy_fraction)}, idlest {low.id} at {percent(low.busy_fraction)}."
    )


def convergence_sentence(evaluations: npt.ArrayLike, values: npt.ArrayLike, title: str, unit: str) -> str:
    """Return first and last value, and where the last improvement was."""
    x, y = np.asarray(evaluations, float), np.asarray(values, float)
    kept = np.isfinite(y)
    if not kept.any():
        return f"{title}: no value yet."
    x, y = x[kept], y[kept]
    changed = np.flatnonzero(np.diff(y))
    if not len(changed):
        return f"{title} {si(y[0], unit)} from the first value on."
    last = many(int(x[changed[-1] + 1]), "evaluation")
    digits = _telling_digits(float(y[0]), float(y[-1]))
    first, now = (si(value, unit, digits) for value in (y[0], y[-1]))
    return f"{title} from {first} to {now}; last improved after {last}."


def _telling_digits(first: float, last: float) -> int:
    """Return as many digits as show how far apart two values are: rounded, they may seem equal or too far apart."""
    for digits in range(3, _MOST_DIGITS):
        shown = abs(float(f"{first:.{digits}g}") - float(f"{last:.{digits}g}"))
        if abs(shown - abs(first - last)) <= _OF_DIFFERENCE * abs(first - last):
            return digits
    return _MOST_DIGITS


def breakdown_sentence(breakdown: Breakdown) -> str:
    """Return the totals of its bars; of many, how many there are, the sum and the largest."""
    totals = breakdown.values.sum(axis=1)
    several = len(totals) > _MOST_BARS_NAMED
    order = np.argsort(-totals, kind="stable")[:_MOST_BARS_NAMED] if several else np.arange(len(totals))
    named = ", ".join(f"{breakdown.bars[i]} {si(float(totals[i]), breakdown.unit)}" for i in order)
    if not several:
        return f"{breakdown.title}: {named}."
    words = f"{breakdown.title}: {many(len(totals), 'bar')}, together {si(float(totals.sum()), breakdown.unit)}"
    return f"{words}; largest {named}."
