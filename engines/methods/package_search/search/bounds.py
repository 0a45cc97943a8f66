"""Bounds of all schedules of a package, from its number of chiplets of each kind; they take milliseconds per kind of package.

Segments of a model may take any chiplets, wherever they lie, as near to memory as any of their kind; only how many there are of
each kind stays limited, for all models of a window together. Latency and energy are minimised each by itself per number of
chiplets of each kind. Leaving out paths and places relaxes odema-2024 sections 4.3.5 and 4.3.6, so that every mapping of a window
has a point of the window's front below it; the fronts of all windows added up bound every schedule with these windows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from engines.chiplets.joint.fronts import Front, relaxed_fronts
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.solver.chain_costs import CRITERIA, ChainCosts
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.segment_costs import ChipletKinds, StartKinds, chain_costs
from engines.contract.arrays import FloatArray, IntArray
from engines.search.dominance import non_dominated_by_group

Counts = tuple[int, ...]

_MOST_KINDS = 2  # beyond, counting by kind takes longer than it saves
_MOST_POINTS = 200


@dataclass(frozen=True)
class PackageKinds:
    """The properties of a package that a bound distinguishes.

    Attributes:
        counts: chiplets of each kind (row of the compute tables).
        memory_hops: least links to an interface of a chiplet of that kind.
    """

    counts: Counts
    memory_hops: Counts


def package_kinds(tables: ScenarioTables) -> PackageKinds:
    """Return the number of chiplets of each kind in a package, and the distance of the nearest one to memory."""
    number = int(tables.class_of.max()) + 1
    hops = tables.package_model.memory_hops
    return PackageKinds(
        tuple(np.bincount(tables.class_of, minlength=number).tolist()),
        tuple(int(hops[tables.class_of == kind].min()) for kind in range(number)),
    )


def schedule_front(tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]], goal: Goal) -> Front:
    """Return the points of latency and energy, one of which every schedule with these windows equals or is worse than in both.

    Args:
        tables: the scenario on the package.
        windows: layers of each model per window.
        goal: objective by which chiplets are distributed.
    """
    kinds = package_kinds(tables)
    if len(kinds.counts) > _MOST_KINDS:
        fronts = relaxed_fronts(tables, windows, goal)
    else:
        fronts = [_window_front(tables, kinds, ranges, goal) for ranges in windows]
    total = Front(np.zeros(1), np.zeros(1))
    for front in fronts:
        total = _thin(total.plus(front))
    return total


def _thin(front: Front) -> Front:
    """Return at most `_MOST_POINTS` points that bound the front from below."""
    if len(front.latency_s) <= _MOST_POINTS:
        return front
    parts = np.array_split(np.argsort(front.latency_s, kind="stable"), _MOST_POINTS)
    return Front(
        np.array([front.latency_s[part].min() for part in parts]),
        np.array([front.energy_j[part].min() for part in parts]),
    )


def _window_front(tables: ScenarioTables, kinds: PackageKinds, ranges: Sequence[LayerRange], goal: Goal) -> Front:
    used = np.zeros((1, len(kinds.counts)), np.int64)
    latency, energy = np.zeros(1), np.zeros(1)
    for layers, most in zip(ranges, provisioned_nodes(tables, ranges, goal), strict=True):
        counts, own_s, own_j = _by_counts(tables, layers, kinds, most)
        row, column = (
            grid.ravel() for grid in np.meshgrid(np.arange(len(used)), np.arange(len(counts)), indexing="ij")
        )
        joined = used[row] + counts[column]
        fits = (joined <= np.array(kinds.counts)).all(axis=1)
        row, column, joined = row[fits], column[fits], joined[fits]
        new_s, new_j = np.maximum(latency[row], own_s[column]), energy[row] + own_j[column]
        keep = non_dominated_by_group(_code(joined, tables.chiplets), new_s, new_j)
        used, latency, energy = joined[keep], new_s[keep], new_j[keep]
    front = non_dominated_by_group(np.zeros(len(used), np.int64), latency, energy)
    return Front(latency[front], energy[front])


def _code(counts: IntArray, most: int) -> IntArray:
    """Return a number per different row of counts up to `most`."""
    return np.asarray(counts @ (most + 1) ** np.arange(counts.shape[1], dtype=np.int64))


def _by_counts(
    tables: ScenarioTables, layers: LayerRange, kinds: PackageKinds, most: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return counts by kind of the chiplets that a model may use, `n x kinds`, and its least latency and least energy with them."""
    costs = _costs(tables, layers, kinds)
    most = min(most, costs.layers)
    after = _rests(costs, kinds.counts, most - 1)
    found: dict[Counts, tuple[float, float]] = {}
    for counts, rest in after.items():
        for kind in range(len(kinds.counts)):
            own = _one_more(counts, kind)
            if own[kind] > kinds.counts[kind]:
                continue
            peak = np.maximum(costs.start_peak_s[kind], rest["peak_s"])
            seconds = float((costs.start_added_s[kind] + rest["added_s"] + peak).min())
            joules = float((costs.start_energy_j[kind] + rest["energy_j"]).min())
            known = found.get(own, (np.inf, np.inf))
            found[own] = (min(seconds, known[0]), min(joules, known[1]))
    possible = {counts: values for counts, values in found.items() if np.isfinite(values).all()}
    values = np.array(list(possible.values())).reshape(-1, 2)
    return np.array(list(possible), dtype=np.int64).reshape(-1, len(kinds.counts)), values[:, 0], values[:, 1]


def _costs(tables: ScenarioTables, layers: LayerRange, kinds: PackageKinds) -> ChainCosts:
    """Return the segments on each kind where it is nearest to memory.

    Activations are there already, or come from memory at first.
    """
    rows = np.arange(len(kinds.counts))
    near = ChipletKinds(tables.class_of, rows, np.array(kinds.memory_hops))
    from_memory = -1 if layers.first == 0 else 0
    return chain_costs(tables, layers, near, StartKinds(tables.class_of, rows, np.full(len(rows), from_memory)))


def _rests(costs: ChainCosts, available: Counts, most: int) -> dict[Counts, dict[str, FloatArray]]:
    """Return the least sum, maximum and energy of the layers i..

    on exactly so many chiplets of each kind, by criterion, shape `L + 1`.
    """
    nothing = {name: np.full(costs.layers + 1, np.inf) for name in CRITERIA}
    for table in nothing.values():
        table[costs.layers] = 0.0
    found = {(0,) * len(available): nothing}
    for counts in _counts_up_to(available, most):
        parts = [
            (kind, found[tuple(count - (k == kind) for k, count in enumerate(counts))])
            for kind, used in enumerate(counts)
            if used
        ]
        tables = {}
        for name in CRITERIA:
            own = getattr(costs, name)
            rests = [
                (np.maximum(own[kind], rest[name]) if name == "peak_s" else own[kind] + rest[name]).min(axis=1)
                for kind, rest in parts
            ]
            tables[name] = np.min(rests, axis=0)
        found[counts] = tables
    return found


def _counts_up_to(available: Counts, most: int) -> Iterator[Counts]:
    """Yield the counts of which at least one is not 0, by their sum."""
    every = product(*(range(count + 1) for count in available))
    yield from sorted((counts for counts in every if 0 < sum(counts) <= most), key=lambda counts: (sum(counts), counts))


def _one_more(counts: Counts, kind: int) -> Counts:
    return tuple(count + (k == kind) for k, count in enumerate(counts))
