"""How the fronts of several runs stand to each other: hypervolume over one reference, coverage, epsilon.

Everything is over the objectives that all runs share, by column name, unit and sense.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.quantities import Quantity, objectives_of
from engines.search.indicators import coverage, epsilon_factor, hypervolume, reference_point


@dataclass(frozen=True)
class Measures:
    """Measures of every run, in order (lists of length `r`).

    Attributes:
        reference: the common reference point, one value per shared objective; None without designs.
        hypervolume: over `reference`, in the product of the objectives' units.
        covers: share of the distinct points of the other runs' fronts that this run's dominate, 0..1.
        epsilon: the factor by which the run's front must get better to cover the best front of all runs (1 is reached).
        coverage: `r x r`, share of the second run's distinct points that the first one's dominate, 0..1; NaN from a run to itself.
        factors: `r x r`, the factor by which the first run's front must get better to cover the second one's.
    """

    reference: FloatArray | None
    hypervolume: tuple[float, ...]
    covers: tuple[float, ...]
    epsilon: tuple[float, ...]
    coverage: FloatArray
    factors: FloatArray


def shared_quantities(sides: Sequence[Sequence[Quantity]], fewest: int | None = None) -> tuple[Quantity, ...]:
    """Return quantities that every side, or at least `fewest`, has under the same name, unit and sense, as they first appear."""
    named = {(q.name, q.unit, q.sense): q for side in reversed(sides) for q in reversed(side)}
    counts = Counter(key for side in sides for key in {(q.name, q.unit, q.sense) for q in side})
    needed = len(sides) if fewest is None else fewest
    return tuple(quantity for key, quantity in reversed(named.items()) if counts[key] >= needed)


def shared_objectives(sides: Sequence[Sequence[Quantity]]) -> tuple[Quantity, ...]:
    """Return the objectives that every side has and pursues as such."""
    shared = {q.name for q in shared_quantities([objectives_of(side) for side in sides])}
    return tuple(q for q in objectives_of(sides[0]) if q.name in shared) if sides else ()


def measure(fronts: Sequence[npt.ArrayLike], objectives: Sequence[Quantity]) -> Measures:
    """Return the measures of the runs' fronts.

    Args:
        fronts: per run, its non-dominated designs over `objectives`, `k x m` each, in stored units.
        objectives: the `m` shared objectives; none gives measures that are not known (NaN).
    """
    count = len(fronts)
    unknown = (float("nan"),) * count
    senses = [quantity.sense for quantity in objectives]
    sides = [np.asarray(front, dtype=np.float64).reshape(-1, len(senses)) for front in fronts] if senses else []
    if not any(len(side) for side in sides):
        nothing = np.full((count, count), np.nan)
        return Measures(None, unknown, unknown, unknown, nothing, nothing)
    together = np.concatenate(sides)
    best = together[non_dominated(together, senses)]
    reference = reference_point(together, senses)
    return Measures(
        reference,
        tuple(hypervolume(side, senses, reference) for side in sides),
        tuple(_covers(sides, position, senses) for position in range(count)),
        tuple(epsilon_factor(side, best, senses) for side in sides),
        _pairwise(sides, lambda first, second: coverage(first, second, senses)),
        _pairwise(sides, lambda first, second: epsilon_factor(first, second, senses)),
    )


def _pairwise(sides: Sequence[FloatArray], measured: Callable[[FloatArray, FloatArray], float]) -> FloatArray:
    """Return `r x r` of a measure from one run to another, NaN from a run to itself."""
    found = np.full((len(sides), len(sides)), np.nan)
    for first, second in permutations(range(len(sides)), 2):
        found[first, second] = measured(sides[first], sides[second])
    return found


def _covers(sides: Sequence[FloatArray], position: int, senses: Sequence[str]) -> float:
    others = [side for at, side in enumerate(sides) if at != position]
    if not others:  # a front on its own, as reports show it
        return float("nan")
    return coverage(sides[position], np.concatenate(others), senses)  # type: ignore[arg-type]
