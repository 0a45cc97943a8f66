"""A problem made ready: device, unit, clock settings, and the backbones that may be searched."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.cost.calibration_unmeasured import Covered, covered, estimates_as_remedies
from engines.cost.soc import NoEstimateError, SocCostModel
from engines.cost.soc_clocks import ClockSettings, highest_clocks
from engines.cost.soc_operations import OperationTable, operation_table
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.settings import highest_setting, searched_settings
from engines.methods.hadas.accuracy import backbone_percent, exit_accuracies, published_correlation
from engines.methods.hadas.backbone import Backbone, work_up_to
from engines.methods.hadas.exits import EXIT_CHANNELS, Positions, attentive_positions, block_positions
from engines.methods.hadas.measured import MeasuredExits
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.pricing import PartPrices, part_of
from engines.methods.hadas.space import BASELINES
from engines.search.ends.correctness import (
    Correctness,
    CorrelatedCorrectness,
    MeasuredCorrectness,
    NestedCorrectness,
)
from engines.search.ends.ruled import RuledEnds
from engines.workloads.families.attentive import AttentiveSubnet, attentivenas_network
from engines.workloads.loader import load_network
from engines.workloads.network import Network, Scenario
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

_KEPT_BACKBONES = 600  # a hundred kilobytes each


@dataclass(frozen=True, eq=False)
class Setup:
    """What a search works on.

    Attributes:
        covered: the device, its calibration, and what of it nobody measured.
        chosen: whether the calibration was chosen by the device.
        unit: runs the network.
        settings: clock settings; `reference` is the one of the highest clocks.
        network: the one backbone; None where the space is searched.
        measured: its exits as they were trained and measured; None where accuracies are assumed.
    """

    params: HadasParams
    covered: Covered
    chosen: bool
    model: SocCostModel
    unit: str
    settings: ClockSettings
    reference: int
    network: Network | None
    measured: MeasuredExits | None = None
    _kept: OrderedDict[AttentiveSubnet, Backbone] = field(default_factory=OrderedDict)

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
        """The one network with its exits; only where there is one.

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

    def backbone(self, subnet: AttentiveSubnet, title: str = "") -> Backbone:
        """A point of the space with its exits.

        Raises:
            ProblemError: exits can stand nowhere.
        """
        if subnet not in self._kept:
            network, table = _drawn(subnet)
            positions = attentive_positions(network, table, self.params.first_exit)
            words = title or f"{subnet.resolution} px, {sum(subnet.depth)} layers"
            self._kept[subnet] = self._backbone(words, subnet, table, positions, None)
            if len(self._kept) > _KEPT_BACKBONES:
                self._kept.popitem(last=False)
        return self._kept[subnet]

    def _backbone(
        self,
        title: str,
        subnet: AttentiveSubnet | None,
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
        return Backbone(title, subnet, table, positions, self.params.classes, EXIT_CHANNELS, macs, work, correctness)

    @cached_property
    def correlation(self) -> float:
        """How much ends go together, from the accuracies that are printed of a0."""
        network, table = _drawn(BASELINES["a0"])
        work = work_up_to(table, attentive_positions(network, table, 5).starts)
        return published_correlation(tuple(work.tolist()), self.params.steepness)

    @cached_property
    def stem(self) -> tuple[float, float]:
        """Least latency and energy of what every input of every backbone of the space passes: the stem of its smallest ones."""
        _, table = _drawn(BASELINES["a0"])  # the lowest resolution and the narrowest stem
        latency, energy = self.prices.price(part_of(table, 0, table.blocks(2)[1][4]), (0,))
        return float(latency[0].min()), float(energy[0].min())


@estimates_as_remedies
def build_setup(problem: Problem[HadasParams]) -> Setup:
    """Everything of a problem.

    Raises:
        ProblemError: names what cannot be: no calibration, a unit that cannot run the network, no place for an exit, clocks or
            modes that do not exist.
    """
    params, soc = problem.params, problem.value("hardware", Soc)
    measured = problem.optional("exits", MeasuredExits)
    network = _network(problem, measured)
    _check_rules(params, measured)
    given = problem.optional("calibration", SocCalibration)
    _check_mode(soc, params.power_mode)
    tables = [operation_table(network.operations)] if network else [_drawn(BASELINES[name])[1] for name in ("a0", "a6")]
    kinds = [kind for table in tables for kind in table.running_kinds]
    costs = covered(soc, given, kinds, params.unmeasured)
    options = MappingOptions(
        clocks="fixed" if params.clock_steps == 1 else "searched",
        power_mode=params.power_mode,
        clock_steps=max(2, params.clock_steps),
    )
    model = SocCostModel(costs.soc, costs.calibration, mode=options.mode)
    unit = _unit(model, params, tables)
    settings = searched_settings(costs.soc, costs.of(unit).calibration, options)
    setup = Setup(params, costs, given is None, model, unit, settings, highest_setting(settings), network, measured)
    first = setup.given if network is not None else setup.backbone(BASELINES["a0"])
    first.costs(setup.highest)  # raises where an operation has no estimate
    return setup


def _network(problem: Problem[HadasParams], measured: MeasuredExits | None) -> Network | None:
    """The one network that gets exits, or has them; None where the space is searched."""
    if measured is None:
        return problem.value("workload", Scenario).models[0].network if "workload" in problem.inputs else None
    if "workload" in problem.inputs:
        raise ProblemError(
            "inputs.workload", problem.inputs["workload"].slug, "empty: measured exits name their network"
        )
    return measured.network


def _check_rules(params: HadasParams, measured: MeasuredExits | None) -> None:
    """Rules need to know how sure exits are, which is measured and never assumed."""
    if params.leaving == "ideal":
        return
    if measured is None or measured.sure is None:
        lacks = (
            "measured exits in the input exits"
            if measured is None
            else "exits trained again: these lack how sure they are"
        )
        error = ProblemError("params.leaving", params.leaving, f"ideal, or rules with {lacks}")
        error.remedies = (("params.leaving", "ideal"),)
        raise error
    if params.inner != "exact":
        error = ProblemError("params.inner", params.inner, "exact: the published search knows the ideal mapping alone")
        error.remedies = (("params.inner", "exact"), ("params.leaving", "ideal"))
        raise error


def _check_mode(soc: Soc, mode: str) -> None:
    if mode and mode not in soc.power_modes:
        accepted = f"empty, or one of: {', '.join(soc.power_modes) or 'none is known of this device'}"
        raise ProblemError("params.power_mode", mode, accepted)


def _drawn(subnet: AttentiveSubnet) -> tuple[Network, OperationTable]:
    network = load_network(attentivenas_network("backbone", "Backbone", "Backbone", subnet))
    return network, operation_table(network.operations)


def _unit(model: SocCostModel, params: HadasParams, tables: list[OperationTable]) -> str:
    """The unit that was asked for, or the one that runs the networks in the least time.

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
        raise NoEstimateError("inputs.calibration", "no unit for the network", "a calibration that covers it")
    return best
