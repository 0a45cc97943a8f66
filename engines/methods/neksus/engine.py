"""The engine neksus: the grouping of IP blocks into chiplets, their interconnect, cost and application performance."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.encoding.decoding import decoded
from engines.contract.engine import (
    Bound,
    Context,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Recorder,
    Step,
)
from engines.contract.errors import DecisionError
from engines.contract.estimates import around
from engines.contract.integer_format import many
from engines.contract.questions import PACKAGE
from engines.contract.results import (
    Breakdown,
    Curve,
    LayerGraph,
    NetworkPicture,
    Note,
    Result,
    Schedule,
    Sensitivity,
    Table,
)
from engines.documents.input_kinds import slot
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.explain import explain_package
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.outcome import baselines, model_notes
from engines.methods.neksus.package_bounds import best_of, bounds_of
from engines.methods.neksus.package_cost import largest_mm2
from engines.methods.neksus.params import NeksusParams
from engines.methods.neksus.quantities import CHOICE, DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.neksus.scoring import columns_of
from engines.methods.neksus.search import PackageOperators
from engines.methods.neksus.volume import cheapest_by_volume, volume_results, yield_over_granularity
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Beginning, Columns, Exhaustive, Genetic, Strategy
from engines.simulation.noc.precompilation import compile_once
from hardware.chiplet_system.family import CHIPLET_SYSTEM
from hardware.silicon.family import SILICON_COST

# Processor time on one core.
_MOST_BASELINES = 4  # of `outcome.baselines`
_START_S, _PACKAGE_S, _BOUND_S = 1.0, 1.2e-3, 1e-4
_BATCH, _CHUNK = 128, 32


class PreparedPackages(PreparedProblem[NeksusParams, PackageDesign, Context]):
    """A system whose blocks become chiplets."""

    share = (0.02, 0.96)
    counts_baselines = True

    def __init__(self, problem: Problem[NeksusParams]) -> None:
        """Refuse applications, blocks and processes that are not there, dies beyond the reticle, chiplets beyond the ports."""
        self.instance, self._costs = instance_of(problem), problem.inputs["costs"].content

    def decode(self, decision: Decision) -> PackageDesign:
        """Return a package that the ports hold and whose dies fit into the reticle."""
        instance = self.instance
        design = decoded(
            PackageDesign, decision, instance.system, ("chiplets", "chain_length", "serdes_ratio", "channel_bits")
        )
        ports, largest, most = (
            instance.params.most_ports,
            largest_mm2(instance.system, design),
            instance.costs.reticle_mm2,
        )
        if design.ports > ports:
            accepted = f"at most {ports * design.chain_length} for {ports} ports with chains of {design.chain_length}"
            raise DecisionError("decision.chiplets", len(design.chiplets), accepted)
        if largest > most:
            raise DecisionError(
                "decision.chiplets", f"a die of {largest:.4g} mm²", f"dies of at most {most:g} mm², the reticle"
            )
        return design

    def strategy(self) -> Strategy[PackageDesign]:
        """Return all packages with bounds, or NSGA-II."""
        params, space = self.instance.params, self.instance.space
        every = Exhaustive(space, _BATCH, partial(bounds_of, self.instance))
        if params.method == "exhaustive" or (params.method == "auto" and every.evaluations <= params.most_packages):
            return every
        return Genetic(space, params.evaluations, params.population, PackageOperators)

    def plan(self, evaluations: int) -> Plan:
        """Return the plan: blocks, applications and run time."""
        seconds = _START_S + _PACKAGE_S * evaluations
        if isinstance(self.strategy(), Exhaustive):
            seconds += _BOUND_S * evaluations
        titles = ", ".join(chain.title for chain in self.instance.chains)
        words = f"{many(len(self.instance.system.blocks), 'block')}; at the same time: {titles}"
        # As many as the hub may have room for; those that need more ports than it has are left out.
        most = evaluations - len(self.baselines()) + _MOST_BASELINES
        return Plan(most, 250.0, around(seconds, 0.2), checks=(PlanCheck(True, words),))

    def bounds(self) -> tuple[Bound, ...]:
        """Return the latency bound: the compute time of the blocks."""
        return (Bound("latency_s", "Blocks compute alone", best_of(self.instance), "s"),)

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the costs, and a curve of yield over the number of chiplets."""
        return (*model_notes(self.instance), yield_over_granularity(self.instance))

    def baselines(self) -> dict[str, PackageDesign]:
        """Return the published packages."""
        return baselines(self.instance)

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[Context]]:
        """Compile the simulation that explains a package."""
        if self.instance.params.simulate_network:
            yield record.step(0.0, "Compiling the network simulation, once on a machine", state=record.state)
            compile_once()
        return Beginning(record.context)

    def evaluate(self, designs: Sequence[PackageDesign], context: Context) -> Columns:
        """Return the columns of packages, on all processes."""
        chunks = [designs[begin : begin + _CHUNK] for begin in range(0, len(designs), _CHUNK)]
        parts = context.executor.map(columns_of, self.instance, chunks)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def explain(self, design: PackageDesign, context: Context) -> tuple[Result, ...]:
        """Return network by load, schedule and energy of the data flows, cost over volume, yield, effect of each parameter."""
        return explain_package(self.instance, design, self._costs)

    def report(self, designs: Designs, context: Context) -> tuple[Result, ...]:
        """Cost over volume of the cheapest package, and which is the cheapest at each volume."""
        counted = np.flatnonzero(designs.counted(QUANTITIES))
        cheapest = self.decode(designs.decisions[counted[designs.columns["cost_usd"][counted].argmin()]])
        return (*volume_results(self.instance, cheapest, "The cheapest package"), cheapest_by_volume(designs))


class NeksusEngine(PreparedEngine[NeksusParams]):
    """All packages with bounds, or NSGA-II."""

    name = "neksus"
    title = "Chiplets around a hub"
    summary = (
        "Groups IP blocks into chiplets in mini-chains around a hub. Trades off system cost, frames on time and energy."
    )
    source = "goyal-2023 (dissertation), chapter 6 (Neksus); exhaustive search with bounds of our own"
    question = PACKAGE
    version = 1
    tags = ("chiplets", "cost", "network", "interposer")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": slot(
            CHIPLET_SYSTEM, "The IP blocks, hub, links and applications of a system.", preferred="neksus-phone"
        ),
        "costs": slot(SILICON_COST, "Costs of wafers, masks, design and assembly.", preferred="neksus-28nm"),
    }
    Params = NeksusParams
    prepares = PreparedPackages
    cost_model = ("silicon costs of goyal-2023; network by its loads, without queues", "predicted")
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("cost_usd", "energy_j_per_bit")
    result_types = (NetworkPicture, Schedule, Breakdown, Sensitivity, Curve, Table, LayerGraph, Note)
    breakdowns = (
        MetricBreakdown("each_usd", "each", "by part", "parts", bar="This package"),
        MetricBreakdown("once_usd", "once", "by part", "parts", bar="This package"),
    )
    decision_columns = DECISION_COLUMNS
    presets = (
        Preset(
            "neksus-video", "A phone that plays and records video at the same time",
            {"hardware": "neksus-phone", "costs": "neksus-28nm"}, {"applications": "youtube, video-record"},
        ),
        Preset(
            "neksus-startup", "Fifty thousand phones: the cheapest package that keeps 99 % of the frames",
            {"hardware": "neksus-phone", "costs": "neksus-28nm"},
            {"applications": "photo-capture", "systems": 50_000.0, "least_frames_percent": 99.0},
        ),
    )  # fmt: skip
