"""How the time that the search of a window takes grows with the package."""

from __future__ import annotations

from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS

_GROWTH_PER_CHIPLET = 1.85  # of the exact search of a window
_OF_BEAM_PER_SQUARED_CHIPLET = 0.004  # of a window beyond the exact search, as a share of one on 9 chiplets


def window_growth(chiplets: int) -> float:
    """Return the search time of a window relative to a package of 9 chiplets."""
    if chiplets <= MOST_CHIPLETS_FOR_ALL_PATHS:
        return float(_GROWTH_PER_CHIPLET ** (chiplets - 9))
    return _OF_BEAM_PER_SQUARED_CHIPLET * chiplets**2
