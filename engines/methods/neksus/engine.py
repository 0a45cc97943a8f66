"""The engine neksus: which chiplets blocks become, what connects them, what it costs, what applications get from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from engines.contract.counts import counted
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Composed,
    Context,
    Engine,
    InputKind,
    Plan,
    PlanCheck,
    Problem,
    ReadyMade,
    Recorder,
    Step,
)
from engines.contract.estimates import around
from engines.contract.limits import nearest
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
from engines.methods.neksus.bounding import best_of
from engines.methods.neksus.explain import explain_package
from engines.methods.neksus.instance import NeksusInstance, instance_of
from engines.methods.neksus.outcome import baselines, model_notes, run_results
from engines.methods.neksus.params import NeksusParams
from engines.methods.neksus.quantities import CHOICE, DECIDES, LIMITS, QUANTITIES
from engines.methods.neksus.scoring import decoded_designs, designs_of
from engines.methods.neksus.search import is_exhaustive, search_all, search_some
from engines.simulation.noc.warm import compile_once
from hardware.chiplet_system.family import CHIPLET_SYSTEM
from hardware.silicon.family import SILICON_COST

# Processor time on one core.
_START_S, _PACKAGE_S, _BOUND_S = 1.0, 1.2e-3, 1e-4


class NeksusEngine(Engine[NeksusParams, NeksusInstance]):
    """All packages with bounds, or NSGA-II."""

    name = "neksus"
    title = "Chiplets around a hub"
    summary = "Which chiplets IP blocks become, how mini-chains and a hub connect them: cost of a system, frames in time, energy."
    source = "goyal-2023 (dissertation), chapter 6 (Neksus); exhaustive search with bounds of our own"
    question = PACKAGE
    version = 1
    tags = ("chiplets", "cost", "network", "interposer")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": slot(CHIPLET_SYSTEM, "IP blocks, hub, channels, and applications.", preferred="neksus-phone"),
        "costs": slot(SILICON_COST, "What wafers, masks, design and assembly cost.", preferred="neksus-28nm"),
    }
    Params = NeksusParams
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    tells = ("cost_usd", "energy_j_per_bit")
    explains = (NetworkPicture, Schedule, Breakdown, Sensitivity, Curve, Table, LayerGraph, Note)
    composed = (
        Composed("each_usd", "each", "by part", "parts", bar="This package"),
        Composed("once_usd", "once", "by part", "parts", bar="This package"),
    )
    decides = DECIDES
    ready_made = (
        ReadyMade(
            "neksus-video", "A phone that plays and records video at the same time",
            {"hardware": "neksus-phone", "costs": "neksus-28nm"}, {"applications": "youtube, video-record"},
        ),
        ReadyMade(
            "neksus-startup", "Fifty thousand phones: the cheapest package that keeps 99 % of the frames",
            {"hardware": "neksus-phone", "costs": "neksus-28nm"},
            {"applications": "photo-capture", "systems": 50_000.0, "least_frames_percent": 99.0},
        ),
    )  # fmt: skip

    def prepare(self, problem: Problem[NeksusParams]) -> NeksusInstance:
        """Refuse applications, blocks and processes that are not there, dies beyond the reticle, chiplets beyond the ports."""
        return instance_of(problem)

    def plan(self, problem: Problem[NeksusParams], ready: NeksusInstance) -> Plan:
        """Packages and time."""
        count, every = ready.space.count, is_exhaustive(ready)
        budget = count if every else ready.params.evaluations
        how = "all are looked at" if every else f"NSGA-II looks at {counted(budget)}"
        titles = ", ".join(chain.title for chain in ready.chains)
        seconds = _START_S + _PACKAGE_S * budget + (_BOUND_S * count if every else 0.0)
        return Plan(
            evaluations=budget + 4,
            memory_mb=250.0,
            time_s=around(seconds, 0.2),
            checks=(
                PlanCheck(True, f"{len(ready.system.blocks)} blocks; at the same time: {titles}"),
                PlanCheck(True, f"At most {counted(count)} packages; {how}"),
            ),
        )

    def bounds(self, problem: Problem[NeksusParams], ready: NeksusInstance) -> tuple[Bound, ...]:
        """The time that blocks compute."""
        return (Bound("latency_s", "Blocks compute alone", best_of(ready), "s"),)

    def estimator(self, problem: Problem[NeksusParams]) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """The cost models in words."""
        return "silicon costs of goyal-2023; network by its loads, without queues", "predicted"

    def run(self, problem: Problem[NeksusParams], ready: NeksusInstance, record: Recorder) -> Iterator[Step]:
        """Published packages first, then the search; the simulation that explains a package is compiled before."""
        if ready.params.simulate_network:
            yield record.step(0.0, "Compiling the network simulation, once on a machine", state=record.state)
            compile_once()
        if record.state is None:
            labels, packages = baselines(ready)
            record.add(designs_of(ready, packages, labels), "baseline")
            yield record.step(0.02, "Published packages", model_notes(ready), state=None)
        yield from search_all(ready, record) if is_exhaustive(ready) else search_some(ready, record)
        if record.context.stop_requested():
            return
        found = record.designs
        if not found.counted(QUANTITIES).any():
            yield record.infeasible(nearest(ready.allowed, found))
            return
        yield record.step(1.0, f"{counted(len(found))} packages priced", run_results(ready, found))

    def evaluate(
        self, problem: Problem[NeksusParams], ready: NeksusInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """The same numbers again, with origin "user"."""
        return designs_of(ready, decoded_designs(ready, decisions))

    def explain(
        self, problem: Problem[NeksusParams], ready: NeksusInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Network by load, schedule and energy of the three data flows, cost over volume, yield, what each parameter does."""
        content = problem.inputs["costs"].content
        return explain_package(ready, decoded_designs(ready, [decision])[0], content)
