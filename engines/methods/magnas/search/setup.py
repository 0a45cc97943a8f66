"""A search problem made ready: device, costs, limits, space, and where accuracy comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import CalibrationCoverage, covered, estimates_as_remedies
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.mapping.problem.instance import Instance, lacking_words
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.settings import highest_setting, searched_settings
from engines.mapping.solver.unit_mapping import MappingLimits
from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.methods.magnas.params import MagnasParams
from engines.methods.magnas.search.costs import CostTable
from engines.methods.magnas.search.inner_search import InnerSearch
from engines.supernets.space import Architecture, SupernetSpace
from engines.supernets.spaces import vig_s_space
from engines.supernets.weights_document import SupernetWeights
from engines.supernets.workload import network_document
from engines.workloads.loader import load_scenario
from engines.workloads.network import Network, ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.errors import Remedy
from hardware.soc.model import Soc

_LABELS = 20_000
_KEPT_TABLES = 8


@dataclass(frozen=True)
class Setup:
    """The prepared problem of a search.

    Attributes:
        covered: the device, its calibration, and what of it nobody measured.
        weights: weights of a trained supernet; None where accuracy is the published one.
        chosen: whether the calibration was chosen by the device.
        settings: clock settings; `reference` is the one of the highest clocks.
    """

    params: MagnasParams
    covered: CalibrationCoverage
    chosen: bool
    model: SocCostModel
    space: SupernetSpace
    weights: SupernetWeights | None
    settings: ClockSettings
    reference: int
    _tables: dict[tuple[float, ...], CostTable] = field(default_factory=dict)

    @property
    def calibration(self) -> SocCalibration:
        """Return the source of the costs."""
        return self.covered.calibration

    @cached_property
    def table(self) -> CostTable:
        """Return costs of architectures at all settings."""
        return CostTable(self.model, self.settings, self.space)

    def table_at(self, clocks: ClockSettings) -> CostTable:
        """Return the costs at a setting outside the problem; the last few tables are cached."""
        key = tuple(clocks.at(0).values())
        if key not in self._tables:
            if len(self._tables) == _KEPT_TABLES:
                self._tables.clear()
            self._tables[key] = CostTable(self.model, clocks, self.space)
        return self._tables[key]

    @property
    def limits(self) -> MappingLimits:
        """Return the limits of eq. 8."""
        return MappingLimits(
            latency_s=np.inf if self.params.latency_limit_s is None else self.params.latency_limit_s,
            energy_j=np.inf if self.params.energy_limit_j is None else self.params.energy_limit_j,
        )

    @property
    def inner(self) -> InnerSearch:
        """Return the inner search, which maps each architecture."""
        params = self.params
        return InnerSearch(
            params.inner,
            params.inner_evaluations,
            params.energy_exponent,
            params.latency_exponent,
            params.kept_mappings,
            params.clocks,
            self.reference,
            self.limits,
            _LABELS,
        )

    def instance(self, architecture: Architecture) -> Instance:
        """Return an architecture as the mapping engine sees it; its costs are the very same numbers."""
        workload = load_scenario(network_document(self.space, architecture)).models[0]
        operations = operation_table(workload.network.operations)
        blocks, starts = operations.blocks()
        costs = self.table.costs(architecture)
        reasons: dict[tuple[int, str], str] = {}
        first = 0
        for part in self.table.parts(architecture):
            reasons |= {(first + row, unit): why for (row, unit), why in part.reasons.items()}
            first += len(part.names)
        return Instance(
            soc=self.covered.soc,
            model=self.model,
            workload=workload,
            operations=operations,
            blocks=blocks,
            starts=starts,
            units=self.model.units,
            settings=self.settings,
            reference=self.reference,
            costs=costs,
            allowed=np.isfinite(costs.latency_s[:, :, 0]),
            reasons=reasons,
            limits=self.limits,
            by_power=False,
            assumed=self.covered.assumed,
            datasheet_units=self.covered.datasheet_units,
        )


@estimates_as_remedies
def build_setup(problem: Problem[MagnasParams]) -> Setup:
    """Return everything of a problem.

    Raises:
        ProblemError: names what cannot be: no calibration, blocks that no unit can have, clocks or modes that do not exist.
    """
    params = problem.params
    soc = problem.value("hardware", Soc)
    weights = problem.optional("weights", SupernetWeights)
    space = weights.space if weights is not None else vig_s_space(published_accuracy(params.data_set).classes)
    given = problem.optional("calibration", SocCalibration)
    largest = _largest_networks(space)
    costs = covered(soc, given, _running_kinds(largest), params.unmeasured, bits=params.bits)
    for network in largest:
        costs = costs.within_memory([ScenarioModel(network, 1)], ignore=params.ignore_memory)
    clocks = _clocks(params)
    model = costs.model(mode=clocks.mode, fallback=params.fallback)
    settings = searched_settings(costs.soc, costs.calibration, clocks)
    setup = Setup(params, costs, given is None, model, space, weights, settings, highest_setting(settings))
    _require_units(setup)
    return setup


def _clocks(params: MagnasParams) -> MappingOptions:
    return MappingOptions(
        clocks="fixed" if params.clocks == "fixed" else "searched",
        power_mode=params.power_mode,
        clock_choices=params.clock_choices,
        clock_steps=2,
    )


def _largest_networks(space: SupernetSpace) -> list[Network]:
    """Return the largest network of each graph operator."""
    return [load_scenario(network_document(space, space.largest(each))).models[0].network for each in space.operators]


def _running_kinds(networks: Sequence[Network]) -> list[str]:
    """Return the kinds of operations of the networks, each once."""
    return sorted({kind for network in networks for kind in operation_table(network.operations).running_kinds})


def _require_units(setup: Setup) -> None:
    """Check that every block of every graph operator has a unit: silently dropping an operator would mislead."""
    for operator in setup.space.operators:
        architecture = setup.space.largest(operator)
        lacking = ~np.isfinite(setup.table.costs(architecture).latency_s[:, :, setup.reference]).any(axis=1)
        if lacking.any():
            instance = setup.instance(architecture)
            number = int(np.flatnonzero(lacking)[0])
            why = lacking_words({unit: instance.reasons.get((number, unit), "") for unit in instance.units})
            raise ProblemError(
                "inputs.calibration",
                f"{operator} block {instance.blocks[number]}, {why}",
                "a calibration that covers every block on some unit",
                remedies=[Remedy("Set unmeasured to assumed to estimate the rest.", "params.unmeasured", "assumed")],
            )
