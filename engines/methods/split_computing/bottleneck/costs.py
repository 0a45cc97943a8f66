"""Costs of a design: multiply-accumulates, time and energy of its parts on a device, and bytes sent. Without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.calibration.unmeasured import CalibrationCoverage
from engines.cost.soc_networks import NetworkPricer
from engines.data.documents import ImageData
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.shapes import (
    OPERATORS,
    VIEWS,
    Bottleneck,
    BranchDesign,
    BranchShape,
    network_content,
)
from engines.workloads.loader import load_network
from engines.workloads.network import Network

ENCODER = "encoder"


@dataclass(frozen=True)
class BranchCosts:
    """Costs of one branch.

    Attributes:
        macs, latency_s, energy_j: by part: encoder, decoder, block1, ..., classifier.
        sent_bytes: bytes that it sends.
    """

    macs: Mapping[str, float]
    latency_s: Mapping[str, float]
    energy_j: Mapping[str, float]
    sent_bytes: int

    @property
    def encoder_s(self) -> float:
        """Before anything can be sent."""
        return self.latency_s.get(ENCODER, 0.0)

    @property
    def tail_s(self) -> float:
        """Return the latency in seconds of the layers after the branch, executed on the device."""
        return sum(seconds for part, seconds in self.latency_s.items() if part != ENCODER)


@dataclass(frozen=True, eq=False)
class TrainingReady:
    """A problem made ready.

    Attributes:
        pricer: pricer of one unit of the device.
        covered: the device and its calibration.
        seed: seed of the training.
    """

    shape: BranchShape
    bottlenecks: tuple[Bottleneck, ...]
    pricer: NetworkPricer
    covered: CalibrationCoverage
    params: TrainBottleneckParams
    data: ImageData
    seed: int

    def network(self, design: BranchDesign) -> Network:
        """Return a branch as it would be deployed."""
        return load_network(network_content(self.shape, design, "branch", "Branch"))

    def costs(self, design: BranchDesign) -> BranchCosts:
        """Return the costs of a branch."""
        network = self.network(design)
        macs, seconds, joules = dict[str, float](), dict[str, float](), dict[str, float]()
        for operation in network.operations:
            _add(macs, operation.name, float(operation.macs))
        layers = self.pricer.price(network)
        for start, latency, energy in zip(layers.starts, layers.latency_s, layers.energy_j, strict=True):
            _add(seconds, network.operations[start].name, float(latency))
            _add(joules, network.operations[start].name, float(energy))
        return BranchCosts(macs, seconds, joules, self.shape.sent_bytes(design.bottleneck))

    def operator_costs(self, of: str) -> list[FloatArray]:
        """Return the cost of every operator in each block but the first, MACs or seconds on the device; all views together."""
        columns = []
        for operator in OPERATORS:
            found = self.costs(BranchDesign(None, (operator,) * (len(self.shape.widths) - 1)))
            columns.append(_blocks(found.macs if of == "macs" else found.latency_s))
        return [VIEWS * np.array(each) for each in zip(*columns, strict=True)]


def _add(totals: dict[str, float], name: str, value: float) -> None:
    part = name.partition(".")[0]
    totals[part] = totals.get(part, 0.0) + value


def _blocks(parts: Mapping[str, float]) -> Sequence[float]:
    return [value for part, value in parts.items() if part.startswith("block") and part != "block1"]
