"""Fronts of latency and energy that bound windows and whole schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.bounds import relaxed_window_front
from engines.chiplets.windows.provision import free_nodes, provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.segment_costs import ChipletKinds, chiplet_kinds
from engines.contract.arrays import FloatArray
from engines.search.dominance import non_dominated_by_group

_STEPS_OF_FRONT = 6


@dataclass(frozen=True)
class Front:
    """Points (latency, energy), one of which is as good as anything that it represents; shape `n` each."""

    latency_s: FloatArray
    energy_j: FloatArray

    def plus(self, other: Front) -> Front:
        """Return all sums of one point of each, without the dominated."""
        latency = (self.latency_s[:, None] + other.latency_s[None, :]).ravel()
        energy = (self.energy_j[:, None] + other.energy_j[None, :]).ravel()
        keep = non_dominated_by_group(np.zeros(len(latency), np.int64), latency, energy)
        return Front(latency[keep], energy[keep])

    def coarse(self) -> Front:
        """Return a few points that bound the front from below."""
        parts = np.array_split(np.argsort(self.latency_s, kind="stable"), min(_STEPS_OF_FRONT, len(self.latency_s)))
        return Front(
            np.array([self.latency_s[part].min() for part in parts]),
            np.array([self.energy_j[part].min() for part in parts]),
        )

    def least(self, goal: Goal, latency_s: float = 0.0, energy_j: float = 0.0) -> float:
        """Return the least objective on top of what is there already; infinite for an empty front."""
        return float(goal.value(self.latency_s + latency_s, self.energy_j + energy_j).min(initial=np.inf))

    def lowest(self, goal: Goal) -> tuple[float, float]:
        """Return the point with the least objective."""
        at = int(goal.value(self.latency_s, self.energy_j).argmin())
        return float(self.latency_s[at]), float(self.energy_j[at])


def sum_of(fronts: Sequence[Front]) -> Front:
    """Return all sums of one point of each."""
    total = Front(np.zeros(1), np.zeros(1))
    for front in fronts:
        total = total.plus(front)
    return total


def sums_of_rests(fronts: Sequence[Front]) -> list[Front]:
    """Return the sum of the fronts from w on at w; one entry more than windows."""
    return [sum_of(fronts[w:]) for w in range(len(fronts) + 1)]


def relaxed_fronts(tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]], goal: Goal) -> list[Front]:
    """Return per window a front that no mapping of it is better than, wherever models were before; milliseconds."""
    kinds = chiplet_kinds(tables)
    fronts = []
    for ranges in windows:
        # A representative of every kind of chiplet has that kind at distance 0: no start is nearer to its activations.
        sources = [(MEMORY,) if r.first == 0 else _representatives(kinds, tables.allowed[r.model]) for r in ranges]
        # Passes of the published search share chiplets by several objectives: its bound must not depend on one of them.
        published = tables.params.search == "greedy"
        nodes = free_nodes(tables, ranges) if published else provisioned_nodes(tables, ranges, goal)
        front = relaxed_window_front(tables, ranges, sources, nodes)
        fronts.append(Front(front.latency_s, front.energy_j))
    return fronts


def _representatives(kinds: ChipletKinds, allowed: frozenset[int]) -> list[int]:
    """Return one allowed chiplet of every kind that has one."""
    first = {int(kinds.of[chiplet]): chiplet for chiplet in sorted(allowed, reverse=True)}
    return sorted(first.values())
