"""Sentences on a result without a real choice.

One design that is best in everything, a baseline that wins, a quantity that never changes, a search that found its best at once,
one that has come to rest. All follows from designs, quantities and the hypervolume over evaluations; no engine is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, integer, many, percent, si, significant

# Values that differ by less, as a share of the largest, are told as one.
ALIKE = 1e-3
# The best found within this share of the evaluations was found early, if there were enough of them to tell.
EARLY, ENOUGH_EVALUATIONS = 0.01, 100
# A hypervolume that has not changed over this share of the evaluations, and so many steps, has come to rest.
REST, FEWEST_STEPS = 0.25, 4
_UNCHANGED = 1e-9
_MOST_NAMED = 3


def remarks_on_result(
    designs: RunDesigns, evaluations: int, curve_evaluations: IntArray, hypervolume: FloatArray
) -> tuple[str, ...]:
    """Return sentences on degenerate properties of a finished result, the most important first.

    Nothing for a result with a real front.

    Args:
        designs: designs of the run.
        evaluations: number of evaluations.
        curve_evaluations: evaluations after each stored step, shape `s`.
        hypervolume: after each of them, NaN where there was none, shape `s`.
    """
    if designs.best(designs.primary) is None:
        return ()
    found = (
        *_baselines(designs),
        *_one_design(designs),
        *_constant(designs),
        *_early(designs, evaluations),
        *converged(curve_evaluations, hypervolume, designs.front_since),
    )
    return tuple(found)


def _baselines(designs: RunDesigns) -> Iterator[str]:
    """Yield the sentence that a baseline dominates all designs, with the ratio in the primary metric."""
    number, best = designs.best_baseline(designs.primary), designs.best(designs.primary)
    if number is None or best is None:
        return
    primary = designs.quantity(designs.primary)
    theirs, ours = float(designs.columns[primary.name][number]), float(designs.columns[primary.name][best])
    gain = (theirs - ours) / abs(ours) if ours else 0.0
    gain = gain if primary.sense == "maximise" else -gain
    if gain > ALIKE:
        label = designs.label_of(number) or f"design {number}"
        yield f"The baseline {label} wins by {significant(100 * gain, 2)}\u00a0% in {in_sentence(primary.title)}"
    elif designs.dominated_by_baselines and bool(
        np.logical_or.reduce(list(designs.dominated_by_baselines.values())).all()
    ):
        yield "A baseline dominates every design on the front"


def _one_design(designs: RunDesigns) -> Iterator[str]:
    """Yield the sentence that there is no trade-off: one point is best in every objective, or the front is flat in one of them."""
    titles = [in_sentence(quantity.title) for quantity in designs.objectives]
    if len(titles) < 2:
        return
    if designs.front_points == 1:
        several = (
            "One design is"
            if len(designs.front) == 1
            else (f"{many(len(designs.front), 'design')} with equal objectives are")
        )
        yield f"{several} best in {_listed(titles)}: they do not compete here"
        return
    for quantity in designs.objectives:
        values = designs.columns[quantity.name][designs.front]
        spread = _spread(values)
        if spread < ALIKE and not _never_changes(designs, quantity):
            yield f"Along the front {in_sentence(quantity.title)} differs by less than {percent(ALIKE, 1)}"


def _constant(designs: RunDesigns) -> Iterator[str]:
    """Yield the objectives that are the same in every design that counts."""
    for quantity in designs.objectives:
        if _never_changes(designs, quantity):
            value = float(designs.columns[quantity.name][designs.front[0]])
            told = si(value, quantity.unit)
            yield f"All designs have the same {in_sentence(quantity.title)} ({told}): choose another objective"


def _never_changes(designs: RunDesigns, quantity: Quantity) -> bool:
    values = designs.columns[quantity.name][designs.searched & designs.feasible]
    return len(values) > 1 and len(designs.front) > 0 and _spread(values) <= _UNCHANGED


def _spread(values: FloatArray) -> float:
    """Return the largest less least finite value as a share of the largest size; 0 of none."""
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max()) if len(finite) else 0.0
    return float(np.ptp(finite)) / largest if largest else 0.0


def _early(designs: RunDesigns, evaluations: int) -> Iterator[str]:
    """Yield the sentence that the best design was found at once and later evaluations did not improve it."""
    best = designs.best(designs.primary)
    if best is None or evaluations < ENOUGH_EVALUATIONS:
        return
    at = int(designs.found_at_evaluation[best])
    if 0 < at <= EARLY * evaluations:
        title = in_sentence(designs.quantity(designs.primary).title)
        yield f"The best {title} was found at evaluation {integer(at)} of {integer(evaluations)}"


def converged(evaluations: IntArray, hypervolume: FloatArray, front_since: int = 0) -> Iterator[str]:
    """Yield that a search has converged, with the evidence: front and hypervolume stayed the same over the last evaluations.

    Args:
        evaluations: after each step, shape `s`.
        hypervolume: after each of them, NaN where there was none, shape `s`.
        front_since: evaluation at which the last point of the front was found; the hypervolume of a run that an earlier version
            stored does not see what lies beyond its reference point.
    """
    known = np.isfinite(hypervolume)
    if known.sum() < FEWEST_STEPS:
        return
    values, made = hypervolume[known], evaluations[known]
    changed = np.flatnonzero(np.abs(values - values[-1]) > _UNCHANGED * abs(values[-1]))
    reached = max(int(changed[-1]) + 1 if len(changed) else 0, int(np.searchsorted(made, front_since)))
    if reached == len(values):
        return
    # Steps bring designs of many evaluations: the front tells more closely when the last one was found.
    within_step = front_since > (made[reached - 1] if reached else 0)
    total, since = int(made[-1]), int(made[-1] - (front_since if within_step else made[reached]))
    if len(values) - reached >= FEWEST_STEPS and since >= REST * total > 0:
        yield f"Hypervolume unchanged for the last {integer(since)} of {many(total, 'evaluation')}: the search has converged"


def _listed(titles: Sequence[str]) -> str:
    if len(titles) > _MOST_NAMED:
        return f"all {len(titles)} objectives"
    return f"{', '.join(titles[:-1])} and {titles[-1]}"
