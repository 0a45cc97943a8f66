"""Source of a device's costs: a calibration, extended where requested, a data sheet, or the dataflows of its units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engines.contract.certainty import Certainty, estimate_certainty, weakest
from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import CalibrationCoverage, covered
from engines.cost.estimators.registry import DEFAULT, array_estimator
from engines.cost.memory_capacity import memory_demand, require_memory
from engines.cost.soc.clocks import named_mode
from engines.cost.soc.dataflow import CostModel, DataflowCostModel
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable, operation_table
from engines.cost.soc.operator_fusion import Fusion
from engines.mapping.problem.options import MappingOptions
from engines.workloads.network import Network, ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc


@dataclass(frozen=True)
class Pricing:
    """The source of a problem's costs.

    Attributes:
        model: prices operations.
        operations: operations of the network; those run that the model prices.
        covered: the device with the calibration that costs come from; None of devices by dataflow.
        fusion: rule for operators that count as one launch, which no calibration measured.
    """

    model: CostModel
    operations: OperationTable
    covered: CalibrationCoverage | None = None
    fusion: Fusion = "none"

    @property
    def measured(self) -> CalibrationCoverage:
        """The device with its calibration, of one that has costs by measurement."""
        assert self.covered is not None
        return self.covered

    @property
    def assumed(self) -> Mapping[str, tuple[str, ...]]:
        """Measured unit -> kinds of operations of the network that are estimated there like others."""
        return {} if self.covered is None else self.covered.assumed

    def certainty(self, used: Collection[str] | None = None) -> Certainty:
        """Return the word for costs on all units, or on those in `used`; the model of dataflows has no measurements."""
        predicted = estimate_certainty(calibrated=False)
        if self.covered is None:
            return predicted
        found = self.covered.certainty(used)
        return found if self.fusion == "none" else weakest(found, predicted)

    @property
    def datasheet_units(self) -> tuple[str, ...]:
        """Units without measurements, estimated from the device's document."""
        return () if self.covered is None else self.covered.datasheet_units


def pricing_of(
    soc: Soc, network: Network, given: SocCalibration | None, options: MappingOptions, batch: int = 1
) -> Pricing:
    """Return the cost model of a network on a device.

    Args:
        soc: the device.
        network: network to map.
        given: the calibration; None takes a built-in one. Devices by dataflow have none.
        options: power mode, fall-back, what becomes of what is not measured, and whether the memory is a limit.
        batch: samples together.

    Raises:
        ProblemError: there is no calibration for the device, and no estimate without was asked for or is possible.
        TooLittleMemoryError: the network does not fit into the memory of the device.
    """
    mode = named_mode(soc, options.mode)
    if soc.by_dataflow and options.fusion != "none":
        reason = "The dataflow cost model counts only products of layers."
        raise ProblemError("params.fusion", options.fusion, "none", reason=reason)
    if soc.by_dataflow:
        estimator = array_estimator(options.cost_model, options.cost_table)
        by_dataflow = DataflowCostModel(soc, network, mode=mode, bits=options.bits, estimator=estimator)
        require_memory(
            soc,
            memory_demand([ScenarioModel(network, batch)], stated=not options.bits),
            by_dataflow.bits,
            ignore=options.ignore_memory,
        )
        return Pricing(by_dataflow, by_dataflow.operations)
    if options.cost_model != DEFAULT:
        reason = "The costs of this device come from measurements or its data sheet."
        raise ProblemError("params.cost_model", options.cost_model, DEFAULT, reason=reason)
    operations = operation_table(network.operations)
    running = [kind for kind, runs in zip(operations.kinds, operations.runs, strict=True) if runs]
    found = covered(soc, given, running, options.unmeasured, bits=options.bits, power_needed=options.power_needed)
    found = found.within_memory([ScenarioModel(network, batch)], ignore=options.ignore_memory)
    model = SocCostModel(found.soc, found.calibration, mode=mode, fallback=options.fallback, bits=options.bits)
    return Pricing(model, operations, found, options.fusion)
