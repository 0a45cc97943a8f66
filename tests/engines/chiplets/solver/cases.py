from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import strategies as st

from engines.chiplets.solver.chain_costs import ChainCosts, UnitChains
from engines.chiplets.solver.chain_mapping import Target


def costs_of(seed: int, layers: int, kinds: int = 2) -> ChainCosts:
    random = np.random.default_rng(seed)
    empty = np.arange(layers + 1)[:, None] >= np.arange(layers + 1)[None, :]
    full = [np.where(empty, np.inf, random.integers(1, 12, (kinds, layers + 1, layers + 1))) for _ in range(3)]
    start = [np.where(empty[0], np.inf, random.integers(1, 12, (kinds, layers + 1))) for _ in range(3)]
    return ChainCosts(*full, *start)


def every_mapping(costs: ChainCosts, row: tuple[int, ...]) -> list[tuple[tuple[int, ...], float, float]]:
    found = []
    for inner in combinations(range(1, costs.layers), len(row) - 1):
        cuts = (*inner, costs.layers)
        added = [costs.start_added_s[row[0], cuts[0]]]
        peak = [costs.start_peak_s[row[0], cuts[0]]]
        energy = [costs.start_energy_j[row[0], cuts[0]]]
        for kind, (a, b) in zip(row[1:], pairwise(cuts), strict=True):
            added.append(costs.added_s[kind, a, b])
            peak.append(costs.peak_s[kind, a, b])
            energy.append(costs.energy_j[kind, a, b])
        found.append((cuts, float(sum(added) + max(peak)), float(sum(energy))))
    return found


def edp(latency: np.ndarray, energy: np.ndarray) -> np.ndarray:
    return latency * energy


def target_of(chains: UnitChains, ceiling: float = np.inf, floor: float = 0.0, offset: float = 0.0) -> Target:
    count = len(chains.start)
    return Target(edp, ceiling, np.full(count, floor), np.full(count, offset))


ROWS = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4, unique=True)
