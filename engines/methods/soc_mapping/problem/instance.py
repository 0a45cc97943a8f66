"""A problem instance of this engine for the space of mappings."""

from __future__ import annotations

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import estimates_as_remedies
from engines.mapping.problem.instance import Instance, build_instance
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import Pricing, pricing_of
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.quantities import OBJECTIVE_COLUMNS
from engines.workloads.network import Scenario
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc


def options_of(params: SocMappingParams) -> MappingOptions:
    """Return the parameters of the same names, and whether power is among the objectives."""
    return MappingOptions(
        granularity=params.granularity,
        unit_rules=params.unit_rules,
        latency_limit_s=params.latency_limit_s,
        latency_slack_percent=params.latency_slack_percent,
        energy_limit_j=params.energy_limit_j,
        power_limit_w=params.power_limit_w,
        transition_limit=params.transition_limit,
        by_power="power_w" in OBJECTIVE_COLUMNS[params.objectives],
        ignore_memory=params.ignore_memory,
        fallback=params.fallback,
        unmeasured=params.unmeasured,
        bits=params.bits,
        cost_model=params.cost_model,
        cost_table=params.cost_table,
        fusion=params.fusion,
        clocks=params.clocks,
        power_mode=params.power_mode,
        clock_steps=params.clock_steps,
        clock_choices=params.clock_choices,
    )


def pricing_of_problem(problem: Problem[SocMappingParams]) -> Pricing:
    """Return the cost model of a problem.

    Raises:
        ProblemError: there is no calibration for the device, or one that its costs do not follow from.
    """
    soc, given = problem.value("hardware", Soc), None
    workload = problem.value("workload", Scenario).models[0]  # of which the first is mapped
    if "calibration" in problem.inputs:
        if soc.by_dataflow:
            accepted = "empty"
            reason = "The costs of this device follow from the dataflow of its units."
            raise ProblemError("inputs.calibration", problem.inputs["calibration"].slug, accepted, reason=reason)
        given = problem.value("calibration", SocCalibration)
    return pricing_of(soc, workload.network, given, options_of(problem.params), workload.batch)


@estimates_as_remedies
def instance_of(problem: Problem[SocMappingParams], *, highest_clocks_alone: bool = False) -> Instance:
    """Return everything of a problem; with the setting of the highest clocks alone for checks that must be quick.

    Raises:
        ProblemError: names what cannot be: blocks that no unit can have, rules, clocks, limits.
    """
    soc, workload = problem.value("hardware", Soc), problem.value("workload", Scenario).models[0]
    pricing, options = pricing_of_problem(problem), options_of(problem.params)
    return build_instance(soc, workload, pricing, options, highest_clocks_alone=highest_clocks_alone)
