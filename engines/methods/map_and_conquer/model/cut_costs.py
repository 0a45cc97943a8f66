"""Costs of parts of layers on units at clocks: tables over the share that is written and the share that is read.

Shares are in steps: a layer is cut into `steps` equal parts of its width, of which a stage gets a whole number. Every entry is
what the cost model of systems on a chip says of the layer with that much less work, so its launches, roofline and power stay true
for parts: half a layer takes more than half its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork


@dataclass(frozen=True)
class CutCosts:
    """Costs of `n + 1` layers (the exit last) on `u` units at `s` settings, for shares in steps from 0 to `q`.

    Attributes:
        units: names, in the order of the second axis.
        latency_s, energy_j: of a part, shape `(n + 1) x u x s x (q + 1) x (q + 1)`: steps written, then steps read. NaN of shares
            that do not occur; infinite where the unit cannot run the layer.
        transfer_s, transfer_j: time and energy to transfer the features of a part to another unit, shape `n x s x (q + 1)`.
        feature_bytes: size of the features of a part, shape `n x (q + 1)`.
        reasons: unit -> why it cannot run the network, "operation: why"; only units that cannot.
    """

    units: tuple[str, ...]
    latency_s: FloatArray
    energy_j: FloatArray
    transfer_s: FloatArray
    transfer_j: FloatArray
    feature_bytes: FloatArray
    reasons: dict[str, str]

    @property
    def steps(self) -> int:
        """Into how many parts a layer is cut."""
        return int(self.latency_s.shape[-1]) - 1

    @property
    def able(self) -> tuple[int, ...]:
        """Numbers of the units that can run every layer."""
        return tuple(number for number, name in enumerate(self.units) if name not in self.reasons)


def cut_costs(
    network: CutNetwork,
    model: SocCostModel,
    settings: ClockSettings,
    steps: int,
    most_written: int,
    *,
    batch: int = 1,
    workload: str = "",
) -> CutCosts:
    """Return the tables.

    Args:
        network: the layers.
        model: prices operations.
        settings: `s` clock settings.
        steps: parts of a layer, `q`.
        most_written: the largest part that a stage gets where there are several, in steps; the whole layer is priced as well.
        batch: samples together.
        workload: slug, for scale factors from measured totals.
    """
    shape = (len(network.names), len(model.units), len(settings), steps + 1, steps + 1)
    latency, energy = np.full(shape, np.nan), np.full(shape, np.nan)
    reasons: dict[str, str] = {}
    for written, read in _shares(steps, most_written):
        part = model.costs(
            network.scaled(written / steps, read / steps), settings, batch=batch, groups=network.starts, partial=True,
            workload=workload,
        )  # fmt: skip
        latency[..., written, read], energy[..., written, read] = part.latency_s, part.energy_j
        if not reasons:
            for (_, unit), why in part.reasons.items():
                reasons.setdefault(unit, why)
    return CutCosts(model.units, latency, energy, *_transfers(network, model, settings, steps, batch), reasons)


def _shares(steps: int, most_written: int) -> Iterable[tuple[int, int]]:
    """Yield the steps written and read that occur: the exit writes all whatever the part, and one stage alone reads all."""
    for written in {*range(1, most_written + 1), steps}:
        for read in range(1, steps + 1):
            yield written, read


def _transfers(
    network: CutNetwork, model: SocCostModel, settings: ClockSettings, steps: int, batch: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    rows = list(network.last_operations)
    seconds = np.zeros((len(rows), len(settings), steps + 1))
    joules = np.zeros_like(seconds)
    for written in range(1, steps + 1):
        moved = model.transitions(network.scaled(written / steps, 1.0), settings, batch=batch)
        seconds[:, :, written], joules[:, :, written] = moved.latency_s[rows], moved.energy_j[rows]
    element_bytes = model.bits.activation_bytes * batch
    shares = np.arange(steps + 1) / steps
    return seconds, joules, network.feature_elements[:, None] * element_bytes * shares
