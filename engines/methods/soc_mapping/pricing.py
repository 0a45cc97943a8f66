"""What a device's costs come from: a calibration, widened where that was asked for, a data sheet, or the dataflows of its units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.contract import Problem
from engines.cost.calibration_assumed import with_assumed_kinds
from engines.cost.calibration_datasheet import datasheet_estimate, with_datasheet_units
from engines.cost.soc import SocCostModel
from engines.cost.soc_dataflow import CostModel, DataflowCostModel
from engines.cost.soc_operations import OperationTable, operation_table
from engines.errors import ProblemError
from engines.workloads.network import Scenario
from hardware.soc import Soc
from hardware.soc_calibration import SocCalibration
from hardware.soc_calibration_loader import builtin_calibrations, load_calibration

_OTHERWISE = (
    "; or take “Operations that no calibration measured” as “Estimated, also units by their data sheet” "
    "(unmeasured=datasheet)"
)


@dataclass(frozen=True)
class Pricing:
    """What a problem's costs come from.

    Attributes:
        model: prices operations.
        operations: of the network; those run that the model prices.
        assumed: measured unit -> kinds of operations of the network that are estimated there like others.
        datasheet_units: units that nobody measured, estimated from the device's document.
    """

    model: CostModel
    operations: OperationTable
    assumed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    datasheet_units: tuple[str, ...] = ()


def pricing_of(problem: Problem) -> Pricing:
    """The cost model of a problem.

    Raises:
        ProblemError: there is no calibration for the device, and no estimate without was asked for or is possible.
    """
    soc, params = problem.value("hardware", Soc), problem.params
    network = problem.value("workload", Scenario).models[0].network  # of which the first is mapped
    mode = params.power_mode.strip() or None
    if mode is not None and mode not in soc.power_modes:
        accepted = f"empty, or one of: {', '.join(soc.power_modes) or 'none is known of this device'}"
        raise ProblemError("params.power_mode", mode, accepted)
    if soc.by_dataflow:
        if "calibration" in problem.inputs:
            accepted = "empty: the costs of this device follow from the dataflow of its units"
            raise ProblemError("inputs.calibration", problem.inputs["calibration"].slug, accepted)
        by_dataflow = DataflowCostModel(soc, network, mode=mode)
        return Pricing(by_dataflow, by_dataflow.operations)
    operations = operation_table(network.operations)
    measured = _measured(problem, soc, operations)
    assumed: Mapping[str, tuple[str, ...]] = {}
    units: tuple[str, ...] = ()
    if measured is None:
        found = datasheet_estimate(soc)
        soc, calibration, units = found.soc, found.calibration, tuple(found.calibration.covered)
    else:
        calibration = measured
        if params.unmeasured != "refused":
            calibration, assumed = with_assumed_kinds(calibration, soc, operations.running_kinds)
        if params.unmeasured == "datasheet":
            soc, calibration, units = with_datasheet_units(calibration, soc)
    return Pricing(SocCostModel(soc, calibration, mode=mode, fallback=params.fallback), operations, assumed, units)


def _measured(problem: Problem, soc: Soc, operations: OperationTable) -> SocCalibration | None:
    """The calibration that was given, or the built-in one of the device that covers most of the network.

    None where there is none and the data sheet may take its place.
    """
    if "calibration" in problem.inputs:
        return problem.value("calibration", SocCalibration)
    known = [load_calibration(content) for content in builtin_calibrations().values()]
    fitting = [calibration for calibration in known if calibration.soc == soc.slug]
    if not fitting and problem.params.unmeasured == "datasheet":
        return None
    if not fitting:
        devices = ", ".join(sorted({calibration.soc for calibration in known}))
        accepted = f"a calibration of {soc.slug}: none is built in (there are some of {devices}){_OTHERWISE}"
        raise ProblemError("inputs.calibration", None, accepted)
    running = [kind for kind, runs in zip(operations.kinds, operations.runs, strict=True) if runs]

    def covered(calibration: SocCalibration) -> int:
        return sum(kind in kinds for kinds in calibration.covered.values() for kind in running)

    return max(fitting, key=covered)
