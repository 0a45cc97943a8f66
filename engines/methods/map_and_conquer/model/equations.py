"""Latency, energy and performance of a network that is cut by width, equations 2.15 to 2.23, over a whole population.

Source: odema-2024 section 2.4 (Map-and-Conquer). Letters of shapes: `B` configurations, `M` stages in the order in which they are
started, `n` sublayers of a stage. Every function is pure and takes arrays of float64 but for `reuse`, which is of bool.

Readings of what the source leaves open:
- 2.15: stage i waits for stage k < i at sublayer j where I_k^{j-1} = 1; T_i^0 = 0.
- An input that stage i answers takes as long as the slowest of the stages 1..i, which are started together; equation 2.23 writes
  T_{S_i}, which is the same unless an earlier stage is slower.
- N_i are shares of the inputs; those that no stage answers rightly pay for all stages (`engines.search.ends`).
"""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray


def finish_times_s(latency_s: FloatArray, reuse: BoolArray, transfer_s: FloatArray) -> FloatArray:
    """Return the time at which each sublayer of each stage ends, T_i^j in s (equation 2.15).

    Args:
        latency_s: latency in seconds of each sublayer alone, tau_i^j, shape `B x M x n`.
        reuse: whether later stages read what sublayer j of stage k gives, I_k^j, shape `B x M x (n - 1)`; nobody comes after
            the last stage, whose row counts for nothing.
        transfer_s: transfer time of these features to the unit of a later stage, u_k^j, shape `B x M x (n - 1)`.

    Returns:
        Seconds since the start, shape `B x M x n`.
    """
    finished = np.empty_like(latency_s)
    stages, layers = latency_s.shape[1:]
    # What stage k hands on, once it has arrived; -inf where nobody waits for it.
    waits = np.where(reuse, transfer_s, -np.inf)
    finished[:, :, 0] = latency_s[:, :, 0]
    for layer in range(1, layers):
        before = finished[:, :, layer - 1]
        arrived = np.maximum.accumulate(before + waits[:, :, layer - 1], axis=1)
        finished[:, 0, layer] = before[:, 0] + latency_s[:, 0, layer]
        for stage in range(1, stages):
            ready = np.maximum(before[:, stage], arrived[:, stage - 1])
            finished[:, stage, layer] = ready + latency_s[:, stage, layer]
    return finished


def stage_latency_s(finished_s: FloatArray) -> FloatArray:
    """Return the latency of each stage, T_{S_i} = T_i^n (equation 2.16), shape `B x M`."""
    return finished_s[:, :, -1]


def unit_power_w(static_w: FloatArray, dynamic_w: FloatArray, clock_share: FloatArray) -> FloatArray:
    """Return the power of a unit, alpha + beta theta (equation 2.17); all arguments broadcast, theta = f / f_max is within 0..1."""
    return static_w + dynamic_w * clock_share


def stage_energy_j(energy_j: FloatArray) -> FloatArray:
    """Return the energy of each stage, the sum over its sublayers (equation 2.19), shape `B x M`."""
    return np.asarray(energy_j.sum(axis=2))


def latency_up_to_s(stages_s: FloatArray) -> FloatArray:
    """Return the latency of an input for which the stages 1..i are started: the slowest of them (equation 2.20), shape `B x M`."""
    return np.maximum.accumulate(stages_s, axis=1)


def energy_up_to_j(stages_j: FloatArray) -> FloatArray:
    """Return the energy of an input for which the stages 1..i are started, E_{S_1:i} (equation 2.21), shape `B x M`."""
    return np.cumsum(stages_j, axis=1)


def performance(
    base_accuracy: float, last_accuracy: FloatArray, mean_latency_s: FloatArray, mean_energy_j: FloatArray
) -> FloatArray:
    """Return the objective P of the published search, the lower the better (equation 2.23), shape `B`, in joule seconds.

    Args:
        base_accuracy: base accuracy of the network that is not cut.
        last_accuracy: accuracy of the last stage, in the same unit, shape `B`; performance is infinite if it is 0.
        mean_latency_s: shape `B`.
        mean_energy_j: shape `B`.
    """
    with np.errstate(divide="ignore"):
        return base_accuracy / last_accuracy * mean_latency_s * mean_energy_j
