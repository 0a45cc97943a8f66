"""Whole networks on one unit of a system on a chip: time and energy of each of their layers, as the runtime executes them.

Beyond what the cost model folds, an activation or batch normalisation after any other operation (the addition of a residual, a
pooling) runs in that operation's kernel, as deployment runtimes do with element-wise work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import CalibrationCoverage, Unmeasured, builtin_calibration, covered
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import NoEstimateError, SocCostModel
from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.network import Network
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

_ELEMENT_WISE = ("activation", "batchnorm")


@dataclass(frozen=True, eq=False)
class LayerCosts:
    """Layers of a network: an operation that runs, with what is folded into it.

    Attributes:
        starts: first operation of each of the `n` layers.
        latency_s: latency in seconds of one frame, shape `n`.
        energy_j: energy in joules of one frame, shape `n`.
    """

    starts: tuple[int, ...]
    latency_s: FloatArray
    energy_j: FloatArray


class NetworkPricer:
    """Prices networks on one unit of a device at its highest clocks.

    Args:
        soc: the device.
        calibration: calibration of that device.
        unit: name of the unit; "" takes the fastest one for the networks of `choose_unit`.
        precision: precision of weights and activations.
        mode: power mode; None: no limits.

    Raises:
        ProblemError: no such unit, mode or precision, or a calibration of another device.
    """

    def __init__(self, soc: Soc, calibration: SocCalibration, unit: str, precision: str, mode: str | None) -> None:
        self._model = SocCostModel(soc, calibration, mode=mode, bits=precision)
        self._clocks = highest_clocks(soc, mode)
        if unit and unit not in self._model.units:
            raise ProblemError("params.unit", unit, f"empty, or one of: {', '.join(self._model.units)}")
        self.unit = unit

    def choose_unit(self, networks: Sequence[Network]) -> str:
        """Return the unit that runs all networks in the least time together; the one that was asked for, if one was.

        Raises:
            NoEstimateError: no unit has an estimate for all of them.
        """
        if not self.unit:
            totals = {unit: self._total_s(networks, unit) for unit in self._model.units}
            self.unit = min(totals, key=lambda name: totals[name], default="")
            if not np.isfinite(totals.get(self.unit, np.inf)):
                for network in networks:  # raises with operator, unit and what would mend it
                    self._costs(fused_table(network), self._model.units[0], partial=False)
                raise NoEstimateError(
                    "inputs.calibration",
                    "no unit for all networks",
                    "a calibration of a unit that can run all networks",
                    remedies=["Measure the device and calibrate it.", "Choose another device."],
                )
        return self.unit

    def price(self, network: Network) -> LayerCosts:
        """Return the costs of a network, once the unit is chosen.

        Raises:
            NoEstimateError: names the operator that no estimate covers.
        """
        table = fused_table(network)
        starts = layer_starts(table)
        latency, energy = self._costs(table, self.unit, partial=False, groups=starts)
        return LayerCosts(starts, latency, energy)

    def _total_s(self, networks: Sequence[Network], unit: str) -> float:
        return sum(float(self._costs(fused_table(network), unit, partial=True)[0].sum()) for network in networks)

    def _costs(
        self, table: OperationTable, unit: str, *, partial: bool, groups: Sequence[int] | None = None
    ) -> tuple[FloatArray, FloatArray]:
        costs = self._model.costs(table, self._clocks, units=[unit], groups=groups, partial=partial)
        return costs.latency_s[:, 0, 0], costs.energy_j[:, 0, 0]


def fused_table(network: Network) -> OperationTable:
    """Return the operations of a network, with element-wise work in the kernel of what it follows."""
    table = operation_table(network.operations)
    kinds = np.array([operation.kind in _ELEMENT_WISE for operation in network.operations], dtype=bool)
    kinds[:1] = False
    return replace(table, runs=table.runs & ~kinds)


def layer_starts(table: OperationTable) -> tuple[int, ...]:
    """Return first operation of every layer: each that runs begins one.

    What does not run belongs to the one before, if there is one.
    """
    runs = [int(row) for row in np.flatnonzero(table.runs)]
    return (0, *runs[1:]) if runs else (0,)


def usual_calibration(soc: Soc, networks: Sequence[Network]) -> SocCalibration:
    """Return the built-in calibration of the device that covers most operations of the networks.

    Raises:
        ProblemError: there is none for the device.
    """
    return builtin_calibration(soc, _running_kinds(networks))


def covered_networks(
    soc: Soc, given: SocCalibration | None, networks: Sequence[Network], unmeasured: Unmeasured, bits: str = ""
) -> CalibrationCoverage:
    """Return the device with a calibration for the operations of the networks; see `engines.cost.calibration.unmeasured.covered`.

    Raises:
        ProblemError: there is no calibration of the device, and no estimate without was asked for or is possible.
    """
    return covered(soc, given, _running_kinds(networks), unmeasured, bits=bits)


def _running_kinds(networks: Sequence[Network]) -> list[str]:
    tables = [fused_table(network) for network in networks]
    return [kind for table in tables for kind, runs in zip(table.kinds, table.runs, strict=True) if runs]
