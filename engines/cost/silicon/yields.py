"""Yield of dies and how many of them a wafer has.

Sources: goyal-2023 eq. 6.1, the negative binomial yield with clustered defects; the dies of a wafer after de Vries, "Investigation
of gross die per wafer formulas", IEEE Transactions on Semiconductor Manufacturing 18 (2005): a wafer's area over a die's, less
those that its edge cuts.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray


def yield_of(area_mm2: npt.ArrayLike, defects_per_mm2: float, critical_share: float, clustering: float) -> FloatArray:
    """Return the share of good dies, (1 + density x critical area / clustering) ** -clustering (goyal-2023 eq.

    6.1), shape of the areas.

    Args:
        area_mm2: areas of dies.
        defects_per_mm2: density.
        critical_share: critical share of a die, in which a defect counts.
        clustering: alpha; the larger, the more evenly defects lie.
    """
    base = 1.0 + np.asarray(area_mm2, dtype=np.float64) * (defects_per_mm2 * critical_share / clustering)
    return 1.0 / _power(base, clustering)


def _power(base: FloatArray, exponent: float) -> FloatArray:
    """Return `base ** exponent`, of half numbers by products and roots: those are the same on every processor, and faster."""
    if exponent > 8 or not (2 * exponent).is_integer():
        return np.asarray(np.power(base, exponent))
    found = np.sqrt(base) if exponent % 1 else np.ones_like(base)
    for _ in range(int(exponent)):
        found = found * base
    return found


def powers(base: float, most: int) -> FloatArray:
    """Return `base` to the powers from 0 to `most`, each the one before times `base`, shape `most + 1`."""
    return np.cumprod(np.append(1.0, np.full(most, base)))


def dies_per_wafer(area_mm2: npt.ArrayLike, diameter_mm: float) -> FloatArray:
    """Return the whole dies of a wafer, pi (d / 2)^2 / A - pi d / sqrt(2 A), at least 0 and not rounded, shape of the areas."""
    area = np.asarray(area_mm2, dtype=np.float64)
    return np.maximum(math.pi * diameter_mm**2 / 4 / area - math.pi * diameter_mm / np.sqrt(2 * area), 0.0)
