"""The search layer by layer: of every mapping at every clock setting the partial configurations that can still become the best.

Exact while all of them fit; beyond `labels` those stay that are best by what they have so far, and the search says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import moocore
import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.search.bounds import bounds_of
from engines.methods.map_and_conquer.search.generations import genome_of
from engines.methods.map_and_conquer.search.partial import LayerCosts, Partials, nothing_yet, with_layer
from engines.search.ends.correctness import NestedCorrectness, shares_leaving
from engines.search.ends.costs import expected_cost
from engines.search.nsga2 import best_first

_FEW = 8  # times the labels: more candidates than that are thinned before they are compared one by one


@dataclass(frozen=True)
class Piece:
    """The outcome of one mapping at one setting.

    Attributes:
        genes: genes of complete designs that may be on the front, shape `k x genes`.
        looked_at: partial configurations.
        thinned: those that were left out though they might have become the best.
    """

    genes: IntArray
    looked_at: int
    thinned: int


class LayerByLayer:
    """One mapping and setting after the other, those of the least bounds first.

    Attributes:
        order: mapping and setting of each piece, shape `k x 2`; those that limits on latency or energy rule out are not there.
    """

    def __init__(self, instance: CutInstance, labels: int) -> None:
        self.genome = genome_of(instance)
        self._instance, self._labels = instance, labels
        bounds = bounds_of(self.genome, instance.costs, instance.accuracy.base_percent)
        limits = instance.limits
        possible = (bounds.latency_s <= limits.latency_s) & (bounds.energy_j <= limits.energy_j)
        pairs = np.argwhere(possible)
        worth = (bounds.latency_s * bounds.energy_j)[possible]
        self.order: IntArray = pairs[np.argsort(worth, kind="stable")]

    def pieces(self, begin: int = 0) -> Iterator[Piece]:
        """Yield the pieces of the search (one mapping and DVFS setting each) from number `begin` on."""
        for mapping, setting in self.order[begin:].tolist():
            yield self._piece(mapping, setting)

    def _piece(self, mapping: int, setting: int) -> Piece:
        genome, layers = self.genome, self._layers(mapping, setting)
        partials, looked_at, thinned = nothing_yet(genome.stages, genome.steps), 0, 0
        for number, layer in enumerate(layers[:-1], start=1):
            partials = with_layer(partials, layer, genome.cuts, genome.reuses)
            looked_at += len(partials)
            partials = partials.take(self._possible(partials, number))
            before = len(partials)
            if before > _FEW * self._labels:
                partials = partials.take(self._best(partials, number, _FEW * self._labels))
            left_out = before - len(partials)
            partials = partials.take(self._undominated(partials))
            if len(partials) > self._labels:
                left_out += len(partials) - self._labels
                partials = partials.take(self._best(partials, number, self._labels))
            thinned += left_out
        partials = partials.take(np.flatnonzero(self._on_front(_with_exit(partials, layers[-1]))))
        head = np.tile([mapping, setting], (len(partials), 1))
        return Piece(np.column_stack([head, partials.cuts, partials.reuses]), looked_at, thinned)

    def _layers(self, mapping: int, setting: int) -> list[LayerCosts]:
        costs, units = self._instance.costs, self.genome.mappings[mapping]
        mass_of = self._instance.accuracy.mass_of
        found = [
            LayerCosts(
                costs.latency_s[layer, units, setting], costs.energy_j[layer, units, setting],
                costs.transfer_s[layer, setting], costs.transfer_j[layer, setting], costs.feature_bytes[layer],
                mass_of[layer],
            )
            for layer in range(self.genome.layers)
        ]  # fmt: skip
        return [*found, LayerCosts(costs.latency_s[-1, units, setting], costs.energy_j[-1, units, setting])]

    def _possible(self, partials: Partials, layers: int) -> IntArray:
        """Return the partial configurations that can still meet the limits on reuse and memory."""
        limits, left = self._instance.limits, (self.genome.layers - layers) * (self.genome.stages - 1)
        kept = (partials.reused <= limits.most_reused) & (partials.reused + left >= limits.least_reused)
        return np.flatnonzero(kept & (partials.kept_bytes <= limits.feature_bytes))

    def _undominated(self, partials: Partials) -> IntArray:
        """Return the partial configurations that no other of the same state dominates."""
        if not len(partials):
            return np.empty(0, np.int64)
        limits = self._instance.limits
        columns = [partials.ready_s, partials.energy_j, -partials.mass]
        if limits.most_reused < self._instance.entries:
            columns.append(partials.reused[:, None])
        if limits.least_reused:
            columns.append(-partials.reused[:, None])
        if np.isfinite(limits.feature_bytes):
            columns.append(partials.kept_bytes[:, None])
        values = np.column_stack(columns)
        _, state = np.unique(partials.has, axis=0, return_inverse=True)
        order = np.argsort(state.ravel(), kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(state.ravel()[order])) + 1)
        return np.sort(np.concatenate([rows[moocore.is_nondominated(values[rows])] for rows in groups]))

    def _goals(self, partials: Partials, layers: int) -> FloatArray:
        """Return the mean latency, mean energy and accuracy lost, as if the network ended here, shape `p x 3`."""
        percent = self._instance.accuracy.of_mass(partials.mass / layers)
        leaving = shares_leaving(NestedCorrectness(percent / 100), np.ones(percent.shape, dtype=bool))
        latency = np.maximum.accumulate(partials.ready_s, axis=1)
        energy = np.cumsum(partials.energy_j, axis=1)
        return np.column_stack([expected_cost(leaving, latency), expected_cost(leaving, energy), -percent[:, -1]])

    def _best(self, partials: Partials, layers: int, count: int) -> IntArray:
        goals = self._goals(partials, layers)
        return np.sort(best_first(goals, moocore.pareto_rank(goals))[:count])

    def _on_front(self, whole: Partials) -> BoolArray:
        goals, limits = self._goals(whole, self.genome.layers), self._instance.limits
        kept = (goals[:, 0] <= limits.latency_s) & (goals[:, 1] <= limits.energy_j)
        kept &= -goals[:, 2] >= limits.accuracy_percent
        found = np.zeros(len(kept), dtype=bool)
        if kept.any():
            found[kept] = moocore.is_nondominated(goals[kept])
        return found


def _with_exit(partials: Partials, layer: LayerCosts) -> Partials:
    """Return the states with the classifier of every stage, which writes all classes."""
    stage = np.arange(partials.has.shape[1])
    steps = layer.latency_s.shape[1] - 1
    ready = partials.ready_s + layer.latency_s[stage, steps, partials.has]
    energy = partials.energy_j + layer.energy_j[stage, steps, partials.has]
    return Partials(
        partials.has, ready, energy, partials.mass, partials.reused, partials.kept_bytes, partials.cuts, partials.reuses
    )
