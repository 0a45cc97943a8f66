"""Limits that exclude all designs: which one to relax, and the design with the smallest violation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import Region, RunDesigns


@dataclass(frozen=True)
class Obstacle:
    """The reason why no design is left: the violated limit, and the value that would admit a design."""

    quantity: Quantity
    limit: float
    needed: float
    would_remain: int


def obstacle(designs: RunDesigns, limits: Mapping[str, float], region: Region | None = None) -> Obstacle | None:
    """Return the one limit whose relaxing brings designs back most cheaply, None while designs remain or none can come back."""
    if designs.remaining(limits, region).any() or not len(designs):
        return None
    found = []
    for name, limit in limits.items():
        others = designs.remaining({key: value for key, value in limits.items() if key != name}, region)
        best = designs.best(name, others)
        if best is None:
            continue
        needed = float(designs.columns[name][best])
        remain = int(designs.remaining({**limits, name: needed}, region).sum())
        found.append(
            (abs(needed - limit) / (abs(limit) or 1.0), Obstacle(designs.quantity(name), limit, needed, remain))
        )
    return min(found, key=lambda pair: pair[0])[1] if found else None


def nearest_design(designs: RunDesigns, limits: Mapping[str, float]) -> int | None:
    """Return the number of the searched design that misses the limits by least, each miss as a share of its column's range.

    The worst miss decides, then the sum of all. None where no design has all the values.
    """
    worst, total = np.zeros(len(designs)), np.zeros(len(designs))
    for name, limit in limits.items():
        if name not in designs.columns:
            continue
        column = designs.columns[name]
        finite = column[np.isfinite(column)]
        miss = limit - column if designs.quantity(name).sense == "maximise" else column - limit
        share = np.maximum(0.0, miss) / ((np.ptp(finite) if len(finite) else 0.0) or 1.0)
        worst, total = np.maximum(worst, share), total + share
    found = np.flatnonzero(designs.searched & np.isfinite(total))
    return int(found[np.lexsort((total[found], worst[found]))[0]]) if len(found) else None
