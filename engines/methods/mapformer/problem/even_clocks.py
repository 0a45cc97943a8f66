"""Uniform clock reduction: the governor's way to meet a power limit, also used for managers that choose no clocks."""

from __future__ import annotations

import numpy as np

from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Mappings


def even_levels(space: Space) -> int:
    """Return the number of levels: that of the longest table of clocks."""
    return int(space.counts.max())


def at_even_clocks(space: Space, mappings: Mappings) -> Mappings:
    """Return each mapping at evenly lowered clocks of all units, from the highest down, `even_levels` of each in order."""
    levels = even_levels(space)
    shares = np.arange(levels, 0, -1) / levels
    steps = np.ceil(shares[:, None] * space.counts - 1e-9).astype(np.int64)
    found = mappings.repeated(levels)
    return space.tidied(Mappings(found.ends, found.units, np.tile(steps, (len(mappings), 1))))
