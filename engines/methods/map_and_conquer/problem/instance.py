"""A problem made ready: the cut network, its costs (at all clocks on first use), accuracy, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import Problem, require
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.contract.limits import Allowed, allowed_by
from engines.cost.calibration.unmeasured import estimates_as_remedies
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import Pricing, pricing_of
from engines.mapping.problem.settings import highest_setting, searched_settings
from engines.methods.map_and_conquer.model.accuracy import AssumedAccuracy, linear_importance
from engines.methods.map_and_conquer.model.boosted_costs import BoostedCosts, trained
from engines.methods.map_and_conquer.model.cut_costs import CutCosts, cut_costs
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork, cut_network
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.limits import CutLimits, limits_of
from engines.methods.map_and_conquer.problem.real_network import RealNetwork, real_network
from engines.methods.map_and_conquer.quantities import LIMITS
from engines.methods.map_and_conquer.stage_measurements import MeasuredCuts
from engines.workloads.network import Scenario, ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.errors import Remedy
from hardware.soc.model import Soc

_MOST_COSTS = 6_000_000  # entries of a table, of which there are two


@dataclass(frozen=True, eq=False)
class CutInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        network: the layers.
        stages: M.
        settings: `s` clock settings; `reference` is the one of the highest clocks.
        highest: costs at that one alone, by the cost model.
        boosted: whether boosted trees take the place of the cost model.
        measured: stages that accuracies follow; None where they are assumed.
        real: task of the final training; None without one.
        mappings: unit of each stage in every way to give stages different units that can run the network, shape `k x M`.
        accuracy: accuracy of the stages.
        limits: limits of designs; `allowed` are those that parameters set.
    """

    soc: Soc
    workload: ScenarioModel
    pricing: Pricing
    network: CutNetwork
    stages: int
    steps: int
    settings: ClockSettings
    reference: int
    highest: CutCosts
    mappings: IntArray
    accuracy: AssumedAccuracy
    limits: CutLimits
    allowed: Allowed
    boosted: bool = False
    real: RealNetwork | None = None
    measured: MeasuredCuts | None = None

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the units, in the order of their numbers."""
        return self.highest.units

    @property
    def entries(self) -> int:
        """Entries of the indicator matrix, `n x (M - 1)`."""
        return self.network.layers * (self.stages - 1)

    @property
    def highest_clocks(self) -> ClockSettings:
        """The one setting of the highest clocks."""
        return ClockSettings({name: hz[[self.reference]] for name, hz in self.settings.frequencies_hz.items()})

    @cached_property
    def costs(self) -> CutCosts:
        """At all settings."""
        if len(self.settings) == 1 and not self.boosted:
            return self.highest
        return self.costs_at(self.settings)

    @cached_property
    def trees(self) -> BoostedCosts:
        """Trained on the settings of the instance."""
        able = tuple(self.units[number] for number in self.highest.able)
        return trained(_measured(self.pricing), able, self.network, self.settings)

    def costs_at(self, settings: ClockSettings) -> CutCosts:
        """Return the instance at other settings."""
        costs = _costs(self.network, self.pricing, settings, self.steps, self.stages, self.workload)
        if not self.boosted:
            return costs
        return self.trees.applied(costs, self.network, _measured(self.pricing), settings)


@estimates_as_remedies
def instance_of(problem: Problem[MapAndConquerParams]) -> CutInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: names what cannot be: a network without layers to cut, units that cannot run an operation, limits.
    """
    params, soc = problem.params, problem.value("hardware", Soc)
    scenario = problem.value("workload", Scenario)
    require(len(scenario.models) > 0, "inputs.workload.models", 0, "a list of at least one model")
    workload = scenario.models[0]
    accepted = "a device whose units a calibration or a data sheet covers"
    require(
        not soc.by_dataflow,
        "inputs.hardware",
        soc.slug,
        accepted,
        reason="Parts of layers have no cost by dataflow.",
        remedies=[Remedy("Set unmeasured to datasheet.", "params.unmeasured", "datasheet")],
    )
    given = problem.optional("calibration", SocCalibration)
    options = _options(params)
    pricing = pricing_of(soc, workload.network, given, options, workload.batch)
    settings = searched_settings(pricing.model.soc, pricing.model.calibration, options)
    reference = highest_setting(settings)
    one = ClockSettings({name: hz[reference : reference + 1] for name, hz in settings.frequencies_hz.items()})
    network = cut_network(workload.network.operations, pricing.operations)
    _require_room(network, len(pricing.model.units), settings, params)
    highest = _costs(network, pricing, one, params.partition_steps, params.stages or 2, workload)
    stages = _stages(params, highest)
    _require_widths(network, stages, params)
    mappings = np.array(list(permutations(highest.able, stages)), dtype=np.int64)
    measured = _measured_cuts(problem, workload)
    mass = linear_importance(network.layers, params.partition_steps)
    return CutInstance(
        soc, workload, pricing, network, stages, params.partition_steps, settings, reference, highest, mappings,
        _accuracy(params, measured, mass),
        limits_of(params, network.layers * (stages - 1)), allowed_by(LIMITS, params),
        params.estimates == "boosted", real_network(problem, network), measured,
    )  # fmt: skip


