"""The calibrated cost model of a device behind the protocol of cost models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import ComputeUnit, CostEstimator, LayerEstimates, unknown
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.network import Network


@dataclass(frozen=True)
class CalibratedUnit(ComputeUnit):
    """A compute unit of a device with a calibration.

    Attributes:
        model: model of the device, with its calibration.
        clocks: one clock setting.
    """

    model: SocCostModel
    clocks: ClockSettings


class CalibratedEstimator(CostEstimator):
    """A roofline per operator with shares fitted to measurements of the device; rows are operators, not layers."""

    name = "calibrated"
    title = "Calibration of the device"
    words = "a calibration of the device"
    units = (CalibratedUnit,)
    certainty = "calibrated"

    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the costs of the operators of `graph` that run; `mapping` is ignored.

        Raises:
            ProblemError: the unit has no calibration, or its calibration lacks an operator, which the error names.
        """
        if not isinstance(unit, CalibratedUnit):
            raise ProblemError("unit", unit.name, "a compute unit with a calibration")
        table = operation_table(graph.operations)
        costs = unit.model.costs(table, unit.clocks, units=[unit.name])
        rows = np.flatnonzero(table.runs)
        latency_s, energy_j = costs.latency_s[rows, 0, 0], costs.energy_j[rows, 0, 0]
        cycles = latency_s * float(unit.clocks.frequencies_hz[unit.name][0])
        return LayerEstimates(
            tuple(table.names[row] for row in rows.tolist()),
            cycles,
            latency_s,
            energy_j,
            unknown(len(rows)),
            unknown(len(rows)),
            ("Times and energies include the traffic of the shared memory.",),
        )
