"""Lower bounds for all mappings of a window, without looking at paths.

Every segment may take the class of chiplet that suits it best by each criterion, whatever its neighbours take; activations
come from the nearest place that they can lie at; only the number of chiplets stays limited. The bound follows from
odema-2024 sections 4.3.5 and 4.3.6 by leaving restrictions out, so that it holds for every mapping of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.solver.chain_costs import CRITERIA, ChainCosts
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.segment_costs import ChipletKinds, chain_costs, chiplet_kinds, start_kinds
from engines.contract.arrays import FloatArray, IntArray
from engines.search.dominance import non_dominated_by_group


@dataclass(frozen=True)
class RelaxedFront:
    """Points (latency, energy) of which one is as good as any mapping of the window, each shape `n`."""

    latency_s: FloatArray
    energy_j: FloatArray


def relaxed_window_front(
    tables: ScenarioTables, ranges: Sequence[LayerRange], sources: Sequence[Sequence[int]], nodes: Sequence[int]
) -> RelaxedFront:
    """Return the bounds of one window.

    Args:
        tables: the problem.
        ranges: layers of each model.
        sources: per model of the window: where its activations may lie.
        nodes: most segments of each model.
    """
    kinds = chiplet_kinds(tables)
    used, latency, energy = np.zeros(1, np.int64), np.zeros(1), np.zeros(1)
    for layers, places, most in zip(ranges, sources, nodes, strict=True):
        own_s, own_j = _by_segments(tables, layers, kinds, places, most)
        count = np.arange(1, len(own_s) + 1)
        row, column = (grid.ravel() for grid in np.meshgrid(np.arange(len(used)), np.arange(len(count)), indexing="ij"))
        fits = used[row] + count[column] <= tables.chiplets
        row, column = row[fits], column[fits]
        new_used = used[row] + count[column]
        new_latency, new_energy = np.maximum(latency[row], own_s[column]), energy[row] + own_j[column]
        keep = non_dominated_by_group(new_used, new_latency, new_energy)
        used, latency, energy = new_used[keep], new_latency[keep], new_energy[keep]
    front = non_dominated_by_group(np.zeros(len(used), np.int64), latency, energy)
    return RelaxedFront(latency[front], energy[front])


def relaxed_window_bound(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    sources: Sequence[Sequence[int]],
    nodes: Sequence[int],
    goal: Goal,
) -> float:
    """Return the least objective of the window's bounds."""
    front = relaxed_window_front(tables, ranges, sources, nodes)
    return float(goal.value(front.latency_s, front.energy_j).min())


def _by_segments(
    tables: ScenarioTables, layers: LayerRange, kinds: ChipletKinds, sources: Sequence[int], most: int
) -> tuple[FloatArray, FloatArray]:
    """Return the least latency and least energy of one model with exactly 1, 2 .. segments, shape `segments` each."""
    length = layers.end - layers.first
    allowed = sorted(tables.allowed[layers.model])
    starts = [start_kinds(tables, kinds, source) for source in sources]
    by_source = [chain_costs(tables, layers, kinds, start) for start in starts]
    own_kinds, start_rows = np.unique(kinds.of[allowed]), [np.unique(start.of[allowed]) for start in starts]
    own = {name: getattr(by_source[0], name)[own_kinds].min(axis=0) for name in CRITERIA}
    start = {name: _least_start(by_source, start_rows, name) for name in CRITERIA}
    left = {name: np.full(length + 1, np.inf) for name in CRITERIA}
    for table in left.values():
        table[length] = 0.0
    seconds, joules = [], []
    for _ in range(min(most, length)):
        peak = np.maximum(start["peak_s"], left["peak_s"])
        seconds.append(float((start["added_s"] + left["added_s"] + peak).min()))
        joules.append(float((start["energy_j"] + left["energy_j"]).min()))
        for name in ("added_s", "energy_j"):
            left[name] = (own[name] + left[name]).min(axis=1)
        left["peak_s"] = np.maximum(own["peak_s"], left["peak_s"]).min(axis=1)
    return np.array(seconds), np.array(joules)


def _least_start(costs: Sequence[ChainCosts], rows: Sequence[IntArray], name: str) -> FloatArray:
    """Return the first segment on its best class of chiplet, out of the `rows` allowed, from its best source, shape `L + 1`."""
    of_source = [getattr(one, f"start_{name}")[own].min(axis=0) for one, own in zip(costs, rows, strict=True)]
    return np.asarray(np.min(of_source, axis=0))
