"""The blockwise search: the operators of least deviation together within a target of cost.

Source: odema-2024 section 5.3.2, eq. 5.2 and 5.6. Blocks are walked from the first on, operators of each in the order of their
deviation. What would leave too little for the cheapest rest is passed over (eq. 5.6), and as later operators of a block are worse,
a block is left as soon as one of them cannot win any more: the walk is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray

_ROUNDING = 1e-9


def best_within(deviations: Sequence[FloatArray], costs: Sequence[FloatArray], target: float) -> tuple[int, ...] | None:
    """Return the operator of each block.

    Args:
        deviations: deviations of each block those of its operators, from 0 on.
        costs: likewise.
        target: largest sum of the costs.

    Returns:
        Number of the operator in each block; None where even the cheapest ones pass the target.
    """
    orders = [np.argsort(each, kind="stable").tolist() for each in deviations]
    least = [float(each.min()) for each in costs]
    allowed = [target - sum(least[number + 1 :]) for number in range(len(costs))]  # eq. 5.6
    slack = _ROUNDING * abs(target)
    best: tuple[float, tuple[int, ...] | None] = (np.inf, None)

    def walk(chosen: tuple[int, ...], deviation: float, cost: float) -> None:
        nonlocal best
        block = len(chosen)
        if block == len(orders):
            best = (deviation, chosen)
            return
        for operator in orders[block]:
            further, spent = deviation + deviations[block][operator], cost + costs[block][operator]
            if further >= best[0]:
                break
            if spent <= allowed[block] + slack:
                walk((*chosen, operator), float(further), float(spent))

    walk((), 0.0, 0.0)
    return best[1]


def best_by_target(
    deviations: Sequence[FloatArray], costs: Sequence[FloatArray], targets: int
) -> list[tuple[int, ...]]:
    """Return the different winners at so many targets, evenly spread from the cheapest operators to the dearest.

    The dearest first.
    """
    least, most = (sum(float(getattr(each, name)()) for each in costs) for name in ("min", "max"))
    shares = np.linspace(1.0, 0.0, targets) if targets > 1 else np.ones(1)
    found = [best_within(deviations, costs, least + share * (most - least)) for share in shares.tolist()]
    return list(dict.fromkeys(each for each in found if each is not None))