def _measured_cuts(problem: Problem[MapAndConquerParams], workload: ScenarioModel) -> MeasuredCuts | None:
    if "accuracies" not in problem.inputs:
        return None
    found = problem.value("accuracies", MeasuredCuts)
    accepted = f"stages of {workload.network.slug}"
    require(
        found.network == workload.network.slug,
        "inputs.accuracies",
        problem.inputs["accuracies"].slug,
        accepted,
        reason=f"These stages are of {found.network}.",
    )
    return found


def _accuracy(params: MapAndConquerParams, measured: MeasuredCuts | None, mass: FloatArray) -> AssumedAccuracy:
    if measured is None:
        return AssumedAccuracy(params.base_accuracy_percent, params.accuracy_loss_points, mass)
    return AssumedAccuracy(float(measured.curve.percent[-1]), 0.0, mass, measured.curve)


def _options(params: MapAndConquerParams) -> MappingOptions:
    return MappingOptions(
        unmeasured=params.unmeasured,
        bits=params.bits,
        ignore_memory=params.ignore_memory,
        clocks=params.clocks,
        power_mode=params.power_mode,
        clock_steps=params.clock_steps,
        clock_choices=params.clock_choices,
    )


def _measured(pricing: Pricing) -> SocCostModel:
    assert isinstance(pricing.model, SocCostModel)  # devices by dataflow are refused
    return pricing.model


def _costs(
    network: CutNetwork, pricing: Pricing, settings: ClockSettings, steps: int, stages: int, workload: ScenarioModel
) -> CutCosts:
    return cut_costs(
        network, _measured(pricing), settings, steps, steps - stages + 1, batch=workload.batch,
        workload=workload.network.slug,
    )  # fmt: skip


def _require_room(network: CutNetwork, units: int, settings: ClockSettings, params: MapAndConquerParams) -> None:
    size = len(network.names) * units * len(settings) * (params.partition_steps + 1) ** 2
    got = f"{many(len(network.names), 'layer')} x {units} units x {len(settings)} clock settings x {params.partition_steps} parts"
    ways = ["Use fewer clock steps, or fewer parts of a layer."]
    require(
        size <= _MOST_COSTS,
        "params.clock_steps",
        got,
        f"a number of steps that gives at most {_MOST_COSTS} combinations",
        remedies=ways,
    )


def _stages(params: MapAndConquerParams, costs: CutCosts) -> int:
    able = [costs.units[number] for number in costs.able]
    wanted = params.stages or max(2, len(able))
    if wanted > len(able):
        reason = f"Every layer runs on the units: {', '.join(able) or '(none)'}. {_lacking(costs.reasons)}".strip()
        if len(able) < 2:
            accepted = "a calibration with at least two units that can run every layer"
            ways = ["Choose another device or network."]
            raise ProblemError("inputs.calibration", f"{len(able)} units", accepted, reason=reason, remedies=ways)
        raise ProblemError("params.stages", wanted, f"at most {len(able)}", reason=reason)
    require(wanted <= params.partition_steps, "params.partition_steps", params.partition_steps, f"at least {wanted}")
    return wanted


def _require_widths(network: CutNetwork, stages: int, params: MapAndConquerParams) -> None:
    for name, width in zip(network.names, network.widths, strict=False):
        accepted = f"at most {width}"
        reason = f"The layer {name} is {width} wide."
        require(width >= stages, "params.stages", params.stages or stages, accepted, reason=reason)


def _lacking(reasons: Mapping[str, str]) -> str:
    return " ".join(f"{unit} does not: {why}." for unit, why in reasons.items())
