"""A problem made ready: device, calibration, blocks, and the costs of every block on every unit at every clock setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.dataflow import CostModel
from engines.cost.soc.operations import OperationTable
from engines.cost.soc.operator_fusion import Fusion, fused_table
from engines.mapping.problem.blocks import blocks_of
from engines.mapping.problem.branches import hand_overs
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import Pricing
from engines.mapping.problem.rules import allowed_units
from engines.mapping.problem.settings import highest_setting, searched_settings
from engines.mapping.solver.unit_mapping import MappingLimits, MappingScores, UnitCosts, score
from engines.workloads.network import ScenarioModel
from hardware.errors import Remedy
from hardware.soc.model import Soc

_MOST_COSTS = 6_000_000  # blocks x units x settings; an array of them has 48 MB, and a search a handful


@dataclass(frozen=True)
class Instance:
    """The prepared problem of a search.

    Attributes:
        blocks: names of the `n` blocks, and in `starts` the first operation of each.
        settings: `s` clock settings; `reference` is the one of the highest clocks.
        costs: by what units support; `allowed` holds the rules as well, shape `n x u`.
        reasons: (block, unit) -> why the unit cannot have it.
        limits: those of the parameters, the one relative to single units worked out.
        by_power: whether average power is an objective, alone or next to others.
        assumed: unit -> kinds of operations of the network that are estimated there without any measurement.
        datasheet_units: units that nobody measured, estimated from the device's document.
        fusion: rule for operators that count as one launch.
    """

    soc: Soc
    model: CostModel
    workload: ScenarioModel
    operations: OperationTable
    blocks: tuple[str, ...]
    starts: tuple[int, ...]
    units: tuple[str, ...]
    settings: ClockSettings
    reference: int
    costs: UnitCosts
    allowed: BoolArray
    reasons: dict[tuple[int, str], str]
    limits: MappingLimits
    by_power: bool
    assumed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    datasheet_units: tuple[str, ...] = ()
    fusion: Fusion = "none"

    @property
    def searched_costs(self) -> UnitCosts:
        """Costs with rules applied: infinite where a block must not run."""
        barred = ~self.allowed[:, :, None]
        latency, energy = np.where(barred, np.inf, self.costs.latency_s), np.where(barred, np.inf, self.costs.energy_j)
        return UnitCosts(latency, energy, self.costs.handover_s, self.costs.handover_j, self.costs.skips)

    def costs_at(self, settings: ClockSettings) -> UnitCosts:
        """Return the costs at other settings."""
        return _costs(self.model, self.operations, self.starts, settings, self.workload, self.units)[0]


def build_instance(
    soc: Soc, workload: ScenarioModel, pricing: Pricing, options: MappingOptions, *, highest_clocks_alone: bool = False
) -> Instance:
    """Return everything that a search needs.

    Args:
        soc: the device.
        workload: the network that is mapped, with its batch.
        pricing: its costs there.
        options: requested options.
        highest_clocks_alone: leave out all settings but the one of the highest clocks, for checks that must be quick.

    Raises:
        ProblemError: names what cannot be: blocks that no unit can have, rules, clocks, limits.
    """
    model, operations = pricing.model, pricing.operations
    settings = searched_settings(soc, model.calibration, options)
    if options.granularity == "layers":
        operations = fused_table(operations, workload.network.operations, options.fusion)
    blocks, starts = blocks_of(operations, options.granularity)
    if options.granularity == "blocks":
        operations = fused_table(operations, workload.network.operations, options.fusion, starts)
    units = model.units
    if len(blocks) * len(units) * len(settings) > _MOST_COSTS:
        got = f"{many(len(blocks), 'block')} x {len(units)} units x {len(settings)} clock settings"
        ways = ["Use fewer clock steps, or blocks in place of layers."]
        raise ProblemError(
            "params.clock_steps", got, f"a number of steps that gives at most {_MOST_COSTS} combinations", remedies=ways
        )
    if highest_clocks_alone:
        one = highest_setting(settings)
        settings = ClockSettings({name: clock[one : one + 1] for name, clock in settings.frequencies_hz.items()})
    costs, reasons = _costs(model, operations, starts, settings, workload, units)
    allowed = allowed_units(options.unit_rules, blocks, units) & np.isfinite(costs.latency_s[:, :, 0])
    _require_a_unit(blocks, units, allowed, reasons)
    reference = highest_setting(settings)
    limits = _limits(options, costs, reference)
    return Instance(
        soc, model, workload, operations, blocks, starts, units, settings, reference, costs, allowed, reasons, limits,
        options.by_power, pricing.assumed, pricing.datasheet_units, options.fusion,
    )  # fmt: skip


def standalone(costs: UnitCosts, setting: int) -> tuple[IntArray, MappingScores]:
    """Return the mappings to each unit alone and their scores (infinite where a unit lacks something), shapes `u x n` and `u`."""
    units = np.repeat(np.arange(costs.units)[:, None], costs.blocks, axis=1)
    return units, score(costs, units, np.full(costs.units, setting))


def _costs(
    model: CostModel,
    operations: OperationTable,
    starts: Sequence[int],
    settings: ClockSettings,
    workload: ScenarioModel,
    units: Sequence[str],
) -> tuple[UnitCosts, dict[tuple[int, str], str]]:
    costs = model.costs(
        operations, settings, units=units, batch=workload.batch, groups=starts, partial=True,
        workload=workload.network.slug,
    )  # fmt: skip
    changes = model.transitions(operations, settings, batch=workload.batch)
    handed_s, handed_j, skips = hand_overs(workload.network.operations, starts, changes.latency_s, changes.energy_j)
    return UnitCosts(costs.latency_s, costs.energy_j, handed_s, handed_j, skips), costs.reasons


def _require_a_unit(
    blocks: Sequence[str], units: Sequence[str], allowed: BoolArray, reasons: dict[tuple[int, str], str]
) -> None:
    for number in np.flatnonzero(~allowed.any(axis=1)).tolist():
        lacking = {unit: reasons.get((number, unit), "") for unit in units}
        got = f"block {blocks[number]}, {lacking_words(lacking)}"
        if not any(lacking.values()):
            raise ProblemError("params.unit_rules", got, "rules that leave every block a unit")
        raise ProblemError(
            "inputs.calibration",
            got,
            "a calibration that covers every block on some unit",
            remedies=[Remedy("Set unmeasured to assumed to estimate the rest.", "params.unmeasured", "assumed")],
        )


def lacking_words(reasons: Mapping[str, str]) -> str:
    """Return why no unit can have a block, each reason once: unit -> "operation: why", "" where a rule forbids it."""
    units: dict[str, list[str]] = {}
    for unit, reason in reasons.items():
        why = reason.rpartition(": ")[2].removesuffix(f" on {unit}") if reason else "ruled out by unit_rules"
        units.setdefault(why, []).append(unit)
    return "; ".join(f"{' and '.join(names)}: {why}" for why, names in units.items())


def _limits(options: MappingOptions, costs: UnitCosts, reference: int) -> MappingLimits:
    latency = np.inf if options.latency_limit_s is None else options.latency_limit_s
    if options.latency_slack_percent is not None:
        fastest = float(standalone(costs, reference)[1].latency_s.min())
        if not np.isfinite(fastest):
            accepted = "empty"
            reason = "No unit can run the whole network alone."
            raise ProblemError("params.latency_slack_percent", options.latency_slack_percent, accepted, reason=reason)
        latency = min(latency, fastest * (1 + options.latency_slack_percent / 100))
    return MappingLimits(
        latency_s=latency,
        energy_j=np.inf if options.energy_limit_j is None else options.energy_limit_j,
        power_w=np.inf if options.power_limit_w is None else options.power_limit_w,
        transitions=options.transition_limit,
    )
