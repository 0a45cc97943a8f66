"""Latency and energy of a window by how many pipelines are offloaded, and the published reward.

Source: odema-2024 section 5.4.2. All N encoders run in the car, those of offloaded pipelines first; then the car computes what
is left while the radio sends and the server works:

    L(i) = max(N L_ME + (N - i) L_tail, i L_ME + i b / phi + q)        E(i) = (N L_ME + (N - i) L_tail) P + i b (base / phi + slope)

The publication writes the sum of both sides (eq. 5.11), with which its own Figure 5.8 cannot be: two pipelines would need
16.5 Mbit/s there in place of 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray

_ROUNDING = 1e-9
_BITS_PER_BYTE = 8


@dataclass(frozen=True)
class SplitSystem:
    """A car with `N` pipelines and its radio.

    Attributes:
        counts: number of pipelines that each of `a` actions offloads, ascending from 0.
        base_w: power of the radio while it sends.
        joules_per_bit: additional energy per bit.
    """

    pipelines: int
    counts: tuple[int, ...]
    encoder_s: float
    tail_s: float
    local_power_w: float
    payload_bits: float
    base_w: float
    joules_per_bit: float
    deadline_s: float

    @property
    def local_s(self) -> FloatArray:
        """Return what the car computes under each action (eq. 5.13), shape `a`."""
        return np.array([self.pipelines * self.encoder_s + (self.pipelines - i) * self.tail_s for i in self.counts])

    def latency_s(self, bits_per_s: FloatArray, delay_s: FloatArray) -> FloatArray:
        """Return the latency of every action in each of `n` windows, shape `a x n`."""
        found = np.empty((len(self.counts), len(bits_per_s)))
        for row, (count, local) in enumerate(zip(self.counts, self.local_s.tolist(), strict=True)):
            away = count * (self.encoder_s + self.payload_bits / bits_per_s) + delay_s
            found[row] = np.maximum(local, away) if count else local
        return found

    def radio_j(self, bits_per_s: FloatArray) -> FloatArray:
        """Return the energy of the radio for one pipeline, shape `n`."""
        return np.asarray(self.payload_bits * (self.base_w / bits_per_s + self.joules_per_bit))

    def energy_j(self, bits_per_s: FloatArray) -> FloatArray:
        """Return the energy of every action in each of `n` windows, shape `a x n`."""
        one = self.radio_j(bits_per_s)
        return np.stack([
            local * self.local_power_w + count * one
            for count, local in zip(self.counts, self.local_s.tolist(), strict=True)
        ])  # fmt: skip

    def missed(self, latency_s: FloatArray) -> BoolArray:
        """Return whether it passes the deadline."""
        return np.asarray(latency_s > self.deadline_s * (1 + _ROUNDING))

    def least_bits_per_s(self, count: int, delay_s: float) -> float:
        """Return the bandwidth from which so many pipelines come back in time; infinite where none is enough."""
        left = self.deadline_s - count * self.encoder_s - delay_s
        in_time = self.pipelines * self.encoder_s + (self.pipelines - count) * self.tail_s <= self.deadline_s * (
            1 + _ROUNDING
        )
        return count * self.payload_bits / left if in_time and left > 0 else np.inf

    def cheapest_in_time(self, energy_j: FloatArray, missed: BoolArray) -> IntArray:
        """Return the action of least energy among those in time, shape `n`; the first where none is."""
        return np.asarray(np.where(missed, np.inf, energy_j).argmin(axis=0))

    def rewards(self, energy_j: FloatArray, missed: BoolArray, penalty: float) -> tuple[FloatArray, FloatArray]:
        """Return the reward of every action where detections are not robust, shape `a`, and where they are, shape `a x n`.

        Eq. 5.8: 0 in the car, P / (N - i) for i offloaded. Eq. 5.9 and 5.10: P for all but the cheapest action in time.
        """
        risky = np.array([penalty / (self.pipelines - i) if i else 0.0 for i in self.counts])
        best = self.cheapest_in_time(energy_j, missed)
        chosen = np.arange(len(self.counts))[:, None] == best
        return risky, np.where(chosen & ~missed, 0.0, penalty)


def bits_of(payload_bytes: int) -> float:
    """Return the bits of a payload."""
    return float(payload_bytes * _BITS_PER_BYTE)
