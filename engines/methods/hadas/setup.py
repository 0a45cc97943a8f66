"""A problem made ready: device, unit, clock settings, and the backbones that may be searched."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np

from engines.contract.engine import Context, Problem
from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import CalibrationCoverage, covered, estimates_as_remedies
from engines.cost.soc.clocks import ClockSettings, highest_clocks, named_mode
from engines.cost.soc.model import NoEstimateError, SocCostModel
from engines.cost.soc.operations import OperationTable, operation_table
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.settings import highest_setting, searched_settings
from engines.methods.hadas.accuracy import backbone_percent, exit_accuracies, published_correlation
from engines.methods.hadas.backbone import Backbone, work_up_to
from engines.methods.hadas.exit_measurements import MeasuredExits
from engines.methods.hadas.exits import EXIT_CHANNELS, Positions, attentive_positions, block_positions, exit_table
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.pricing import PartPrices, part_of
from engines.methods.hadas.space import BASELINES
from engines.methods.hadas.spaces import AttentiveSpace, BackboneSpace, Subnet, SupernetBackbones
from engines.search.ends.correctness import (
    Correctness,
    CorrelatedCorrectness,
    MeasuredCorrectness,
    NestedCorrectness,
)
from engines.search.ends.exit_rules import RuledEnds
from engines.supernets.space import Architecture
from engines.supernets.stored_accuracy import measured_with
from engines.supernets.weights_document import SupernetWeights
from engines.workloads.families.attentive_nas import AttentiveSubnet
from engines.workloads.network import Network, Operation, Scenario, ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.errors import Remedy
from hardware.soc.model import Soc

_KEPT_BACKBONES = 600  # a hundred kilobytes each
ANY_PERCENT, _ANY_SHAPE = 50.0, (8, 8, 8)  # where costs alone count


@dataclass(frozen=True, eq=False)
class Setup:
    """The prepared problem of a search.

    Attributes:
        covered: the device, its calibration, and what of it nobody measured.
        chosen: whether the calibration was chosen by the device.
        unit: runs the network.
        settings: clock settings; `reference` is the one of the highest clocks.
        network: the one backbone; None where the space is searched.
        measured: its trained and measured exits; None if accuracies are assumed.
        weights: weights of the supernet whose subnets are searched; None elsewhere.
        percent_of: measures a subnet of it; None until `measuring`.
    """

    params: HadasParams
    covered: CalibrationCoverage
    chosen: bool
    model: SocCostModel
    unit: str
    settings: ClockSettings
    reference: int
    network: Network | None
    measured: MeasuredExits | None = None
    weights: SupernetWeights | None = None
    percent_of: Callable[[Architecture], float] | None = None
    _kept: OrderedDict[tuple[Subnet, float | None], Backbone] = field(default_factory=OrderedDict)

    @cached_property
    def space(self) -> BackboneSpace:
        """Return what is searched where there is no one network."""
        return AttentiveSpace() if self.weights is None else SupernetBackbones(self.weights)

    def measuring(self, context: Context) -> Setup:
        """Return the same, able to measure subnets where these are searched; the weights are read for the first of them.

        `percent_of` raises a ProblemError where weights or data set are not stored any more, or not what the document says.
        """
        if self.weights is None:
            return self
        weights, most = self.weights, self.params.validation_images
        images = cache(lambda: measured_with(weights, context, most))
        return replace(self, percent_of=cache(lambda subnet: images().percent(subnet)))

    @property
    def networks(self) -> tuple[Network, ...]:
        """The one backbone, if no space is searched."""
        return () if self.network is None else (self.network,)

    @cached_property
    def prices(self) -> PartPrices:
        """At all settings."""
        return PartPrices(self.model, self.unit, self.settings)

    @cached_property
    def highest(self) -> PartPrices:
        """At the highest clocks alone."""
        at = {name: np.array([hz]) for name, hz in self.settings.at(self.reference).items()}
        return PartPrices(self.model, self.unit, ClockSettings(at))

    @cached_property
    def given(self) -> Backbone:
        """Return the given network with its exits; valid only for a problem with one network.

        Raises:
            ProblemError: exits can stand nowhere.
        """
        assert self.network is not None
        table = operation_table(self.network.operations)
        if self.measured is not None:
            return self._measured_backbone(self.measured, table)
        positions = block_positions(self.network, table, self.params.first_exit)
        percent = self.params.backbone_accuracy_percent
        return self._backbone(self.network.short_title, None, table, positions, percent)

    def _measured_backbone(self, found: MeasuredExits, table: OperationTable) -> Backbone:
        macs, positions = float(np.where(table.runs, table.macs, 0.0).sum()), found.positions
        work, correctness = work_up_to(table, positions.starts), MeasuredCorrectness(found.right)
        ruled = None if found.sure is None else RuledEnds(found.right, found.sure)
        return Backbone(
            found.title, None, table, positions, found.classes, found.channels, macs, work, correctness, ruled
        )

    def backbone(self, subnet: Subnet, title: str = "", percent: float | None = None) -> Backbone:
        """Return a point of the space with its exits.

        Args:
            subnet: the point.
            title: title on pages; by default that of the space.
            percent: accuracy of a subnet of a supernet, where it was measured before; by default it is measured.

        Raises:
            ProblemError: exits can stand nowhere.
        """
        if self.weights is not None and percent is None:
            assert self.percent_of is not None and not isinstance(subnet, AttentiveSubnet)
            percent = self.percent_of(subnet)
        key = (subnet, percent)
        if key not in self._kept:
            self._kept[key] = self._of_space(subnet, title, percent)
            if len(self._kept) > _KEPT_BACKBONES:
                self._kept.popitem(last=False)
        return self._kept[key]

    def _of_space(self, subnet: Subnet, title: str, percent: float | None) -> Backbone:
        network, table = _drawn(self.space, subnet)
        positions = self.space.positions(network, table, self.params.first_exit)
        return self._backbone(title or self.space.title(subnet), subnet, table, positions, percent)

    def _backbone(
        self,
        title: str,
        subnet: Subnet | None,
        table: OperationTable,
        positions: Positions,
        percent: float | None,
    ) -> Backbone:
        macs = float(np.where(table.runs, table.macs, 0.0).sum())
        work = work_up_to(table, positions.starts)
        accuracy = (backbone_percent(macs) if percent is None else percent) / 100
        shares = exit_accuracies(accuracy, work, self.params.steepness)
        correctness: Correctness = NestedCorrectness(shares)
        if self.params.ends == "correlated":
            correctness = CorrelatedCorrectness(shares, self.correlation)
        classes = (None if subnet is None else self.space.classes) or self.params.classes
        return Backbone(title, subnet, table, positions, classes, EXIT_CHANNELS, macs, work, correctness)

    def operations_of(self, backbone: Backbone) -> tuple[Operation, ...]:
        """Return the operations of a backbone, exits left out."""
        network = self.network if backbone.subnet is None else self.space.network(backbone.subnet)
        assert network is not None  # one without a point of the space is the one that was given
        return network.operations

    @cached_property
    def correlation(self) -> float:
        """How much ends go together, from the accuracies that are printed of a0."""
        network, table = _drawn(AttentiveSpace(), BASELINES["a0"])
        work = work_up_to(table, attentive_positions(network, table, 5).starts)
        return published_correlation(tuple(work.tolist()), self.params.steepness)

    @cached_property
    def stem(self) -> tuple[float, float]:
        """Least latency and energy of what every input of every backbone of the space passes: the stem of its smallest ones."""
        _, table = _drawn(self.space, self.space.ends[0])
        latency, energy = self.prices.price(part_of(table, 0, self.space.stem_end(table)), (0,))
        return float(latency[0].min()), float(energy[0].min())


@estimates_as_remedies
def build_setup(problem: Problem[HadasParams]) -> Setup:
    """Return everything of a problem.

    Raises:
        ProblemError: names what cannot be: no calibration, a unit that cannot run the network, no place for an exit, clocks or
            modes that do not exist.
    """
    params, soc = problem.params, problem.value("hardware", Soc)
    measured = problem.optional("exits", MeasuredExits)
    network, weights = _network_of(problem, measured), _weights_of(problem)
    _check_rules(params, measured)
    given = problem.optional("calibration", SocCalibration)
    named_mode(soc, params.power_mode)
    space: BackboneSpace = AttentiveSpace() if weights is None else SupernetBackbones(weights)
    networks = [network] if network else [space.network(each) for each in space.ends]
    tables = [operation_table(each.operations) for each in networks]
    # No subnet has such a classifier.
    heads = [] if weights is None else [exit_table(_ANY_SHAPE, weights.space.classes)]
    kinds = [kind for table in (*tables, *heads) for kind in table.running_kinds]
    costs = covered(soc, given, kinds, params.unmeasured, bits=params.bits)
    for shape in networks:
        costs = costs.within_memory([ScenarioModel(shape, 1)], ignore=params.ignore_memory)
    options = MappingOptions(
        clocks="fixed" if params.clock_steps == 1 else "searched",
        power_mode=params.power_mode,
        clock_steps=max(2, params.clock_steps),
    )
    model = costs.model(mode=options.mode)
    unit = _unit(model, params, tables)
    settings = searched_settings(costs.soc, costs.of(unit).calibration, options)
    highest = highest_setting(settings)
    setup = Setup(params, costs, given is None, model, unit, settings, highest, network, measured, weights)
    # A subnet's costs do not follow its accuracy, which is measured later.
    percent = None if weights is None else ANY_PERCENT
    first = [setup.given] if network else [setup.backbone(each, percent=percent) for each in space.ends]
    for each in first:
        each.costs(setup.highest)  # raises where an operation has no estimate
    return setup


def _weights_of(problem: Problem[HadasParams]) -> SupernetWeights | None:
    """Return the supernet whose subnets are searched, if one is."""
    weights = problem.optional("weights", SupernetWeights)
    others = [each for each in ("workload", "exits") if each in problem.inputs]
    if weights is not None and others:
        reason, accepted = "One of the two inputs names the network.", f"empty, or {others[0]} empty"
        raise ProblemError("inputs.weights", problem.inputs["weights"].slug, accepted, reason=reason)
    return weights


def _network_of(problem: Problem[HadasParams], measured: MeasuredExits | None) -> Network | None:
    """Return the one network that gets exits, or has them; None where a space is searched."""
    scenario = problem.optional("workload", Scenario)
    if measured is None:
        return None if scenario is None else scenario.models[0].network
    if scenario is not None:
        reason = "Measured exits name their network."
        raise ProblemError("inputs.workload", problem.inputs["workload"].slug, "empty", reason=reason)
    return measured.network


def _check_rules(params: HadasParams, measured: MeasuredExits | None) -> None:
    """Refuse rules without a measurement of how sure exits are, which is never assumed, and with the published search."""
    if params.leaving == "ideal":
        return
    ideal = Remedy.to_set("params.leaving", "ideal")
    if measured is None or measured.sure is None:
        lacks = "The exits of the input lack confidence values." if measured else "The input exits is empty."
        way = "Train the exits again with train-exits." if measured else "Choose measured exits."
        reason = f"Rules need confidence values. {lacks}"
        raise ProblemError("params.leaving", params.leaving, "ideal", reason=reason, remedies=[way, ideal])
    if params.inner != "exact":
        ways = [Remedy.to_set("params.inner", "exact"), ideal]
        reason = "The published search knows only the ideal mapping."
        raise ProblemError("params.inner", params.inner, "exact", reason=reason, remedies=ways)


def _drawn(space: BackboneSpace, subnet: Subnet) -> tuple[Network, OperationTable]:
    network = space.network(subnet)
    return network, operation_table(network.operations)


def _unit(model: SocCostModel, params: HadasParams, tables: list[OperationTable]) -> str:
    """Return the unit that was asked for, or the one that runs the networks in the least time.

    Raises:
        ProblemError: there is no such unit, or none that runs all of a network.
    """
    if params.unit and params.unit not in model.units:
        raise ProblemError("params.unit", params.unit, f"empty, or one of: {', '.join(model.units)}")
    clocks = highest_clocks(model.soc, params.power_mode or None)
    units = (params.unit,) if params.unit else model.units
    total = {
        unit: sum(float(model.costs(table, clocks, units=[unit], partial=True).latency_s.sum()) for table in tables)
        for unit in units
    }
    best = min(total, key=lambda unit: total[unit], default="")
    if not best or not np.isfinite(total[best]):
        for table in tables:
            model.costs(table, clocks, units=units[:1])  # raises with operator, unit and what would mend it
        raise NoEstimateError(
            "inputs.calibration",
            "no unit for the network",
            "a calibration of a unit that can run the network",
            remedies=["Measure the device and calibrate it.", "Choose another device."],
        )
    return best
