"""A population scored: partition, reuse, mapping and clocks to latency, energy and accuracy (odema-2024 equations 2.15 to 2.23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.methods.map_and_conquer.model.accuracy import AssumedAccuracy
from engines.methods.map_and_conquer.model.cut_costs import CutCosts
from engines.methods.map_and_conquer.model.equations import (
    energy_up_to_j,
    finish_times_s,
    latency_up_to_s,
    performance,
    stage_energy_j,
    stage_latency_s,
)
from engines.search.ends.correctness import NestedCorrectness, shares_leaving, union_accuracy
from engines.search.ends.costs import expected_cost


@dataclass(frozen=True)
class Population:
    """`B` configurations of `M` stages, Pi = (P, I, mapping, theta) of equation 2.11.

    Attributes:
        units: unit of each stage, shape `B x M`, all different within a row.
        setting: number of the clock setting, shape `B`.
        partition: steps of each stage in each of the `n` layers, shape `B x M x n`; over stages they sum to all steps.
        reuse: whether later stages read the stage's features of a layer, shape `B x M x n`; False in the last stage.
    """

    units: IntArray
    setting: IntArray
    partition: IntArray
    reuse: BoolArray

    def __len__(self) -> int:
        return len(self.setting)

    @staticmethod
    def joined(parts: Sequence[Population]) -> Population:
        """Return all of them, in order; each has as many stages."""
        names = ("units", "setting", "partition", "reuse")
        return Population(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True)
class SublayerCosts:
    """Costs of the parts of `B` configurations.

    Attributes:
        latency_s, energy_j: latency in seconds and energy in joules of every part alone, the exit last, shape `B x M x (n + 1)`.
        transfer_s: transfer in seconds of its features to another unit, shape `B x M x n`.
        received_j: energy of the features that come to a stage from earlier ones, shape `B x M x n`.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    transfer_s: FloatArray
    received_j: FloatArray


@dataclass(frozen=True)
class Scores:
    """Scores of `B` configurations, each of shape `B` unless stated.

    Attributes:
        latency_s, energy_j: means over inputs under ideal mapping.
        latency_up_to_s, energy_up_to_j: of an input for which the stages up to each one are started, shape `B x M`.
        stage_accuracy_percent: shape `B x M`.
        leaving: share of the inputs that pay for the stages up to each one, shape `B x M`: N_i, and in the last also those that no
            stage answers rightly.
        union_percent: inputs that at least one stage answers rightly.
        performance_js: equation 2.23.
        reuse_percent: share of ones in I, over `n x (M - 1)` entries; 0 of a single stage.
        feature_bytes: size of the features kept for later stages, size(F, I).
    """

    latency_s: FloatArray
    energy_j: FloatArray
    latency_up_to_s: FloatArray
    energy_up_to_j: FloatArray
    stage_accuracy_percent: FloatArray
    leaving: FloatArray
    union_percent: FloatArray
    performance_js: FloatArray
    reuse_percent: FloatArray
    feature_bytes: FloatArray

    @property
    def whole_latency_s(self) -> FloatArray:
        """Return the latency of an input for which all stages are started."""
        return self.latency_up_to_s[:, -1]

    @property
    def whole_energy_j(self) -> FloatArray:
        """Return the energy of an input for which all stages are started."""
        return self.energy_up_to_j[:, -1]

    @property
    def accuracy_percent(self) -> FloatArray:
        """Return the accuracy of the last stage, Acc_{S_M}."""
        return self.stage_accuracy_percent[:, -1]


def sublayer_costs(costs: CutCosts, population: Population) -> SublayerCosts:
    """Return the costs of all parts, looked up."""
    steps, layers = costs.steps, population.partition.shape[2]
    handed = np.where(population.reuse, population.partition, 0)
    has = population.partition + np.cumsum(handed, axis=1) - handed
    everything = np.full((*has.shape[:2], 1), steps)
    written = np.concatenate([population.partition, everything], axis=2)
    read = np.concatenate([everything, has], axis=2)
    layer, setting = np.arange(layers + 1), population.setting[:, None, None]
    at = (layer, population.units[:, :, None], setting, written, read)
    moved = (np.arange(layers), setting, population.partition)
    moved_j = np.where(population.reuse, costs.transfer_j[moved], 0.0)
    received = np.cumsum(moved_j, axis=1) - moved_j
    return SublayerCosts(costs.latency_s[at], costs.energy_j[at], costs.transfer_s[moved], received)


def score(costs: CutCosts, accuracy: AssumedAccuracy, population: Population) -> Scores:
    """Return the scores of all configurations at once."""
    parts = sublayer_costs(costs, population)
    finished = finish_times_s(parts.latency_s, population.reuse, parts.transfer_s)
    latency = latency_up_to_s(stage_latency_s(finished))
    energy = energy_up_to_j(stage_energy_j(parts.energy_j) + parts.received_j.sum(axis=2))
    stages_percent = accuracy.stages_percent(population.partition, population.reuse)
    right, every = NestedCorrectness(stages_percent / 100), np.ones(stages_percent.shape, dtype=bool)
    leaving = shares_leaving(right, every)
    mean_s, mean_j = expected_cost(leaving, latency), expected_cost(leaving, energy)
    _, stages, layers = population.partition.shape
    kept = costs.feature_bytes[np.arange(layers), population.partition]
    return Scores(
        latency_s=mean_s,
        energy_j=mean_j,
        latency_up_to_s=latency,
        energy_up_to_j=energy,
        stage_accuracy_percent=stages_percent,
        leaving=leaving,
        union_percent=100 * union_accuracy(right, every),
        performance_js=performance(accuracy.base_percent, stages_percent[:, -1], mean_s, mean_j),
        reuse_percent=100 * population.reuse.sum(axis=(1, 2)) / max(1, layers * (stages - 1)),
        feature_bytes=np.where(population.reuse, kept, 0.0).sum(axis=(1, 2)),
    )
