"""The inner search: which unit has which block of one architecture, and at which clocks.

Source: odema-2023 section 4.3. Eq. 13 rates a mapping by (E / best single unit's E)^g1 x (L / best single unit's L)^g2, less is
better (the paper writes a maximum; the product of normalised costs is to be small). The normaliser is the best single unit's, as
the text says; the printed maximum over units is not that. Within limits (eq. 8) only mappings that keep them count; if none does,
the single units' are returned (section 4.3.3), and the design tells by how much it misses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.mapping.solver.evolution import search_mappings
from engines.mapping.solver.unit_mapping import FrontSearch, MappingLimits, MappingScores, UnitCosts, score
from engines.search.dominance import non_dominated_by_group

_PUBLISHED_POPULATION = 200  # section 5.1.3


@dataclass(frozen=True)
class InnerSearch:
    """How architectures are mapped.

    Attributes:
        method: exact front, published NSGA-II, or each unit alone.
        evaluations: mappings that NSGA-II scores.
        energy_exponent, latency_exponent: exponents of eq. 13.
        kept: mappings that are handed out of each architecture.
        clocks: fixed at the reference, searched for a mapping (eq. 14), or along with it.
        reference: number of the setting with the highest clocks.
        limits: limits of eq. 8.
        labels: partial mappings that the exact search keeps per unit and setting.
    """

    method: Literal["exact", "nsga2_published", "single_units"]
    evaluations: int
    energy_exponent: float
    latency_exponent: float
    kept: int
    clocks: Literal["fixed", "after_mapping", "joint"]
    reference: int
    limits: MappingLimits
    labels: int


@dataclass(frozen=True)
class MappingChoices:
    """Mappings of one architecture, the best by eq. 13 first.

    Attributes:
        units: shape `k x n`; setting, latency_s, energy_j, transitions and product (eq. 13): shape `k`.
        allowed: whether they meet the limits.
    """

    units: IntArray
    setting: IntArray
    scores: MappingScores
    product: FloatArray
    allowed: bool


def map_architecture(search: InnerSearch, item: tuple[UnitCosts, np.random.Generator]) -> MappingChoices:
    """Return the mappings of an architecture that are worth keeping.

    Args:
        search: method of the search.
        item: costs of its blocks, and the random stream of the published search.
    """
    costs, random = item
    best_alone = best_single(costs, search.reference)
    units, setting = _candidates(search, costs, random)
    allowed = bool(len(units))
    if not allowed:
        units = _single_units(costs)
        setting = np.full(len(units), search.reference)
    if search.clocks == "after_mapping":
        setting = np.array([_best_setting(search, costs, row, best_alone) for row in units], dtype=np.int64)
    scores = score(costs, units, setting)
    if allowed:
        keep = np.flatnonzero(search.limits.allow(scores))  # other clocks may take longer than the limit
        allowed = bool(len(keep))
        keep = keep if allowed else np.arange(len(units))
        units, setting = units[keep], setting[keep]
        scores = score(costs, units, setting)
    product = eq_13(scores, best_alone, search.energy_exponent, search.latency_exponent)
    picked = _spread(scores, product, search.kept)
    return MappingChoices(units[picked], setting[picked], _taken(scores, picked), product[picked], allowed)


def eq_13(
    scores: MappingScores, best_alone: tuple[float, float], energy_exponent: float, latency_exponent: float
) -> FloatArray:
    """Return the p(m) of every mapping, shape `k`; `best_alone` are the least latency and the least energy of a single unit."""
    latency_s, energy_j = best_alone
    return np.asarray(
        (scores.energy_j / energy_j) ** energy_exponent * (scores.latency_s / latency_s) ** latency_exponent
    )


def best_single(costs: UnitCosts, setting: int) -> tuple[float, float]:
    """Return the least latency and least energy of a whole network on one unit; 1 s and 1 J where no unit can have all of it."""
    units = _single_units(costs)
    if not len(units):
        return 1.0, 1.0
    scores = score(costs, units, np.full(len(units), setting))
    return float(scores.latency_s.min()), float(scores.energy_j.min())


def _candidates(search: InnerSearch, costs: UnitCosts, random: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return the mappings within the limits of which none beats another; empty where nothing keeps them."""
    settings = np.arange(costs.settings) if search.clocks == "joint" else np.array([search.reference])
    # The limits are of the clocks that are chosen in the end: lower ones may save the energy that is too much here.
    limits = MappingLimits() if search.clocks == "after_mapping" else search.limits
    if search.method == "exact":
        front = FrontSearch(costs, limits, search.labels).front(settings)
        return front.units, front.setting
    if search.method == "single_units":
        single = _single_units(costs)
        units = np.repeat(single, len(settings), axis=0)
        setting = np.tile(settings, len(single))
    else:
        part = UnitCosts(
            costs.latency_s[..., settings], costs.energy_j[..., settings],
            costs.handover_s[..., settings], costs.handover_j[..., settings],
        )  # fmt: skip
        rated = search_mappings(part, "nsga2_published", search.evaluations, _PUBLISHED_POPULATION, random, limits)
        genes = rated.genes[rated.violation <= 0]
        units, setting = genes[:, :-1], settings[genes[:, -1]]
    scores = score(costs, units, setting)
    keep = np.flatnonzero(limits.allow(scores))
    on_front = non_dominated_by_group(np.zeros(len(keep), np.int64), scores.latency_s[keep], scores.energy_j[keep])
    keep = keep[on_front]
    keep = keep[np.argsort(scores.latency_s[keep], kind="stable")]
    return units[keep], setting[keep]


def _best_setting(search: InnerSearch, costs: UnitCosts, units: IntArray, best_alone: tuple[float, float]) -> int:
    """Return the clocks of least eq. 13 for a mapping (shape `n`; eq. 14), among those that meet the limits if any does."""
    settings = np.arange(costs.settings)
    scores = score(costs, np.repeat(units[None], len(settings), axis=0), settings)
    product = eq_13(scores, best_alone, search.energy_exponent, search.latency_exponent)
    allowed = search.limits.allow(scores)
    return int(np.where(allowed, product, np.inf).argmin() if allowed.any() else product.argmin())


def _single_units(costs: UnitCosts) -> IntArray:
    """Return the mappings to each unit that can have everything, shape `k x n`."""
    able = np.flatnonzero(np.isfinite(costs.latency_s[:, :, 0]).all(axis=0))
    return np.repeat(able[:, None], costs.blocks, axis=1)


def _spread(scores: MappingScores, product: FloatArray, most: int) -> IntArray:
    """Return the places of the best by eq. 13, then of others evenly along the order of latency, its ends first.

    Shape `most` or less.
    """
    order = np.argsort(scores.latency_s, kind="stable")
    even = np.unique(np.linspace(0, len(order) - 1, min(most, len(order))).round().astype(np.int64))
    best = int(product.argmin())
    ends_first = sorted(even.tolist(), key=lambda place: (place not in (0, len(order) - 1), place))
    others = [int(order[place]) for place in ends_first if int(order[place]) != best]
    return np.array([best, *others[: most - 1]], dtype=np.int64)


def _taken(scores: MappingScores, rows: IntArray) -> MappingScores:
    return MappingScores(scores.latency_s[rows], scores.energy_j[rows], scores.transitions[rows])
