"""The error band of estimates: one definition for calibrations, data sheets and all pages that show it."""

from __future__ import annotations

import math
from collections.abc import Iterable

HELD_SHARE = 0.9


def error_band(ratios: Iterable[float]) -> float | None:
    """Return the least factor, up or down, that holds 90 % of held-out measurements; None without any.

    Args:
        ratios: estimate over measurement, one per measurement that the fit did not see.
    """
    sizes = sorted(abs(math.log(ratio)) for ratio in ratios)
    return math.exp(sizes[math.ceil(HELD_SHARE * len(sizes)) - 1]) if sizes else None
