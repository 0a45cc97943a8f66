"""Lower bounds of latency and energy for all designs of the stated model, by the shortest path over the layers.

The mean over inputs is C_1 + sum_i (C_i - C_{i-1}) s_i, where C_i is the cost of the stages 1..i and s_i the share of the inputs
that start stage i. At least the share 1 - Acc_base starts every stage, so the mean is at least C_1 Acc_base + C_M (1 - Acc_base).

- Energy: C_1 and C_M are sums over layers, given how every layer is cut and reused; the least sum is a shortest path over those
  choices, exact for the expression above.
- Latency: C_1 is the chain of the first stage, C_M at least the chain of any stage without waiting; the largest over the stages of
  the least such sum bounds it.

Limits on accuracy and reuse are left out: they only make the least larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.map_and_conquer.model.cut_costs import CutCosts
from engines.methods.map_and_conquer.search.genome import Genome


@dataclass(frozen=True)
class Bounds:
    """Bounds of each mapping at each setting, shape `k x s`."""

    latency_s: FloatArray
    energy_j: FloatArray

    @property
    def least_latency_s(self) -> float:
        """Return the least latency of any configuration."""
        return float(self.latency_s.min())

    @property
    def least_energy_j(self) -> float:
        """Return the least energy of any configuration."""
        return float(self.energy_j.min())


def bounds_of(genome: Genome, costs: CutCosts, base_percent: float) -> Bounds:
    """Return the bounds at every mapping and setting.

    Args:
        genome: genome of the problem; `costs` has its settings.
        costs: tables.
        base_percent: accuracy of the whole network.
    """
    share = base_percent / 100
    stages = genome.stages
    latency = np.max(
        [_least(genome, costs.latency_s, None, _weights(stages, stage, share)) for stage in range(stages)], axis=0
    )
    every = np.full(stages, 1.0 - share)
    every[0] = 1.0
    return Bounds(latency, _least(genome, costs.energy_j, costs.transfer_j, every))


def _weights(stages: int, stage: int, share: float) -> FloatArray:
    """Return the first stage for the inputs that may leave there, one other for those that start every stage."""
    weights = np.zeros(stages)
    weights[0] += share
    weights[stage] += 1.0 - share
    return weights


def _least(genome: Genome, table: FloatArray, transfers: FloatArray | None, weights: FloatArray) -> FloatArray:
    """Return the least weighted sum over layers and stages, shape `k x s`.

    Args:
        genome: choices of cut and reuse.
        table: cost of parts, shape `(n + 1) x u x s x (q + 1) x (q + 1)`.
        transfers: cost of features handed to one stage, shape `n x s x (q + 1)`; None for none.
        weights: weights of the stages, shape `M`.
    """
    cuts, has, handed = _choices(genome)
    state_of, states = _states(has)
    found = _layer(genome, table[0], cuts, np.full((1, genome.stages), genome.steps), weights)[:, :, :, 0]
    for layer in range(genome.layers):
        # What each cut costs so far, and which state each way to reuse its features leads to.
        ahead = np.full((*found.shape[:2], len(states)), np.inf)
        for reuse in range(has.shape[1]):
            moved = 0.0 if transfers is None else _moved(transfers[layer], handed[:, reuse], weights)
            total = found + moved
            for cut in range(len(cuts)):
                at = state_of[cut, reuse]
                ahead[:, :, at] = np.minimum(ahead[:, :, at], total[:, :, cut])
        last = layer + 1 == genome.layers
        written = np.full((1, genome.stages), genome.steps) if last else cuts
        step = _layer(genome, table[layer + 1], written, states, weights)
        found = (ahead[:, :, None, :] + step).min(axis=3)
    return np.asarray(found[:, :, 0])


def _choices(genome: Genome) -> tuple[IntArray, IntArray, IntArray]:
    """Return cuts (`c x M`), the stages' share of a layer by cut and reuse (`c x r x M`), and the steps passed on (`c x r x M`)."""
    handed = np.where(genome.reuses[None], genome.cuts[:, None], 0)
    return genome.cuts, genome.cuts[:, None] + np.cumsum(handed, axis=2) - handed, handed


def _states(has: IntArray) -> tuple[IntArray, IntArray]:
    """Return the number of the state of each cut and reuse (`c x r`), and the states (`z x M`): what every stage has of a layer."""
    states, number = np.unique(has.reshape(-1, has.shape[2]), axis=0, return_inverse=True)
    return number.reshape(has.shape[:2]), states


def _layer(genome: Genome, table: FloatArray, written: IntArray, read: IntArray, weights: FloatArray) -> FloatArray:
    """Return the weighted cost of a layer for each mapping, setting, cut and state, shape `k x s x c x z`."""
    total = np.zeros((len(genome.mappings), table.shape[1], len(written), len(read)))
    for stage in np.flatnonzero(weights):
        part = table[:, :, written[:, stage, None], read[None, :, stage]]
        total += weights[stage] * part[genome.mappings[:, stage]]
    return total


def _moved(transfer: FloatArray, handed: IntArray, weights: FloatArray) -> FloatArray:
    """Return the weighted cost of passing features on, for each setting and cut, shape `s x c`: every later stage gets them."""
    later = np.append(np.cumsum(weights[::-1])[::-1][1:], 0.0)
    return np.asarray((transfer[:, handed] * later).sum(axis=2))
