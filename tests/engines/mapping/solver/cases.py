from __future__ import annotations

from itertools import product

import numpy as np

from engines.contract.fronts.non_dominated import non_dominated
from engines.mapping.solver.unit_mapping import MappingLimits, UnitCosts

SENSES = ("minimise", "minimise")


def random_costs(random: np.random.Generator, blocks: int, units: int, settings: int = 1) -> UnitCosts:
    """Small whole numbers, so that ties happen and sums are exact; some blocks lack a unit, never all of them."""
    shape = (blocks, units, settings)
    latency, energy = random.integers(1, 12, shape).astype(float), random.integers(1, 12, shape).astype(float)
    lacking = random.random((blocks, units)) < 0.15
    lacking[np.arange(blocks), random.integers(units, size=blocks)] = False
    latency[lacking], energy[lacking] = np.inf, np.inf
    changes = random.integers(0, 4, (2, blocks - 1, settings)).astype(float)
    return UnitCosts(latency, energy, changes[0], changes[1])


def brute_force(costs: UnitCosts, limits: MappingLimits) -> np.ndarray:
    """The front by trying every mapping, with sums written out as in odema-2023 eqs. 6 and 7."""
    points = np.array(every_mapping(costs, limits)).reshape(-1, 2)
    return np.unique(points[non_dominated(points, SENSES)], axis=0)


def every_mapping(costs: UnitCosts, limits: MappingLimits) -> list[tuple[float, float]]:
    """Latency and energy of every mapping that keeps the limits."""
    found = []
    for setting in range(costs.settings):
        for units in product(range(costs.units), repeat=costs.blocks):
            time = energy = 0.0
            changes = 0
            for block, unit in enumerate(units):
                time += costs.latency_s[block, unit, setting]
                energy += costs.energy_j[block, unit, setting]
                if block and units[block - 1] != unit:
                    changes += 1
                    time += costs.handover_s[block - 1, setting]
                    energy += costs.handover_j[block - 1, setting]
            within = np.isfinite(time) and time <= limits.latency_s and energy <= limits.energy_j
            within = within and (not np.isfinite(limits.power_w) or energy <= limits.power_w * time)
            if within and (limits.transitions is None or changes <= limits.transitions):
                found.append((time, energy))
    return found


def random_limits(random: np.random.Generator, blocks: int) -> MappingLimits:
    def sometimes(low: float, high: float) -> float:
        return float(random.uniform(low, high)) if random.random() < 0.5 else np.inf

    return MappingLimits(
        latency_s=sometimes(3 * blocks, 8 * blocks),
        energy_j=sometimes(3 * blocks, 8 * blocks),
        power_w=sometimes(0.6, 1.6),
        transitions=int(random.integers(0, blocks)) if random.random() < 0.5 else None,
    )


def points_of(front) -> np.ndarray:
    return np.column_stack([front.scores.latency_s, front.scores.energy_j])
