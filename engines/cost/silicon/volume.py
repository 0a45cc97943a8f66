"""Cost of a system over how many are made, and from how many on one way of building it is the cheaper one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.cost.silicon.costs import Money


def break_even(one: Money, other: Money) -> FloatArray:
    """Return the number of systems at which both designs cost the same, shape `n`.

    NaN where one of them is the cheaper at any number.

    once / systems + each is equal for both: systems = (once of one - once of other) / (each of other - each of one).
    """
    once, each = one.once_usd - other.once_usd, other.each_usd - one.each_usd
    with np.errstate(divide="ignore", invalid="ignore"):
        systems = once / each
    return np.where(systems > 0, systems, np.nan)


def cheaper_words(one: str, other: str, one_money: Money, other_money: Money) -> str:
    """Return a sentence on the cheaper of two designs, and the number of systems from which it is cheaper.

    The first design of each counts.
    """
    systems = float(break_even(one_money, other_money)[0])
    if np.isfinite(systems):
        early = one if one_money.once_usd[0] < other_money.once_usd[0] else other
        late = other if early == one else one
        return f"{early} is the cheaper one up to {systems:,.0f} systems, {late[0].lower()}{late[1:]} beyond."
    cheaper = one if one_money.per_system_usd(1.0)[0] <= other_money.per_system_usd(1.0)[0] else other
    return f"{cheaper} is the cheaper one at any number of systems."


def volumes(first: float = 1e3, last: float = 1e9, per_decade: int = 8) -> FloatArray:
    """Return the numbers of systems for curves, evenly on a logarithmic axis."""
    decades = np.log10(last) - np.log10(first)
    return np.asarray(np.geomspace(first, last, round(decades * per_decade) + 1), dtype=np.float64)


def over_volumes(money: Money, systems: npt.ArrayLike, design: int = 0) -> FloatArray:
    """Return the cost of a system of one of the designs, shape of `systems`."""
    numbers = np.asarray(systems, dtype=np.float64)
    return float(money.once_usd[design]) / numbers + float(money.each_usd[design])


def cheapest_from(
    once_usd: npt.ArrayLike, each_usd: npt.ArrayLike, first: float, last: float
) -> list[tuple[int, float]]:
    """Return (design, number of systems from which it is cheapest) for volumes from `first` to `last`.

    Of once / systems + each, the next design is that whose break-even with the present one comes first.
    """
    once, each = np.asarray(once_usd, dtype=np.float64), np.asarray(each_usd, dtype=np.float64)
    if not len(once):
        return []
    found = [(int(np.lexsort((each, once / first + each))[0]), first)]
    while True:
        now, since = found[-1]
        later = np.flatnonzero((each < each[now]) & (once > once[now]))
        systems = np.maximum((once[later] - once[now]) / (each[now] - each[later]), since)
        if not len(later) or systems.min() > last:
            return found
        # Where several cross at once, that which every further system makes cheapest.
        best = np.lexsort((each[later], systems))[0]
        found.append((int(later[best]), float(systems[best])))
